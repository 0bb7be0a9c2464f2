"""Rounded corners: how much faster, how far from the polyline, how long it takes to plan.

Run with ``python benchmarks/blends.py [random paths]``. Distances are those of the tip every
millisecond of the cubics that a controller runs; "planning" is processor time, a ratio to exact.
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik import JointLimits, PlanarArm
from planar_arm_ik.keep_out.collision import first_touch
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle, Polygon
from planar_arm_ik.paths.simplify import offset_from_segment
from planar_arm_ik.trajectories.cubic_check import peaks
from planar_arm_ik.trajectories.motion import PathMotion, PathOptions, prepare

Array = NDArray[np.float64]

ARM = PlanarArm(
    0.5, 0.4, JointLimits(-2.967, 2.967, 2.0, 8.0), JointLimits(-2.618, 2.618, 2.0, 8.0)
)
SHAPES = Obstacles(
    (Circle("post", 0.3, 0.2, 0.05), Polygon("box", ((-0.3, 0.1), (-0.1, 0.1), (-0.1, 0.2)))),
    0.02,
)
TOLERANCE = 0.5e-3


def circle(count: int) -> Array:
    """A circle of radius 0.05 m as a polygon."""
    a = np.linspace(0.0, 2.0 * np.pi, count + 1)
    return np.array((0.5, 0.1)) + 0.05 * np.stack((np.cos(a), np.sin(a)), axis=1)


def square(side: float) -> Array:
    """A square from corner to corner."""
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)])
    return np.array((0.5, 0.1)) + side * corners


def walk(seed: int, count: int) -> Array:
    """A random polyline with bends of some 30 degrees."""
    rng = np.random.default_rng(seed)
    heading = np.cumsum(rng.normal(0.0, 0.5, count))
    steps = 0.012 * np.stack((np.cos(heading), np.sin(heading)), axis=1)
    points: Array = np.cumsum(steps, axis=0)
    return points - points.mean(axis=0) + np.array((0.5, 0.2))


def planned(points: Array, tolerance: float) -> tuple[PathMotion, float]:
    """Motion and the least processor time of three runs [s]."""
    least = np.inf
    for _ in range(3):
        begin = time.process_time()
        motion = prepare(ARM, points, None, PathOptions(blend_tolerance=tolerance))
        least = min(least, time.process_time() - begin)
    return motion, least


def farthest(motion: PathMotion, points: Array) -> float:
    """Largest distance of the tip from the polyline [m]."""
    q, _, _ = motion.trajectory.states(np.arange(0.0, motion.trajectory.duration, 1e-3))
    tips = ARM.forward(q)
    away = [np.hypot(*offset_from_segment(tips, *pair).T) for pair in pairwise(points)]
    return float(np.min(away, axis=0).max())


def over_limits(motion: PathMotion) -> float:
    """Largest speed or acceleration as a multiple of its limit."""
    trajectory = motion.trajectory
    speed, pull = peaks(trajectory.time, trajectory.q, trajectory.qd)
    return max(float(speed.max()) / 2.0, float(pull.max()) / 8.0)


def sweep(count: int) -> None:
    """Random polylines of 2 to 50 points, some out of reach, every third beside shapes."""
    ratios, worst, over, accepted, touched = [], 0.0, 0.0, 0, 0
    stops = np.zeros(2, dtype=int)
    for seed in range(count):
        rng = np.random.default_rng(seed)
        n, step = int(rng.integers(2, 51)), float(rng.choice((0.003, 0.02, 0.06)))
        points = rng.uniform(-0.9, 0.9, 2) + np.cumsum(rng.normal(0.0, step, (n, 2)), axis=0)
        shapes = SHAPES if seed % 3 == 0 else None
        exact = prepare(ARM, points, None, PathOptions(blend_tolerance=0.0), shapes)
        found = prepare(ARM, points, None, PathOptions(blend_tolerance=TOLERANCE), shapes)
        if not exact.ok or found.trajectory is None:
            continue
        accepted += 1
        ratios.append(found.trajectory.duration / exact.trajectory.duration)
        stops += (exact.stops, found.stops)
        over = max(over, over_limits(found))
        if found.plan.corners is not None:
            worst = max(worst, farthest(found, points))
        if shapes is not None:
            q = found.trajectory.q
            touched += bool(np.isfinite(first_touch(ARM, shapes, q[:-1], q[1:])).any())
    print(
        f"{accepted} of {count} random polylines accepted: duration {min(ratios):.3f} to "
        f"{max(ratios):.3f} of exact, median {np.median(ratios):.3f}; stops {stops[0]} -> "
        f"{stops[1]}; at most {1e3 * worst:.3f} mm beside the polyline, {over:.4f} of the limits, "
        f"{touched} touch a shape"
    )


def main() -> None:
    """Plan each path both ways and print one table."""
    cases = {f"circle, {n} points": circle(n) for n in (12, 24, 36, 48, 72, 144)}
    cases |= {"square of 4 cm": square(0.04), "square of 1 cm": square(0.01)}
    cases |= {f"random, 50 points, {seed}": walk(seed, 50) for seed in range(3)}
    print("| path | exact | stops | rounded | stops | times faster | beside | limits | planning |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, points in cases.items():
        (exact, before), (found, after) = planned(points, 0.0), planned(points, TOLERANCE)
        was, now = exact.trajectory.duration, found.trajectory.duration
        print(
            f"| {name} | {was:.3f} s | {exact.stops} | {now:.3f} s | {found.stops} | "
            f"{was / now:.2f} | {1e3 * farthest(found, points):.3f} mm | "
            f"{over_limits(found):.4f} | {after / before:.2f} |"
        )
    sweep(int(sys.argv[1]) if len(sys.argv) > 1 else 50)


if __name__ == "__main__":
    main()
