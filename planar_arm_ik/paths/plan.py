"""What planning a path returns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.status import IkStatus


def _no_rows() -> Array:
    return np.empty((0, 2))


def _no_indices() -> NDArray[np.int64]:
    return np.empty(0, dtype=np.int64)


def _no_branches() -> NDArray[np.int8]:
    return np.empty(0, dtype=np.int8)


@dataclass(frozen=True)
class KeptCorner:
    """A corner that is not rounded.

    Args:
        waypoint: the waypoint at which it stands.
        reason: why the arm stops there.
    """

    waypoint: int
    reason: str


@dataclass(frozen=True, eq=False)
class PathPlan:
    """A joint path for a tip path, or the place where it fails.

    Args:
        status: OK or SINGULAR (usable), else why the whole path is refused.
        q: joint angles [rad], shape (M, 2); empty when refused. M = N, or more where lines were
            subdivided.
        branches: elbow branch per row of q, shape (M,).
        waypoint_index: last given waypoint at or before each row, shape (M,).
        failed_index: first waypoint that fails or that the line or motion to it does not reach,
            -1 when none does.
        fraction: part of the tip path's length before the failure, 0 to 1.
        largest_step: largest |dq| of one joint between neighbouring waypoints [rad]; the step
            that was refused when the status is JOINT_STEP or BRANCH_SWITCH.
        largest_step_index: waypoint at which that step ends, -1 without steps.
        largest_step_tip: length of that step at the tip [m].
        jumps: waypoints at which the elbow branch has changed, shape (K,).
        limit_margin: smallest distance to a joint limit [rad]; inf for unbounded joints.
        sigma_min: smallest smallest singular value of the Jacobian [m/rad].
        last_point: furthest good point (x, y) [m] of a refused path; None when none is.
        message: one sentence; empty when the status is OK.
        corners: rows at which the path may bend sharply, shape (M,); None: at every waypoint.
        kept_corners: corners that are not rounded although a blend was allowed, and why; of a
            timed path every place where it stops.
    """

    status: IkStatus
    q: Array = field(default_factory=_no_rows)
    branches: NDArray[np.int8] = field(default_factory=_no_branches)
    waypoint_index: NDArray[np.int64] = field(default_factory=_no_indices)
    failed_index: int = -1
    fraction: float = 1.0
    largest_step: float = 0.0
    largest_step_index: int = -1
    largest_step_tip: float = 0.0
    jumps: NDArray[np.int64] = field(default_factory=_no_indices)
    limit_margin: float = math.inf
    sigma_min: float = 0.0
    last_point: tuple[float, float] | None = None
    message: str = ""
    corners: NDArray[np.bool_] | None = None
    kept_corners: tuple[KeptCorner, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the whole path is usable."""
        return self.status >= 0

    @property
    def corner_rows(self) -> NDArray[np.bool_]:
        """Rows at which the path may bend sharply, shape (M,)."""
        if self.corners is not None:
            return self.corners
        index = self.waypoint_index
        return np.concatenate(([True], index[1:] != index[:-1]))
