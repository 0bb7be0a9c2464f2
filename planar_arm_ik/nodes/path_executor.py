"""Paths of the tip, planned whole, timed, and executed through ``joint_trajectory``."""

from __future__ import annotations

import dataclasses
import math
import time
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
from nav_msgs.msg import Path
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.task import Future
from std_msgs.msg import Bool
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.arm import Array
from planar_arm_ik.branches import Rule
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.description import declare_description
from planar_arm_ik.nodes.frames import FrameError, Frames
from planar_arm_ik.nodes.interfaces import ExecutePath
from planar_arm_ik.nodes.measured import MeasuredJoints
from planar_arm_ik.nodes.parameters import Parameters, parameter
from planar_arm_ik.nodes.runtime import ArmNode
from planar_arm_ik.nodes.trajectory_messages import to_message
from planar_arm_ik.path import PathPlan, plan_path
from planar_arm_ik.status import IkStatus
from planar_arm_ik.timing import slow_down, time_path
from planar_arm_ik.trajectory import Trajectory

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


@dataclasses.dataclass(frozen=True)
class PathExecutorConfig:
    """Parameters of the node."""

    branch_selection: str = parameter(
        "nearest", "rule that chooses the elbow", choices=[rule.value for rule in Rule]
    )
    state_timeout: float = parameter(
        0.5, "age from which joint_states are stale [s]", lower=0.05, upper=10.0
    )
    goal_tolerance: float = parameter(
        0.02, "largest joint error at the end [rad], 0 = not checked", lower=0.0, upper=1.0
    )
    goal_time: float = parameter(
        1.0, "time to reach the goal after the end [s]", lower=0.0, upper=60.0
    )


class _Motion:
    """One accepted path on its way."""

    def __init__(
        self, plan: PathPlan, trajectory: Trajectory, approach: float, future: Future
    ) -> None:
        self.plan = plan
        self.trajectory = trajectory
        self.approach = approach
        self.begin = time.monotonic()
        self.future = future
        self.stopping: IkStatus | None = None
        self.largest_error = 0.0

    def end(self, status: IkStatus, message: str) -> None:
        if not self.future.done():
            self.future.set_result((status, message))


class PathExecutor(ArmNode):
    """Action ``~/execute_path`` and topic ``~/path``; one path at a time."""

    def __init__(self, **options: Any) -> None:
        super().__init__("path_executor", **options)
        self._description = declare_description(self)
        self._arm = self._description.arm
        self._settings = Parameters(self, PathExecutorConfig)
        self._frames = Frames(self, self._description.base_frame)
        self._measured = MeasuredJoints(self, self._description.joint_names)
        self._motion: _Motion | None = None
        self._command = self.create_publisher(JointTrajectory, "joint_trajectory", 10)
        self._active = self.create_publisher(Bool, "~/active", LATCHED)
        self._plan = self.create_publisher(Path, "~/plan", LATCHED)
        self._active.publish(Bool(data=False))
        self.create_subscription(Path, "~/path", self._on_path, 10)
        self._server = ActionServer(
            self,
            ExecutePath,
            "~/execute_path",
            self._execute,
            cancel_callback=lambda _goal: CancelResponse.ACCEPT,
        )
        self._goal: ServerGoalHandle | None = None
        self.create_timer(0.02, self._watch)

    async def _execute(self, goal: ServerGoalHandle) -> ExecutePath.Result:
        result = ExecutePath.Result(failed_index=-1, largest_step_index=-1)
        try:
            motion = self._begin(goal.request, result)
        except _RefusalError as refusal:
            goal.abort()
            result.status.code, result.status.message = int(refusal.status), str(refusal)
            return result
        if motion is None:
            goal.succeed()
            return result
        self._goal = goal
        status, message = await motion.future
        if status is IkStatus.CANCELED and goal.is_cancel_requested:
            goal.canceled()
        elif status >= 0:
            goal.succeed()
        else:
            goal.abort()
        result.status.code, result.status.message = int(status), message
        result.max_tracking_error = motion.largest_error
        return result

    def _on_path(self, path: Path) -> None:
        goal = ExecutePath.Goal(path=path)
        result = ExecutePath.Result(failed_index=-1, largest_step_index=-1)
        try:
            motion = self._begin(goal, result)
        except _RefusalError as refusal:
            self.get_logger().error(f"path refused: {refusal.status.name}: {refusal}")
            return
        if motion is not None:
            motion.future.add_done_callback(
                lambda future: self.get_logger().info(
                    "path ended: {}: {}".format(*future.result())
                )
            )

    def _begin(self, goal: ExecutePath.Goal, result: ExecutePath.Result) -> _Motion | None:
        """Plan, time and send a path; None when it was only to be planned.

        Raises:
            _RefusalError: nothing was sent.
        """
        state = self._measured.fresh(self._settings.value.state_timeout)
        if state is None and not goal.plan_only:
            raise _RefusalError(
                IkStatus.NO_STATE, f"joint_states are {self._measured.age():.3g} s old"
            )
        waypoints = self._waypoints(goal.path)
        start = None if state is None else state.q
        plan = self._planned(goal, waypoints, start)
        result.failed_index, result.fraction = plan.failed_index, plan.fraction
        result.largest_joint_step = plan.largest_step
        result.largest_step_index = plan.largest_step_index
        if not plan.ok:
            raise _RefusalError(plan.status, plan.message)
        trajectory, approach = self._timed(goal, plan, start)
        result.trajectory = to_message(trajectory, self._description.joint_names)
        result.status.code, result.status.message = int(plan.status), plan.message
        self._plan.publish(goal.path)
        if goal.plan_only:
            return None
        if self._motion is not None:
            self._motion.end(IkStatus.PREEMPTED, "a new path came in")
        self._goal = None
        self._motion = _Motion(plan, trajectory, approach, Future(executor=self.executor))
        self._command.publish(result.trajectory)
        self._active.publish(Bool(data=True))
        return self._motion

    def _waypoints(self, path: Path) -> Array:
        points = np.empty((len(path.poses), 2))
        for index, stamped in enumerate(path.poses):
            position = stamped.pose.position
            given = np.array((position.x, position.y, position.z))
            frame = stamped.header.frame_id or path.header.frame_id
            try:
                points[index] = self._frames.point_in_base(frame, given)[:2]
            except FrameError as error:
                raise _RefusalError(IkStatus.FRAME, f"waypoint {index}: {error}") from None
        return points

    def _planned(self, goal: ExecutePath.Goal, waypoints: Array, start: Array | None) -> PathPlan:
        if goal.search not in ("", "greedy"):
            raise _RefusalError(IkStatus.INVALID_INPUT, f"search {goal.search!r} must be greedy")
        try:
            return plan_path(
                self._arm,
                waypoints,
                start,
                goal.rule or self._settings.value.branch_selection,
                goal.max_joint_step or math.inf,
                allow_branch_switch=goal.allow_branch_switch,
            )
        except PlanarArmError as error:
            raise _RefusalError(IkStatus.INVALID_INPUT, str(error)) from None

    def _timed(
        self, goal: ExecutePath.Goal, plan: PathPlan, start: Array | None
    ) -> tuple[Trajectory, float]:
        """The motion and the time its approach takes."""
        options = {
            "tip_speed": goal.tip_speed,
            "velocity_scaling": goal.velocity_scaling or 1.0,
            "acceleration_scaling": goal.acceleration_scaling or 1.0,
        }
        try:
            along = time_path(self._arm, plan.q, **options)
            if start is None:
                return along, 0.0
            approach = time_path(self._arm, np.vstack((start, plan.q[0])), **options)
        except PlanarArmError as error:
            raise _RefusalError(IkStatus.TIMING, str(error)) from None
        return approach.then(along), approach.duration

    def _watch(self) -> None:
        """Follow the motion under way: errors, cancel, end, feedback."""
        motion = self._motion
        if motion is None:
            return
        config = self._settings.value
        elapsed = time.monotonic() - motion.begin
        state = self._measured.fresh(config.state_timeout)
        if state is None:
            self._finish(IkStatus.NO_STATE, f"joint_states are {self._measured.age():.3g} s old")
            return
        wanted, _ = motion.trajectory.sample(elapsed)
        error = float(np.max(np.abs(state.q - wanted)))
        motion.largest_error = max(motion.largest_error, error)
        if motion.stopping is None and self._cancel_requested():
            motion.trajectory = slow_down(self._arm, motion.trajectory, elapsed)
            motion.begin, motion.stopping = time.monotonic(), IkStatus.CANCELED
            self._send(motion.trajectory)
            return
        if elapsed >= motion.trajectory.duration:
            self._at_end(motion, error, elapsed, config)
        elif self._goal is not None:
            self._goal.publish_feedback(self._feedback(motion, elapsed, state.q))

    def _at_end(
        self, motion: _Motion, error: float, elapsed: float, config: PathExecutorConfig
    ) -> None:
        tolerance = config.goal_tolerance
        if tolerance == 0.0 or error <= tolerance:
            status = motion.stopping or motion.plan.status
            self._finish(status, "stopped on the path" if status < 0 else motion.plan.message)
        elif elapsed > motion.trajectory.duration + config.goal_time:
            self._finish(
                IkStatus.GOAL_TOLERANCE,
                f"the arm ended {error:.4g} rad from the goal, tolerance {tolerance} rad",
            )

    def _cancel_requested(self) -> bool:
        return self._goal is not None and bool(self._goal.is_cancel_requested)

    def _feedback(self, motion: _Motion, elapsed: float, q: Array) -> Any:
        along = max(0.0, elapsed - motion.approach)
        total = motion.trajectory.duration - motion.approach
        fraction = along / total if total > 0.0 else 1.0
        x, y = map(float, self._arm.forward(q))
        return ExecutePath.Feedback(
            waypoint_index=int(fraction * (len(motion.plan.q) - 1)),
            fraction=fraction,
            time_remaining=motion.trajectory.duration - elapsed,
            tip=Point(x=x, y=y, z=0.0),
        )

    def _send(self, trajectory: Trajectory) -> None:
        message = to_message(trajectory, self._description.joint_names)
        message.header.stamp = Time()
        self._command.publish(message)

    def _finish(self, status: IkStatus, message: str) -> None:
        motion, self._motion, self._goal = self._motion, None, None
        self._active.publish(Bool(data=False))
        if motion is not None:
            motion.end(status, message)

    def stop(self) -> None:
        """Ramp down whatever moves."""
        motion = self._motion
        if motion is not None:
            elapsed = time.monotonic() - motion.begin
            if elapsed < motion.trajectory.duration:
                self._send(slow_down(self._arm, motion.trajectory, elapsed))
            self._finish(IkStatus.CANCELED, "the node is shutting down")


class _RefusalError(PlanarArmError):
    """A path that is not executed."""

    def __init__(self, status: IkStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
