"""From a joint path to a timed trajectory under joint speed and acceleration limits.

The path is cut into stretches at its corners (``joint_curve``), each is passed as fast as the
limits allow (``toppra_timing``; a trapezoid in arc length where the library is missing),
sampled, and slowed until what a controller makes of the samples holds the limits too
(``cubic_check``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.door import ARM, FLAG, FLAGS, NUMBER, NUMBERS, Kind, optional, takes
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.paths.plan import PathPlan
from planar_arm_ik.trajectories.assembly import Assembly
from planar_arm_ik.trajectories.joint_curve import mean_slope_curve, stretches
from planar_arm_ik.trajectories.toppra_timing import (
    MISSING,
    library,
    spline_curve,
)
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Default largest bend in joint space that is passed without a stop [rad].
CORNER_ANGLE = math.radians(10.0)

#: Default largest distance of the tip from the path on curves [m].
TOLERANCE = 1e-3

_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class TimedPath:
    """A joint path with its timing.

    Args:
        trajectory: positions and velocities, at rest at both ends, points at most 20 ms apart.
        row_times: time at which each row of the path is passed [s], shape (M,).
        fastest: duration before it was slowed for the controller's cubics [s].
        stops: how often the arm stops on the way.
        message: what to tell the user; empty when there is nothing.
        stop_rows: rows of the path at which it stops on the way, shape (stops,).
    """

    trajectory: Trajectory
    row_times: Array
    fastest: float
    stops: int
    message: str
    stop_rows: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))


@takes(
    arm=ARM,
    q=Kind(
        "a PathPlan, or numbers of shape (M, 2)",
        lambda q: isinstance(q, PathPlan) or NUMBERS.fits(q),
    ),
    tip_speed=NUMBER,
    velocity_scaling=NUMBER,
    acceleration_scaling=NUMBER,
    corners=optional(FLAGS),
    corner_angle=NUMBER,
    line_tolerance=optional(NUMBER),
    use_library=FLAG,
    slow_locally=FLAG,
)
def time_path(
    arm: PlanarArm,
    q: Array | PathPlan,
    *,
    tip_speed: float = 0.0,
    velocity_scaling: float = 1.0,
    acceleration_scaling: float = 1.0,
    corners: NDArray[np.bool_] | None = None,
    corner_angle: float = CORNER_ANGLE,
    line_tolerance: float | None = None,
    use_library: bool = True,
    slow_locally: bool = False,
) -> TimedPath:
    """Time a joint path from rest to rest.

    Args:
        arm: the arm; both joints need finite speed and acceleration limits.
        q: joint angles [rad], shape (M, 2), M > 0; repeated rows are merged. Or a plan that
            `plan_path` returned and that is usable.
        tip_speed: largest speed of the tip [m/s]; 0 for none.
        velocity_scaling: part of the joint speed limits to use, in (0, 1]; with toppra, or along
            straight joint moves, kept within 2 % where ramps take little of the time.
        acceleration_scaling: part of the joint acceleration limits to use, in (0, 1].
        corners: rows at which a bend counts as a corner, shape (M,); None for all. Rows that
            only subdivide a line are none.
        corner_angle: bend in joint space above which the arm stops [rad].
        line_tolerance: the tip moves on straight lines between rows and leaves them by no more
            than this [m]; None: straight joint moves, left by no more than 1 mm.
        use_library: False for the simple timing although toppra is there.
        slow_locally: where the controller's cubics pass a limit, slow down there alone before
            slowing the whole stretch.

    Returns:
        The timed path.

    Raises:
        PlanarArmError: a limit is missing, an argument is out of range, or the motion would take
            longer than :data:`planar_arm_ik.trajectories.assembly.LONGEST`.
    """
    if isinstance(q, PathPlan):
        q = _rows_of(q)
    velocity = joint_limits(arm, "velocity", velocity_scaling)
    acceleration = joint_limits(arm, "acceleration", acceleration_scaling)
    if not 0.0 <= tip_speed < math.inf:
        raise PlanarArmError(f"tip_speed {tip_speed} m/s must be finite and not negative")
    if not 0.0 < corner_angle <= math.pi:
        raise PlanarArmError(f"corner_angle {corner_angle} rad must be in (0, pi]")
    if corners is not None and np.shape(corners) != np.shape(q)[:1]:
        raise PlanarArmError(
            f"corners of shape {np.shape(corners)} must have a flag for each of the "
            f"{len(np.atleast_1d(q))} rows of q"
        )
    rows, kept = _without_repeats(np.asarray(q, dtype=np.float64))
    if len(rows) == 1:
        still = Trajectory(np.zeros(1), rows, np.zeros((1, 2)))
        return TimedPath(still, np.zeros(len(kept)), 0.0, 0, "")
    with_library = use_library and library() is not None
    parts = stretches(
        arm,
        rows,
        _may_bend(kept, corners),
        spline_curve if with_library else mean_slope_curve,
        corner_angle,
        TOLERANCE if line_tolerance is None else line_tolerance,
        line_tolerance is not None,
    )
    timed = Assembly(arm, velocity, acceleration, tip_speed, slow_locally)
    for part in parts:
        timed.add(part, with_library)
    cuts = np.cumsum([len(part.rows) - 1 for part in parts])[:-1]
    return TimedPath(
        timed.trajectory(),
        np.concatenate(timed.rows)[kept],
        timed.fastest,
        len(parts) - 1,
        "" if with_library else MISSING,
        np.searchsorted(kept, cuts).astype(np.int64),
    )


def joint_limits(arm: PlanarArm, kind: str, scaling: float = 1.0) -> Array:
    """Limits of both joints, scaled, shape (2,).

    Args:
        arm: the arm.
        kind: velocity or acceleration.
        scaling: part of the limits to use, in (0, 1].

    Raises:
        PlanarArmError: a limit is missing, or the scaling is out of range.
    """
    if not 0.0 < scaling <= 1.0:
        raise PlanarArmError(f"{kind}_scaling {scaling} must be in (0, 1]")
    limits = np.array([getattr(joint, kind) for joint in arm.joints])
    if not np.isfinite(limits).all():
        raise PlanarArmError(f"timing needs a finite {kind} limit for both joints, got {limits}")
    return limits * scaling


def _may_bend(kept: NDArray[np.intp], corners: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Kept rows at which a bend counts as a corner."""
    may_bend = np.full(int(kept[-1]) + 1, corners is None)
    if corners is not None:
        np.logical_or.at(may_bend, kept, np.asarray(corners, dtype=np.bool_))
    return may_bend


def _rows_of(plan: PathPlan) -> Array:
    """Joint angles of a usable plan."""
    if plan.status < 0:
        raise PlanarArmError(
            f"the plan was refused ({plan.status.name}: {plan.message}) and cannot be timed"
        )
    return plan.q


def _without_repeats(path: Array) -> tuple[Array, NDArray[np.intp]]:
    """Rows that differ from the one before, and for each given row the kept one it became."""
    if path.ndim != 2 or path.shape[1] != 2 or len(path) == 0 or not np.isfinite(path).all():
        raise PlanarArmError(
            f"q: joint path of shape {path.shape} must be finite and (M, 2), M > 0"
        )
    keep = np.concatenate(([True], np.abs(np.diff(path, axis=0)).max(axis=1) > _SAME))
    return path[keep], np.cumsum(keep) - 1
