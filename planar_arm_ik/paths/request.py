"""The request of a path: the arguments of planning, each checked, as one value."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.arm.ring import Ring
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.branches import Rule, metric_distance
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.paths.greedy import BatchDistance


@dataclass(frozen=True, eq=False)
class PathRequest:
    """Checked arguments of :func:`planar_arm_ik.plan_path`; see there."""

    arm: PlanarArm
    points: Array
    start: tuple[float, float] | None
    rule: Rule
    max_joint_step: float
    line_tolerance: float | None
    allow_branch_switch: bool
    distance: BatchDistance
    ring: Ring
    boundary_tolerance: float
    obstacles: Obstacles | None

    @property
    def reference(self) -> tuple[float, float]:
        """The start, or (0, 0) without one [rad]."""
        return self.start or (0.0, 0.0)


def batch_distance(metric: str, weights: tuple[float, float]) -> BatchDistance:
    """Squared joint distance of many motions; see :func:`branches.metric_distance`.

    Raises:
        PlanarArmError: the metric is unknown, or a weight is not finite and positive.
    """
    metric_distance(metric, weights)
    w1, w2 = float(weights[0]), float(weights[1])
    if metric == "l1":
        return lambda dq1, dq2: (np.abs(w1 * dq1) + np.abs(w2 * dq2)) ** 2
    if metric == "linf":
        return lambda dq1, dq2: np.maximum(np.abs(w1 * dq1), np.abs(w2 * dq2)) ** 2
    if (w1, w2) == (1.0, 1.0):
        return lambda dq1, dq2: dq1 * dq1 + dq2 * dq2
    return lambda dq1, dq2: (w1 * dq1) ** 2 + (w2 * dq2) ** 2


def start_angles(start: ArrayLike | None) -> tuple[float, float] | None:
    """Give the joint angles before the path [rad], None when there are none.

    Raises:
        PlanarArmError: they are not two.
    """
    if start is None:
        return None
    pair: Array = np.asarray(start, dtype=np.float64)
    if pair.shape != (2,):
        raise PlanarArmError(f"start {start!r} must be two joint angles")
    return float(pair[0]), float(pair[1])


def joint_step(value: float) -> float:
    """Give a largest joint step [rad].

    Raises:
        PlanarArmError: it is not positive.
    """
    if not value > 0.0:
        raise PlanarArmError(f"max_joint_step {value} rad must be greater than 0")
    return float(value)


def tolerance_of_lines(value: float | None) -> float | None:
    """Give a tolerance of straight lines [m], None when lines are not followed.

    Raises:
        PlanarArmError: it is not finite, or smaller than rounding.
    """
    if value is None:
        return None
    if not 1e-9 <= value < math.inf:
        raise PlanarArmError(f"line_tolerance {value} m must be finite and at least 1e-9")
    return float(value)


def tolerance_of_corners(value: float) -> float:
    """How far corners may be missed [m], checked.

    Raises:
        PlanarArmError: it is negative or not finite.
    """
    if not 0.0 <= value < math.inf:
        raise PlanarArmError(f"blend_tolerance {value} m must be finite and not negative")
    return float(value)
