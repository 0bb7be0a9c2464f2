"""From waypoints to a motion that can be executed: plan, approach, timing and checks together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.keep_out.collision import first_touch
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.paths.plan import PathPlan
from planar_arm_ik.paths.planner import plan_path
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.path_options import PathOptions
from planar_arm_ik.trajectories.slow_parts import SlowPart, slow_parts
from planar_arm_ik.trajectories.timed_plan import timed_plan
from planar_arm_ik.trajectories.timing import joint_limits, time_path
from planar_arm_ik.trajectories.trajectory import Trajectory

__all__ = ["PathMotion", "PathOptions", "prepare"]

_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class PathMotion:
    """A timed path from where the arm stands, or why there is none.

    Args:
        plan: the plan; its status tells whether there is a motion.
        trajectory: approach and path; None when refused or when there is nothing to do.
        approach: time the approach takes [s].
        row_times: time at which each row of the plan is passed [s], from the start, shape (M,).
        row_fractions: part of the tip path's length at each row, 0 to 1, shape (M,).
        stops: how often the arm stops at corners.
        slow_parts: where the tip does not keep the speed that was asked for.
    """

    plan: PathPlan
    trajectory: Trajectory | None = None
    approach: float = 0.0
    row_times: Array | None = None
    row_fractions: Array | None = None
    stops: int = 0
    slow_parts: tuple[SlowPart, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the path is usable."""
        return self.plan.ok

    def progress(self, elapsed: float) -> tuple[int, float]:
        """Waypoint the arm is moving to, and the part of the path behind it, 0 to 1."""
        if self.row_times is None or self.row_fractions is None:
            return 0, 1.0
        row = int(np.searchsorted(self.row_times, elapsed, side="right"))
        fraction = float(np.interp(elapsed, self.row_times, self.row_fractions))
        index = self.plan.waypoint_index
        if row >= len(index):
            return int(index[-1]), fraction
        inside_line = row > 0 and index[row] == index[row - 1]
        return int(index[row]) + int(inside_line), fraction


def prepare(
    arm: PlanarArm,
    waypoints: ArrayLike,
    start: Array | None,
    options: PathOptions,
    obstacles: Obstacles | None = None,
) -> PathMotion:
    """Plan and time a path.

    Args:
        arm: the arm, with finite speed and acceleration limits.
        waypoints: tip positions (x, y) in the base frame [m], shape (N, 2).
        start: measured joint angles [rad], shape (2,), from which the arm approaches the first
            waypoint by a straight joint move; None for the path alone.
        options: how to plan and time.
        obstacles: keep-out shapes.

    Raises:
        PlanarArmError: the rule or search is unknown, or waypoints are not of shape (N, 2).
    """
    plan = plan_path(
        arm,
        waypoints,
        start,
        options.rule,
        options.search,
        options.max_joint_step,
        options.line_tolerance,
        allow_branch_switch=options.allow_branch_switch,
        obstacles=obstacles,
    )
    if not plan.ok:
        return PathMotion(plan)
    if start is not None:
        far = np.abs(plan.q[0] - start)
        if far.max() > options.max_approach:
            return PathMotion(_too_far(plan, start, int(np.argmax(far)), options.max_approach))
    try:
        motion = _timed(arm, plan, waypoints, start, options, obstacles)
    except PlanarArmError as error:
        return PathMotion(_refused(plan, IkStatus.TIMING, str(error)))
    return _checked(arm, motion, obstacles)


def _timed(
    arm: PlanarArm,
    exact: PathPlan,
    waypoints: ArrayLike,
    start: Array | None,
    options: PathOptions,
    obstacles: Obstacles | None,
) -> PathMotion:
    joint_limits(arm, "velocity")
    points = np.asarray(waypoints, dtype=np.float64)
    plan, path = timed_plan(arm, exact, points, options, obstacles)
    trajectory, approach = path.trajectory, 0.0
    if start is not None and np.abs(plan.q[0] - start).max() > _SAME:
        way = time_path(arm, np.stack((start, plan.q[0])), **options.timing).trajectory
        trajectory, approach = way.then(trajectory), way.duration
    if path.message:
        plan = replace(plan, message="; ".join(filter(None, (plan.message, path.message))))
    return PathMotion(
        plan,
        trajectory if trajectory.duration > 0.0 else None,
        approach,
        path.row_times + approach,
        _length_fractions(arm.forward(plan.q)),
        path.stops,
        slow_parts(
            arm,
            path.trajectory,
            options.tip_speed,
            joint_limits(arm, "velocity", options.velocity_scaling),
            joint_limits(arm, "acceleration", options.acceleration_scaling),
        ),
    )


def _length_fractions(tips: Array) -> Array:
    lengths = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(tips, axis=0).T))))
    total = float(lengths[-1])
    return lengths / total if total > 0.0 else np.ones(len(lengths))


def _checked(arm: PlanarArm, motion: PathMotion, obstacles: Obstacles | None) -> PathMotion:
    """Refuse a motion whose approach or curve touches a keep-out shape."""
    trajectory = motion.trajectory
    if obstacles is None or trajectory is None:
        return motion
    touch = first_touch(arm, obstacles, trajectory.q[:-1], trajectory.q[1:])
    if not np.isfinite(touch).any():
        return motion
    row = int(np.argmax(np.isfinite(touch)))
    name, link, _ = obstacles.nearest(arm, trajectory.q[row : row + 2])
    index, fraction = motion.progress(float(trajectory.time[row]))
    way = "the approach" if trajectory.time[row] < motion.approach else "the way there"
    text = f"waypoint {index}: link {link} touches the keep-out shape {name!r} on {way}"
    return PathMotion(_refused(motion.plan, IkStatus.COLLISION, text, index, fraction))


def _too_far(plan: PathPlan, start: Array, joint: int, limit: float) -> PathPlan:
    text = (
        f"the path starts at joint{joint + 1} = {plan.q[0, joint]:.6g} rad, the arm is at "
        f"{start[joint]:.6g} rad: farther apart than max_approach {limit:.6g} rad"
    )
    return _refused(plan, IkStatus.JOINT_STEP, text, 0)


def _refused(
    plan: PathPlan, status: IkStatus, message: str, index: int = -1, fraction: float = 0.0
) -> PathPlan:
    return PathPlan(
        status,
        failed_index=index,
        fraction=fraction,
        largest_step=plan.largest_step,
        largest_step_index=plan.largest_step_index,
        message=message,
    )
