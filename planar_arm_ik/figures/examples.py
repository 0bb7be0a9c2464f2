"""The worked examples behind the figures and the numbers of the documentation.

Each function computes one series with the public parts of the package; the figures draw it, the
tests compare it with reference values, and the documentation quotes it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.chains.expressions import evaluate
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.solver import solve
from planar_arm_ik.paths.planner import PathPlan, plan_path


def arc(radius: float, directions: Sequence[float] | Array) -> Array:
    """Points on a circle round the shoulder: radius [m], directions [rad] (N,) to [m] (N, 2)."""
    angles = np.asarray(directions, dtype=np.float64)
    return radius * np.stack((np.cos(angles), np.sin(angles)), axis=-1)


def arc_directions(half_width: float = 0.15, points: int = 31) -> Array:
    """Directions [rad] of the worked arc, shape (points,): 31 points, 0.01 rad apart."""
    steps = np.arange(points) - (points - 1) // 2
    return np.asarray(steps * (2.0 * half_width / (points - 1)), dtype=np.float64)


def follow(arm: PlanarArm, targets: Array, rule: str, start: Array | None = None) -> PathPlan:
    """Choose a branch for one target after the other and let the rule switch as it likes.

    Args:
        arm: the arm.
        targets: tip positions [m], shape (N, 2).
        rule: branch rule.
        start: joint angles before the first target [rad]; None for those of the smallest |q1|,
            so that different rules start alike.

    Raises:
        PlanarArmError: a target cannot be reached.
    """
    if start is None:
        start = solve(arm, targets[0], rule="min_shoulder").q
    plan = plan_path(arm, targets, start, rule, allow_branch_switch=True)
    if not plan.ok:
        raise PlanarArmError(f"the example cannot be followed by this arm: {plan.message}")
    return plan


def jump(arm: PlanarArm, radius: float, half_step: float, rule: str) -> tuple[float, Array]:
    """Joint step between two targets on either side of the x axis.

    Args:
        arm: the arm.
        radius: their distance from the shoulder [m].
        half_step: they lie at -half_step and +half_step [rad].
        rule: branch rule.

    Returns:
        Distance of the two targets [m], and |dq| of both joints [rad], shape (2,).
    """
    plan = follow(arm, arc(radius, (-half_step, half_step)), rule)
    return 2.0 * radius * math.sin(half_step), np.abs(plan.q[1] - plan.q[0])


def tip_path(
    arm: PlanarArm, law1: str = "cos(t)", law2: str = "sin(t)", times: Array | None = None
) -> tuple[Array, Array, Array]:
    """Tip path of joints that follow formulas of time.

    Args:
        arm: the arm.
        law1: q1(t) [rad] as a formula of t [s].
        law2: q2(t) [rad].
        times: [s], shape (N,); None for nine samples of one turn.

    Returns:
        Times [s] (N,), joint angles [rad] (N, 2), tip [m] (N, 2).

    Raises:
        PlanarArmError: a formula is malformed or not finite somewhere.
    """
    t = np.linspace(0.0, 2.0 * math.pi, 9) if times is None else times
    q = np.stack((evaluate(law1, t), evaluate(law2, t)), axis=-1)
    return t, q, arm.forward(q)
