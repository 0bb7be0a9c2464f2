"""From a joint path to a timed trajectory under joint speed and acceleration limits.

The path is cut into stretches at its corners (``joint_curve``), each is passed as fast as the
limits allow (``toppra_timing``; a trapezoid in arc length where the library is missing),
sampled, and slowed until what a controller makes of the samples holds the limits too
(``cubic_check``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.trajectories.cubic_check import stretch_factor
from planar_arm_ik.trajectories.joint_curve import Stretch, mean_slope_curve, stretches
from planar_arm_ik.trajectories.profile import Profile, trapezoid
from planar_arm_ik.trajectories.sample_times import NEAR, SHORTEST, SPACING
from planar_arm_ik.trajectories.toppra_timing import (
    MISSING,
    fastest,
    library,
    speed_bound,
    spline_curve,
)
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Default largest bend in joint space that is passed without a stop [rad].
CORNER_ANGLE = math.radians(10.0)

#: Default largest distance of the tip from the path on curves [m].
TOLERANCE = 1e-3

#: Longest motion [s]: a slower one is a unit or a zero gone astray, and would not fit a message.
LONGEST = 3600.0

_SAMPLES_PER_PIECE = 8
_PROBES = np.array((0.0, 0.25, 0.5, 0.75))
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
    """

    trajectory: Trajectory
    row_times: Array
    fastest: float
    stops: int
    message: str


def time_path(
    arm: PlanarArm,
    q: Array,
    *,
    tip_speed: float = 0.0,
    velocity_scaling: float = 1.0,
    acceleration_scaling: float = 1.0,
    corners: NDArray[np.bool_] | None = None,
    corner_angle: float = CORNER_ANGLE,
    line_tolerance: float | None = None,
    use_library: bool = True,
) -> TimedPath:
    """Time a joint path from rest to rest.

    Args:
        arm: the arm; both joints need finite speed and acceleration limits.
        q: joint angles [rad], shape (M, 2), M > 0; repeated rows are merged.
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

    Returns:
        The timed path.

    Raises:
        PlanarArmError: a limit is missing, an argument is out of range, or the motion would take
            longer than :data:`LONGEST`.
    """
    velocity = joint_limits(arm, "velocity", velocity_scaling)
    acceleration = joint_limits(arm, "acceleration", acceleration_scaling)
    if not 0.0 <= tip_speed < math.inf:
        raise PlanarArmError(f"tip_speed {tip_speed} m/s must be finite and not negative")
    if not 0.0 < corner_angle <= math.pi:
        raise PlanarArmError(f"corner_angle {corner_angle} rad must be in (0, pi]")
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
    timed = _Assembly(arm, velocity, acceleration, tip_speed)
    for part in parts:
        timed.add(part, with_library)
    simple = "" if with_library else MISSING
    return TimedPath(
        timed.trajectory(), np.concatenate(timed.rows)[kept], timed.fastest, len(parts) - 1, simple
    )


class _Assembly:
    """Stretches one after the other, each slowed for the controller's cubics."""

    def __init__(
        self, arm: PlanarArm, velocity: Array, acceleration: Array, tip_speed: float
    ) -> None:
        self._arm, self._velocity, self._acceleration = arm, velocity, acceleration
        self._tip_speed = tip_speed
        self._points: list[tuple[Array, Array, Array]] = []
        self._end = 0.0
        self.rows: list[Array] = []
        self.fastest = 0.0

    def add(self, part: Stretch, with_library: bool) -> None:
        """Time a stretch and append it."""
        profile = self._profile(part, with_library)
        self._refuse_if_long(profile.duration)
        time, q, qd = profile.points(part)
        slower = self._slower(time, q, qd)
        self._refuse_if_long(slower * profile.duration)
        while slower * float(np.diff(time).max()) > SPACING * (1.0 + 1e-9):
            time, q, qd = profile.points(part, 0.98 * SPACING / slower)
            slower = self._slower(time, q, qd)
        passed = self._end + slower * profile.time_of(part.knots)
        self.rows.append(passed[1:] if self.rows else passed)
        skip = 1 if self._points else 0
        self._points.append((self._end + slower * time[skip:], q[skip:], qd[skip:] / slower))
        self.fastest += float(time[-1])
        self._end += slower * float(time[-1])

    def _refuse_if_long(self, duration: float) -> None:
        if not self._end + duration <= LONGEST:
            raise PlanarArmError(
                f"the motion would take {self._end + duration:.3g} s or more; at most "
                f"{LONGEST:g} s: raise tip_speed or the scalings"
            )

    def _slower(self, time: Array, q: Array, qd: Array) -> float:
        """Factor by which the controller's cubics must be slowed; none shorter than SHORTEST."""
        slower = stretch_factor(time, q, qd, self._velocity, self._acceleration)
        slower = max(slower, SHORTEST / float(np.diff(time).min()))
        if self._tip_speed == 0.0:
            return slower
        between = (time[:-1, None] + np.diff(time)[:, None] * _PROBES).ravel()
        position, velocity, _ = Trajectory(time, q, qd).states(between)
        tip = np.einsum("nij,nj->ni", self._arm.jacobian(position), velocity)
        return max(slower, float(np.hypot(*tip.T).max()) / self._tip_speed)

    def _profile(self, part: Stretch, with_library: bool) -> Profile:
        u = np.linspace(0.0, part.length, _SAMPLES_PER_PIECE * (len(part.rows) - 1) + 1)
        q, slope, bend = part.evaluate(u)
        bound = speed_bound(self._arm, q, slope, self._velocity, self._tip_speed)
        self._refuse_if_long(part.length / max(float(bound.max()), 1e-300))
        if with_library and not (part.straight and self._tip_speed == 0.0):
            # A ramp between two trajectory points would be overshot (see trapezoid).
            pull = np.minimum(self._acceleration, float(bound.max()) / NEAR)
            found = fastest(self._arm, part, self._velocity, pull, self._tip_speed)
            if found is not None:
                return found
        share = 1.0 if part.straight else 0.5  # of the acceleration, for speeding up
        speed = float(bound.min())
        if not part.straight:
            speed = min(speed, math.sqrt(_ratio(share * self._acceleration, np.abs(bend))))
        return trapezoid(part, speed, _ratio(share * self._acceleration, np.abs(slope)))

    def trajectory(self) -> Trajectory:
        """Return all of it."""
        time, q, qd = (np.concatenate(arrays) for arrays in zip(*self._points, strict=True))
        return Trajectory(time, q, qd)


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


def _ratio(limit: Array, demand: Array) -> float:
    """Return the smallest limit / demand over all samples and joints; large without demand."""
    return float((limit / np.maximum(demand, 1e-12)).min())


def _may_bend(kept: NDArray[np.intp], corners: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Kept rows at which a bend counts as a corner."""
    may_bend = np.full(int(kept[-1]) + 1, corners is None)
    if corners is not None:
        np.logical_or.at(may_bend, kept, np.asarray(corners, dtype=np.bool_))
    return may_bend


def _without_repeats(path: Array) -> tuple[Array, NDArray[np.intp]]:
    """Rows that differ from the one before, and for each given row the kept one it became."""
    if path.ndim != 2 or path.shape[1] != 2 or len(path) == 0 or not np.isfinite(path).all():
        raise PlanarArmError(f"joint path of shape {path.shape} must be finite and (M, 2), M > 0")
    keep = np.concatenate(([True], np.abs(np.diff(path, axis=0)).max(axis=1) > _SAME))
    return path[keep], np.cumsum(keep) - 1
