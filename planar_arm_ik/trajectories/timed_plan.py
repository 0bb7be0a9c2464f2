"""The faster of a plan with rounded corners and the exact one, with its timing."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.paths.blend import blended
from planar_arm_ik.paths.plan import KeptCorner, PathPlan
from planar_arm_ik.paths.simplify import offset_from_segment
from planar_arm_ik.paths.spaces import JointSpace
from planar_arm_ik.trajectories.path_options import PathOptions
from planar_arm_ik.trajectories.timing import TimedPath, joint_limits, time_path

#: Parts of the tolerance that are tried until the controller's cubics keep the whole of it.
_PARTS = (1.0, 0.7, 0.4)
#: Where cubics are compared with the polyline, as fractions of each.
_PROBES = np.arange(20) / 20.0
#: Part of the tolerance that they may use, as they are looked at every millisecond only.
_USED = 0.98
#: Why the arm stops where no single corner is to blame.
_ELBOW = "a path that changes its elbow is not rounded"
_NONE = "no curve within the tolerance"
_SLOWER = "stopping here is not slower than any curve within the tolerance"
_BENDS = "the smooth curve of the joints would leave the path"


def timed_plan(
    arm: PlanarArm,
    exact: PathPlan,
    waypoints: Array,
    options: PathOptions,
    obstacles: Obstacles | None,
) -> tuple[PathPlan, TimedPath]:
    """Round the corners of a plan where that is faster, and time it.

    Args:
        arm: the arm.
        exact: the exact plan.
        waypoints: what it was planned for (x, y) [m], shape (N, 2).
        options: how to plan and time.
        obstacles: keep-out shapes.

    Raises:
        PlanarArmError: neither can be timed.
    """
    found = _rounded(arm, exact, waypoints, options, obstacles)
    if found is not None:
        at_least = _shortest(arm, exact, options)
        if found[1].trajectory.duration <= at_least:
            return _told(*found, _BENDS)
    timed = _timed(arm, exact, options)
    if options.blend_tolerance == 0.0:
        return exact, timed
    if found is None:
        return _told(exact, timed, _ELBOW if len(exact.jumps) else _NONE)
    if timed.trajectory.duration < found[1].trajectory.duration:
        return _told(exact, timed, _SLOWER)
    return _told(*found, _BENDS)


def _told(plan: PathPlan, path: TimedPath, why: str) -> tuple[PathPlan, TimedPath]:
    """Add a reason for every stop that has none yet."""
    corners = {corner.waypoint: corner for corner in plan.kept_corners}
    for waypoint in plan.waypoint_index[path.stop_rows].tolist():
        corners.setdefault(waypoint, KeptCorner(waypoint, why))
    return replace(plan, kept_corners=tuple(corners[key] for key in sorted(corners))), path


def _timed(arm: PlanarArm, plan: PathPlan, options: PathOptions) -> TimedPath:
    return time_path(
        arm,
        plan.q,
        corners=plan.corner_rows,
        corner_angle=options.corner_angle,
        line_tolerance=options.line_tolerance,
        slow_locally=plan.corners is not None,
        **options.timing,
    )


def _rounded(
    arm: PlanarArm,
    exact: PathPlan,
    waypoints: Array,
    options: PathOptions,
    obstacles: Obstacles | None,
) -> tuple[PathPlan, TimedPath] | None:
    """Find a rounded plan whose motion keeps the tolerance."""
    tolerance, lines = options.blend_tolerance, options.line_tolerance
    for part in _PARTS:
        plan = blended(arm, exact, waypoints, part * tolerance, lines, obstacles)
        if plan is exact:
            return None
        try:
            path = _timed(arm, plan, options)
        except PlanarArmError:  # the exact one says why
            return None
        allowed = _USED * tolerance
        if _farthest(arm, exact, waypoints, plan, path, lines is not None, allowed) <= allowed:
            return plan, path
    return None


def _farthest(
    arm: PlanarArm,
    exact: PathPlan,
    waypoints: Array,
    plan: PathPlan,
    path: TimedPath,
    on_lines: bool,
    allowed: float,
) -> float:
    """Largest distance of the controller's cubics from the polyline [m]."""
    trajectory = path.trajectory
    time = (trajectory.time[:-1, None] + np.diff(trajectory.time)[:, None] * _PROBES).ravel()
    q, _, _ = trajectory.states(time)
    corners, points, norm = exact.q, q, JointSpace(arm).norm
    if on_lines:
        corners, points = waypoints, arm.forward(q)
        norm = _length
    last = len(corners) - 2
    row = np.searchsorted(path.row_times, time, side="right") - 1
    segment = np.clip(plan.waypoint_index[row], 0, last)
    away = np.full(len(time), np.inf)
    for shift in (-2, -1, 0, 1, 2):
        near = np.clip(segment + shift, 0, last)
        rest = offset_from_segment(points, corners[near], corners[near + 1])
        away = np.minimum(away, norm(rest))
    doubtful = np.flatnonzero(away > allowed)
    for sample in doubtful.tolist():  # many short segments: all of them may be near
        rest = offset_from_segment(points[sample], corners[:-1], corners[1:])
        away[sample] = float(norm(rest).min())
    return float(away.max(initial=0.0))


def _length(offsets: Array) -> Array:
    length: Array = np.hypot(offsets[..., 0], offsets[..., 1])
    return length


def _shortest(arm: PlanarArm, plan: PathPlan, options: PathOptions) -> float:
    """Time no motion along the exact plan falls below, as it stops at every sharp corner [s]."""
    velocity = joint_limits(arm, "velocity", options.velocity_scaling)
    acceleration = joint_limits(arm, "acceleration", options.acceleration_scaling)
    steps = np.diff(plan.q, axis=0)
    moves = np.flatnonzero(np.abs(steps).max(axis=1) > 0.0)
    steps = steps[moves]
    cross = steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0]
    bend = np.abs(np.arctan2(cross, np.einsum("ij,ij->i", steps[:-1], steps[1:])))
    stops = (bend > options.corner_angle) & plan.corner_rows[moves[1:]]
    begins = np.concatenate(([0], np.flatnonzero(stops) + 1))
    way = np.add.reduceat(np.abs(steps), begins, axis=0) if len(steps) else np.zeros((0, 2))
    fast = way / velocity + velocity / acceleration
    least = np.where(way * acceleration > velocity**2, fast, 2.0 * np.sqrt(way / acceleration))
    total = float(least.max(axis=1).sum()) if len(way) else 0.0
    if options.tip_speed > 0.0:
        length = float(np.hypot(*np.diff(arm.forward(plan.q), axis=0).T).sum())
        total = max(total, length / options.tip_speed)
    return total if math.isfinite(total) else 0.0
