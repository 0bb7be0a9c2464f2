"""Timing of joint paths: how long it takes, how much slower than TOPP-RA the result is.

Run with ``python benchmarks/timing.py``. "unchecked" is what the controller's cubics reach when
TOPP-RA's result is sampled every 20 ms as it is; "checked" is what is sent. Times depend on the
machine; peaks and ratios do not.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik import JointLimits, PlanarArm, plan_path
from planar_arm_ik.paths.waypoints import example_arc
from planar_arm_ik.trajectories.cubic_check import peaks
from planar_arm_ik.trajectories.joint_curve import stretches
from planar_arm_ik.trajectories.timing import CORNER_ANGLE, TOLERANCE, joint_limits, time_path
from planar_arm_ik.trajectories.toppra_timing import fastest, library, spline_curve

Array = NDArray[np.float64]

ARM = PlanarArm(
    0.5, 0.4, JointLimits(-2.967, 2.967, 2.0, 8.0), JointLimits(-2.618, 2.618, 2.0, 8.0)
)
VELOCITY, ACCELERATION = joint_limits(ARM, "velocity"), joint_limits(ARM, "acceleration")


def waves(n: int, seed: int) -> Array:
    """A smooth random joint path of n rows."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 3.0, n)
    bends = rng.normal(0.0, 0.3, (3, 2))
    return np.array([0.3, 1.2]) + sum(
        np.outer(np.sin((k + 1) * t + k), bends[k]) for k in range(3)
    )


def unchecked_peak(q: Array) -> float:
    """Largest limit overrun of cubics through TOPP-RA's result every 20 ms."""
    worst = 0.0
    everywhere = np.ones(len(q), dtype=bool)
    for part in stretches(ARM, q, everywhere, spline_curve, CORNER_ANGLE, TOLERANCE, False):
        profile = fastest(ARM, part, VELOCITY, ACCELERATION, 0.0)
        if profile is None or part.straight:
            continue
        end = float(profile.times[-1])
        t = np.linspace(0.0, end, max(2, round(end / 0.02) + 1))
        u, speed = profile.at(profile.times, t)
        row, slope, _ = part.evaluate(u)
        speed[[0, -1]] = 0.0
        velocity, pull = peaks(t, row, slope * speed[:, None])
        worst = max(worst, float((velocity / VELOCITY).max()), float((pull / ACCELERATION).max()))
    return worst


def main() -> None:
    """Time some paths and print one table."""
    if library() is None:
        raise SystemExit("toppra is missing: pip install toppra")
    arc = plan_path(ARM, example_arc()).q
    cases = {"worked arc, 31 rows": arc, "3,000 rows": waves(3000, 0)}
    cases |= {f"random path {seed}, 40 rows": waves(40, seed) for seed in range(1, 9)}
    print(
        f"{'':26}{'ms':>7}{'duration':>10}{'of TOPP-RA':>12}{'simple':>8}"
        f"{'unchecked':>11}{'checked':>9}"
    )
    for name, q in cases.items():
        times = []
        for _ in range(7):
            begin = time.perf_counter()
            timed = time_path(ARM, q)
            times.append(time.perf_counter() - begin)
        trajectory = timed.trajectory
        velocity, pull = peaks(trajectory.time, trajectory.q, trajectory.qd)
        checked = max(float((velocity / VELOCITY).max()), float((pull / ACCELERATION).max()))
        simple = time_path(ARM, q, use_library=False).trajectory.duration / trajectory.duration
        print(
            f"{name:26}{1e3 * min(times):7.1f}{trajectory.duration:9.3f}s"
            f"{trajectory.duration / timed.fastest:12.3f}{simple:8.2f}"
            f"{unchecked_peak(q):11.3f}{checked:9.4f}"
        )


if __name__ == "__main__":
    main()
