"""Cost of one cycle of the follower against the bare closed-form damped step, in one run.

The bare step is J^T (J J^T + lambda^2 I)^-1 v in plain floats, without limits, singular values,
residual or report. Interleaved repeats, minimum of each.

    python benchmarks/follower_step.py
"""

from __future__ import annotations

import timeit
from collections.abc import Callable
from math import cos, pi, radians, sin

from planar_arm_ik import JointLimits, PlanarArm
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.cycle import cycle
from planar_arm_ik.following.desired import Elbow
from planar_arm_ik.following.differential import damped_step
from planar_arm_ik.following.follower import Follower, Memory
from planar_arm_ik.following.report import Sensed, Twist

JOINTS = (
    JointLimits(-radians(170.0), radians(170.0), 2.0, 8.0),
    JointLimits(-radians(150.0), radians(150.0), 2.0, 8.0),
)
ARM = PlanarArm(0.5, 0.4, *JOINTS)
EQUAL = PlanarArm(0.5, 0.5, JOINTS[0], JointLimits(velocity=2.0, acceleration=8.0))
NUMBER, REPEATS = 200, 400


def bare_damped_step(
    l1: float, l2: float, q1: float, q2: float, vx: float, vy: float, damping: float
) -> tuple[float, float]:
    """Damped least squares and nothing else."""
    s12, c12 = sin(q1 + q2), cos(q1 + q2)
    j12, j22 = -l2 * s12, l2 * c12
    j11, j21 = j12 - l1 * sin(q1), j22 + l1 * cos(q1)
    square = damping * damping
    a, b, d = j11 * j11 + j12 * j12 + square, j11 * j21 + j12 * j22, j21 * j21 + j22 * j22 + square
    det = a * d - b * b
    wx, wy = (d * vx - b * vy) / det, (a * vy - b * vx) / det
    return j11 * wx + j21 * wy, j12 * wx + j22 * wy


def followed(
    q: tuple[float, float],
    v: tuple[float, float],
    policy: str = "scale",
    warm: int = 20,
    arm: PlanarArm = ARM,
) -> Callable[[], object]:
    """Return a call of one cycle with its report, `warm` cycles after the start."""
    follower = Follower(FollowerConfig(arm, limit_policy=policy))
    sensed, memory = Sensed(0.01, Twist(*v), 0.0, q, 0.0), Memory()
    for _ in range(warm):
        memory = follower.step(memory, sensed).memory
    return lambda: follower.step(memory, sensed)


def main() -> None:
    """Measure and print the table."""
    config = FollowerConfig(ARM)
    elbow = Elbow.of(1, 1.0, config.model.joint2)
    calls: dict[str, Callable[[], object]] = {
        "bare damped step": lambda: bare_damped_step(0.5, 0.4, 0.3, 1.0, 0.1, 0.05, 0.05),
        "damped_step (public)": lambda: damped_step(ARM, (0.3, 1.0), (0.1, 0.05), 0.05),
        "cycle": lambda: cycle(
            config.model, (0.3, 1.0), (0.1, 0.1), elbow, (0.1, 0.05), 0.01, 0.01
        ),
        "step": followed((0.3, 1.0), (0.1, 0.05)),
        "step, project": followed((0.3, 1.0), (0.1, 0.05), "project"),
        "speeding up": followed((0.3, 1.0), (0.1, 0.05), warm=3),
        "speeding up, project": followed((0.3, 1.0), (0.1, 0.05), "project", 3),
        "out of stretch": followed((0.3, 0.0), (-0.05, -0.02), warm=3),
        "out of stretch, project": followed((0.3, 0.0), (-0.05, -0.02), "project", 3),
        "against the edge": followed((0.3, 0.1), (0.4, 0.1), warm=60),
        "out of the fold, equal": followed((0.3, pi), (0.05, 0.05), warm=3, arm=EQUAL),
        "at a position limit": followed((2.9, 1.0), (-0.2, -0.2), warm=60),
        "at one, project": followed((2.9, 1.0), (-0.2, -0.2), "project", 60),
    }
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(REPEATS):
        for name, call in calls.items():
            best[name] = min(best[name], timeit.timeit(call, number=NUMBER) / NUMBER)
    bare = best["bare damped step"]
    print(f"{'':<24}{'us':>8}{'times bare':>12}")
    for name, seconds in best.items():
        print(f"{name:<24}{1e6 * seconds:>8.2f}{seconds / bare:>12.1f}")


if __name__ == "__main__":
    main()
