"""``planar-arm solve X Y``: both elbows for one target."""

from __future__ import annotations

import argparse
import math
from typing import Any

from planar_arm_ik.cli import options
from planar_arm_ik.cli.output import angle_unit, complain, print_json, shown
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.inverse import explain, solver
from planar_arm_ik.inverse.solution import IkSolution


@Verb(
    "solve",
    "joint angles for a tip position",
    "Solve both elbows for a tip position and choose one by a rule.",
    examples=["solve 0.6 0 --degrees --seed 10 -90"],
    options=[
        option("x", type=float, help="tip x in the base frame [m]"),
        option("y", type=float, help="tip y in the base frame [m]"),
        options.RULE,
        options.pose("--seed", "angles to stay near to"),
        option(
            "--max-joint-step",
            type=float,
            default=math.inf,
            help="largest joint step from the seed",
        ),
        options.METRIC,
        options.DEGREES,
        options.JSON,
        options.CONFIG,
    ],
)
def solve(arguments: argparse.Namespace) -> int:
    """Solve and print; exit code 0 only with an answer."""
    description, degrees = options.description_of(arguments), arguments.degrees
    seed = None
    if arguments.seed is not None:
        seed = options.angles(arguments.seed, degrees)
        if hint := explain.seed_hint(description.arm, seed):
            complain(hint)
    step = arguments.max_joint_step
    if degrees and math.isfinite(step):
        step = math.radians(step)
    answer = solver.solve(
        description.arm,
        (arguments.x, arguments.y),
        seed,
        arguments.rule,
        step,
        arguments.metric,
        obstacles=description.obstacles,
    )
    if arguments.json:
        print_json(_document(answer, degrees))
    else:
        _print(answer, degrees)
    return 0 if answer.ok else 1


def _document(answer: IkSolution, degrees: bool) -> dict[str, Any]:
    return {
        "status": answer.status.name,
        "q": None if answer.q is None else shown(answer.q, degrees),
        "branch": answer.branch.name.lower(),
        "angle_unit": angle_unit(degrees),
        "candidates": [
            {
                "branch": candidate.branch.name.lower(),
                "status": candidate.status.name,
                "q": shown(candidate.q, degrees),
                "limiting_joint": candidate.limiting_joint,
                "limit_margin": shown(candidate.limit_margin, degrees),
                "distance": shown(candidate.distance, degrees),
                "position_error": candidate.position_error,
            }
            for candidate in answer.candidates
        ],
        "shortfall": answer.shortfall,
        "nearest_point": answer.nearest_point,
        "sigma_min": answer.sigma_min,
        "message": answer.message,
    }


def _print(answer: IkSolution, degrees: bool) -> None:
    unit = angle_unit(degrees)
    print(answer.status.name + (f": {answer.message}" if answer.message else ""))
    if answer.nearest_point is not None:
        x, y = answer.nearest_point
        print(f"nearest reachable point: x {x:.6g} m, y {y:.6g} m")
    for candidate in answer.candidates:
        mark = "->" if answer.branch is candidate.branch else "  "
        q1, q2 = shown(candidate.q, degrees)
        print(
            f"{mark} {candidate.branch.name.lower():8}  q1 {q1:11.5f}  q2 {q2:11.5f} {unit}  "
            f"{candidate.status.name}"
        )
