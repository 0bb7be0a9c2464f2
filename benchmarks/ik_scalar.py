"""One target with rule, limits and candidates, beside the solvers users come from.

Run with ``python benchmarks/ik_scalar.py``; the comparison needs the extra ``[bench]``. Repeats
are interleaved and the fastest of each counts, by processor time: only the ratios mean anything.
The iterative solvers (Robotics Toolbox, ikpy) answer one elbow, the one their seed leads to.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik import JointLimits, PlanarArm, solve

Array = NDArray[np.float64]
#: Takes a target (x, y) [m] and a seed (q1, q2) [rad]; returns the chosen angles [rad].
Solver = Callable[[float, float, tuple[float, float]], Any]

L1, L2 = 0.5, 0.4
LIMITS = (
    JointLimits(-math.radians(170.0), math.radians(170.0)),
    JointLimits(-math.radians(150.0), math.radians(150.0)),
)
ARM = PlanarArm(L1, L2, *LIMITS)
BARE = "EAIK, bare call"
SAME = "EAIK, pose built, answers read, nearest chosen"


def ours() -> dict[str, Solver]:
    """Return our solver as it is called: answers, statuses, margins, errors and sentences."""
    return {
        "planar_arm_ik.solve, nearest": lambda x, y, seed: solve(ARM, (x, y), seed).q,
        "planar_arm_ik.solve, keep": lambda x, y, seed: solve(ARM, (x, y), seed, "keep").q,
    }


def eaik() -> dict[str, Solver]:
    """Return EAIK's bare call, and the whole way from a target to the nearest answer."""
    try:
        from eaik.IK_DH import DhRobot
    except ImportError:
        return {}
    robot = DhRobot(np.zeros(2), np.array((L1, L2)), np.zeros(2))
    ready = np.eye(4)
    ready[:2, 3] = 0.6, 0.1

    def same_job(x: float, y: float, seed: tuple[float, float]) -> Array | None:
        pose = np.eye(4)
        pose[0, 3], pose[1, 3] = x, y
        best, least = None, math.inf
        for q in robot.IK(pose).Q:
            moved = math.hypot(q[0] - seed[0], q[1] - seed[1])
            if moved < least:
                best, least = q, moved
        return best

    def with_limits(x: float, y: float, seed: tuple[float, float]) -> Array | None:
        pose = np.eye(4)
        pose[0, 3], pose[1, 3] = x, y
        found = robot.IK(pose)
        best, least = None, math.inf
        for q in found.Q:
            q1, q2 = math.remainder(q[0], math.tau), math.remainder(q[1], math.tau)
            if not (LIMITS[0].lower <= q1 <= LIMITS[0].upper):
                continue
            if not (LIMITS[1].lower <= q2 <= LIMITS[1].upper):
                continue
            moved = math.hypot(q1 - seed[0], q2 - seed[1])
            if moved < least:
                best, least = np.array((q1, q2)), moved
        return best

    return {
        BARE: lambda x, y, seed: robot.IK(ready),
        SAME: same_job,
        "  ... within one turn and the limits": with_limits,
    }


def toolbox() -> dict[str, Solver]:
    """Return Robotics Toolbox's compiled Levenberg-Marquardt solver on the same chain."""
    try:
        import roboticstoolbox as rtb
    except ImportError:
        return {}
    chain = rtb.DHRobot([rtb.RevoluteDH(a=L1), rtb.RevoluteDH(a=L2)]).ets()
    mask = np.array((1.0, 1.0, 0.0, 0.0, 0.0, 0.0))

    def run(x: float, y: float, seed: tuple[float, float]) -> Any:
        pose = np.eye(4)
        pose[0, 3], pose[1, 3] = x, y
        return chain.ik_LM(pose, q0=np.array(seed), mask=mask)[0]

    return {"Robotics Toolbox ik_LM": run}


def ikpy_chain() -> dict[str, Solver]:
    """Return ikpy's solver on the same chain."""
    try:
        from ikpy.chain import Chain
        from ikpy.link import URDFLink
    except ImportError:
        return {}
    links = [
        URDFLink(name, origin_translation=[offset, 0, 0], origin_orientation=[0, 0, 0], **kind)
        for name, offset, kind in (
            ("joint1", 0.0, {"rotation": [0, 0, 1]}),
            ("joint2", L1, {"rotation": [0, 0, 1]}),
            ("tip", L2, {"joint_type": "fixed", "rotation": None}),
        )
    ]
    chain = Chain(links, active_links_mask=[True, True, False])

    def run(x: float, y: float, seed: tuple[float, float]) -> Any:
        return chain.inverse_kinematics([x, y, 0.0], initial_position=[*seed, 0.0])[:2]

    return {"ikpy": run}


def questions(n: int) -> list[tuple[float, float, tuple[float, float]]]:
    """Reachable targets, each with a seed near one of its answers."""
    rng = np.random.default_rng(0)
    poses = np.stack((rng.uniform(-2.0, 2.0, n), rng.uniform(0.4, 2.4, n)), axis=-1)
    seeds = poses + rng.normal(scale=0.1, size=(n, 2))
    return [
        (x, y, (q1, q2))
        for (x, y), (q1, q2) in zip(ARM.forward(poses).tolist(), seeds.tolist(), strict=True)
    ]


def errors(solver: Solver, asked: list[tuple[float, float, tuple[float, float]]]) -> float:
    """Largest distance of a tip from its target [m]."""
    return max(
        math.dist(ARM.forward(np.asarray(solver(x, y, seed))), (x, y)) for x, y, seed in asked
    )


def main() -> None:
    """Time every solver and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=15)
    args = parser.parse_args()
    solvers = {**ours(), **eaik(), **toolbox(), **ikpy_chain()}
    asked = questions(args.calls)
    times = dict.fromkeys(solvers, math.inf)
    for _ in range(args.repeats):
        for name, solver in solvers.items():
            few = asked[: 5 if times[name] < math.inf and times[name] > 1e-3 else None]
            start = time.process_time()
            for x, y, seed in few:
                solver(x, y, seed)
            times[name] = min(times[name], (time.process_time() - start) / len(few))
    base = next(iter(times))
    print(f"{args.calls} targets, fastest of {args.repeats}; ours took {base}")
    print(f"{'':50} {'us a call':>10} {'ours / it':>10} {'tip off by':>11}")
    for name, seconds in times.items():
        off = "" if name == BARE else f"{errors(solvers[name], asked[:50]):.0e} m"
        print(f"{name:50} {1e6 * seconds:10.2f} {times[base] / seconds:10.3f} {off:>11}")


if __name__ == "__main__":
    main()
