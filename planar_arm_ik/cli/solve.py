"""``planar-arm solve X Y``: both elbows for one target."""

from __future__ import annotations

import argparse
import math
from typing import Any

from planar_arm_ik.cli.common import (
    add_arm,
    add_degrees,
    add_json,
    angle,
    description_of,
    print_json,
    shown,
    warn_about,
)
from planar_arm_ik.inverse import explain
from planar_arm_ik.inverse.branches import METRICS, Rule
from planar_arm_ik.inverse.solution import IkSolution
from planar_arm_ik.inverse.solver import solve


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "solve",
        help="joint angles for a tip position",
        description="Solve both elbows for a tip position and choose one by a rule.",
        epilog="example: planar-arm solve 0.6 0 --degrees --seed 10 -90",
    )
    parser.add_argument("x", type=float, help="tip x in the base frame [m]")
    parser.add_argument("y", type=float, help="tip y in the base frame [m]")
    parser.add_argument(
        "--rule", default="nearest", choices=[rule.value for rule in Rule], help="branch rule"
    )
    parser.add_argument(
        "--seed", type=float, nargs=2, metavar=("Q1", "Q2"), help="angles to stay near to"
    )
    parser.add_argument(
        "--max-joint-step", type=float, default=math.inf, help="largest joint step from the seed"
    )
    parser.add_argument(
        "--metric", default="l2", choices=METRICS, help="joint distance of the rule nearest"
    )
    for add in (add_degrees, add_json, add_arm):
        add(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Solve and print; exit code 0 only with an answer."""
    description = description_of(arguments)
    arm = description.arm
    degrees = arguments.degrees
    seed = None
    if arguments.seed is not None:
        seed = [angle(value, degrees) for value in arguments.seed]
        warn_about(explain.seed_hint(arm, seed))
    step = arguments.max_joint_step
    if degrees and math.isfinite(step):
        step = math.radians(step)
    answer = solve(
        arm,
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
        "angle_unit": "deg" if degrees else "rad",
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
    unit = "deg" if degrees else "rad"
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
