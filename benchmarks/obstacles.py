"""Cost of keep-out shapes: clearance of poses, checks of motions, beside dense sampling.

Run with ``python benchmarks/obstacles.py``. The motion check asks for about as many poses as it
must; sampling every millimetre is what it replaces. Only the ratios mean anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik import PlanarArm, plan_path
from planar_arm_ik.keep_out.collision import first_touch
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle, Polygon

Array = NDArray[np.float64]

ARM = PlanarArm(0.5, 0.4)
SHAPES = Obstacles(
    (
        Circle("post", 0.3, 0.2, 0.05),
        Polygon("box", ((-0.3, 0.1), (-0.1, 0.1), (-0.1, 0.2))),
        Polygon("far", ((-0.5, -0.3), (-0.4, -0.6), (-0.2, -0.35), (-0.3, -0.2))),
    ),
    0.02,
)


def sampled(begin: Array, dq: Array) -> NDArray[np.bool_]:
    """Touches found by sampling every millimetre of the tip's largest motion."""
    reach = ARM.l1 * np.abs(dq[:, 0]) + ARM.l2 * np.abs(dq.sum(axis=1))
    count = np.maximum(2, np.ceil(reach / 1e-3).astype(int))
    motion = np.repeat(np.arange(len(dq)), count)
    start = np.repeat(np.cumsum(count) - count, count)
    t = (np.arange(len(motion)) - start) / (count[motion] - 1)
    clearance = SHAPES.clearance(ARM, begin[motion] + t[:, None] * dq[motion])
    return np.asarray(np.logical_or.reduceat(clearance <= 0.0, np.cumsum(count) - count))


def fastest(method: Callable[[], object], repeats: int = 5) -> float:
    """Shortest time of a call [s]."""
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        method()
        best = min(best, time.perf_counter() - begin)
    return best


def report_motions(name: str, size: float) -> None:
    """Print one row: motions of a size [rad], by the bound and by sampling."""
    rng = np.random.default_rng(0)
    begin, dq = rng.uniform(-np.pi, np.pi, (2000, 2)), rng.normal(0.0, size, (2000, 2))
    bound = fastest(lambda: first_touch(ARM, SHAPES, begin, begin + dq)) / 2000
    dense = fastest(lambda: sampled(begin, dq), 1) / 2000
    touching = np.isfinite(first_touch(ARM, SHAPES, begin, begin + dq)).mean()
    print(
        f"{name:24}{1e6 * bound:12.2f}{1e6 * dense:14.2f}{dense / bound:8.1f}"
        f"{100.0 * touching:9.0f}%"
    )


def report_path(search: str) -> None:
    """Print what shapes cost a path of 10,000 waypoints."""
    bearing = np.linspace(-0.6, 0.0, 10_000)
    path = 0.75 * np.stack((np.cos(bearing), np.sin(bearing)), axis=1)
    free = fastest(lambda: plan_path(ARM, path, search=search), 3)
    kept = fastest(lambda: plan_path(ARM, path, search=search, obstacles=SHAPES), 3)
    print(f"10,000 waypoints, {search}: {1e2 * free:.2f} us each, with shapes {1e2 * kept:.2f} us")


def main() -> None:
    """Time poses, motions and paths, and print one table."""
    poses = np.random.default_rng(0).uniform(-np.pi, np.pi, (100_000, 2))
    clearance = fastest(lambda: SHAPES.clearance(ARM, poses)) / len(poses)
    print(f"clearance of a pose, 3 shapes: {1e6 * clearance:.2f} us")
    print(f"{'motions':24}{'bound [us]':>12}{'sampled [us]':>14}{'ratio':>8}{'touching':>10}")
    for name, size in (("small, 0.05 rad", 0.05), ("medium, 0.3 rad", 0.3), ("large", 1.5)):
        report_motions(name, size)
    for search in ("greedy", "global"):
        report_path(search)


if __name__ == "__main__":
    main()
