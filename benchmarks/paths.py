"""Whole paths beside a compiled bare IK loop, a plain Python loop, and a numeric IK per waypoint.

Run with ``python benchmarks/paths.py``; the compiled loop needs numba, the numeric IK Robotics
Toolbox (extra ``[bench]``). Repeats are interleaved and the fastest of each counts; slow methods
get fewer waypoints. Times depend on the machine, so only the ratios mean anything.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik import JointLimits, PlanarArm, plan_path, solve

Array = NDArray[np.float64]
Method = Callable[[Array], object]

ARM = PlanarArm(
    0.5, 0.4, JointLimits(-2.967, 2.967, 2.0, 8.0), JointLimits(-2.618, 2.618, 2.0, 8.0)
)


def wandering_path(n: int) -> Array:
    """A smooth path of n waypoints that crosses much of the ring, always on reachable ground."""
    t = np.linspace(0.0, 40.0 * math.pi, n)
    radius, bearing = 0.6 + 0.15 * np.sin(0.37 * t), 1.2 * np.sin(0.11 * t)
    return np.stack((radius * np.cos(bearing), radius * np.sin(bearing)), axis=1)


def bare_loop() -> Method | None:
    """The textbook formula for both branches, compiled, without any check."""
    try:
        import numba
    except ImportError:
        print("numba is missing; pip install 'planar_arm_ik[bench]'")
        return None

    def both(points: Array, l1: float, l2: float, out: Array) -> None:
        for i in range(len(points)):
            x, y = points[i, 0], points[i, 1]
            c = (x * x + y * y - l1 * l1 - l2 * l2) / (2.0 * l1 * l2)
            s = math.sqrt(1.0 - c * c)
            q2 = math.atan2(s, c)
            bearing, offset = math.atan2(y, x), math.atan2(l2 * s, l1 + l2 * c)
            out[i, 0], out[i, 1] = bearing - offset, q2
            out[i, 2], out[i, 3] = bearing + offset, -q2

    compiled = numba.njit(both)
    room = np.empty((1_000_000, 4))
    compiled(wandering_path(10), ARM.l1, ARM.l2, room)
    return lambda points: compiled(points, ARM.l1, ARM.l2, room)


def python_loop(points: Array) -> None:
    """`solve` for every waypoint, seeded by the last."""
    seed = None
    for point in points:
        seed = solve(ARM, point, seed).q


def numeric_ik() -> Method | None:
    """Robotics Toolbox's compiled Levenberg-Marquardt for every waypoint, seeded by the last."""
    try:
        import roboticstoolbox as rtb
        from spatialmath import SE3
    except ImportError:
        print("Robotics Toolbox is missing; pip install 'planar_arm_ik[bench]'")
        return None
    robot = rtb.DHRobot([rtb.RevoluteDH(a=ARM.l1), rtb.RevoluteDH(a=ARM.l2)]).ets()

    def follow(points: Array) -> None:
        seed = solve(ARM, points[0]).q
        for x, y in points:
            seed = robot.ik_LM(SE3(x, y, 0.0), q0=seed, mask=[1, 1, 0, 0, 0, 0])[0]

    return follow


def greedy(points: Array) -> None:
    """Plan with the default options."""
    plan_path(ARM, points)


def kept(points: Array) -> None:
    """Plan looking at the whole path, on one branch."""
    plan_path(ARM, points, search="global")


def main() -> None:
    """Time every method and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waypoints", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=7)
    args = parser.parse_args()
    n = args.waypoints
    methods: dict[str, tuple[Method | None, int]] = {
        "compiled bare IK loop, no checks": (bare_loop(), n),
        "plan_path greedy, report included": (greedy, n),
        "plan_path greedy, a tenth of it": (greedy, n // 10),
        "plan_path global, branch kept": (kept, n),
        "plan_path global, a tenth of it": (kept, n // 10),
        "plan_path global, branch free": (
            lambda p: plan_path(ARM, p, search="global", allow_branch_switch=True),
            n,
        ),
        "plan_path greedy along lines, 1 mm": (
            lambda p: plan_path(ARM, p, line_tolerance=1e-3),
            n // 10,
        ),
        "Python loop over solve": (python_loop, 2_000),
        "Robotics Toolbox ik_LM in a loop": (numeric_ik(), 500),
    }
    paths = {size: wandering_path(size) for _, size in methods.values()}
    best = dict.fromkeys(methods, math.inf)
    for _ in range(args.repeats):
        for name, (method, size) in methods.items():
            if method is not None:
                begin = time.perf_counter()
                method(paths[size])
                best[name] = min(best[name], (time.perf_counter() - begin) / size)
    reference = best["compiled bare IK loop, no checks"]
    print(f"{'':38}{'waypoints':>10}{'ns each':>10}{'ratio':>8}")
    for name, (_, size) in methods.items():
        ratio = best[name] / reference
        print(f"{name:38}{size:10d}{1e9 * best[name]:10.0f}{ratio:8.2f}")
    for search, whole in (("greedy", "report included"), ("global", "branch kept")):
        tenth = best[f"plan_path {search}, a tenth of it"]
        growth = 10.0 * best[f"plan_path {search}, {whole}"] / tenth
        print(f"time of {n} over {n // 10} waypoints, {search}: {growth:.1f}")


if __name__ == "__main__":
    main()
