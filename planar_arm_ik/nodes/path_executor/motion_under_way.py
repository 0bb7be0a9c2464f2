"""The motion under way: sent to whoever plays trajectories, watched, and ended."""

from __future__ import annotations

from typing import Any

from rclpy.action.server import ServerGoalHandle
from rclpy.task import Future
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.config import ArmDescription
from planar_arm_ik.nodes.common.measured import MeasuredJoints
from planar_arm_ik.nodes.common.parameters import Parameters
from planar_arm_ik.nodes.common.receivers import Receivers
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.common.trajectory_messages import to_message
from planar_arm_ik.nodes.path_executor.arbitration import Arbitration, canceled
from planar_arm_ik.nodes.path_executor.goals import NotBegunError, feedback
from planar_arm_ik.nodes.path_executor.parameters import PathExecutorConfig
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.execution import Execution
from planar_arm_ik.trajectories.motion import PathMotion
from planar_arm_ik.trajectories.trajectory import Trajectory


class MotionUnderWay:
    """At most one motion, from its first command to its end.

    Args:
        node: the path executor.
        description: the arm.
        settings: the node's parameters.
        measured: the arm's joints.
        arbitration: who may move the arm.

    Attributes:
        ended: future of the end of the motion under way, None when there is none.
        receivers: who plays what is sent.
    """

    def __init__(
        self,
        node: ArmNode,
        description: ArmDescription,
        settings: Parameters[PathExecutorConfig],
        measured: MeasuredJoints,
        arbitration: Arbitration,
    ) -> None:
        self._node, self._description = node, description
        self._settings, self._measured, self._arbitration = settings, measured, arbitration
        self._command = node.create_publisher(JointTrajectory, "joint_trajectory", 10)
        self.receivers = Receivers(self._command, node.steady)
        self._execution: Execution | None = None
        self._handle: ServerGoalHandle | None = None
        self.ended: Future | None = None

    async def run(
        self,
        motion: PathMotion,
        trajectory: Trajectory,
        handle: ServerGoalHandle | None,
        result: Any,
    ) -> tuple[IkStatus, str]:
        """Send a motion, wait for its end and fill in the result; return how it ended.

        Raises:
            NotBegunError: nobody receives trajectories.
        """
        if self.receivers.look() == 0:
            raise NotBegunError(
                IkStatus.CONTROLLER,
                "nobody receives joint_trajectory: is joint_trajectory_controller or "
                "servo_driver running?",
            )
        self._arbitration.begin()
        self._command.publish(result.trajectory)
        now = self._node.steady.now()
        execution = Execution(self._description.arm, motion, trajectory, now)
        self._execution, self._handle = execution, handle
        self.ended = Future(executor=self._node.executor)
        status, message = await self.ended
        result.fraction = execution.fraction
        result.max_tracking_error = execution.largest_error
        return status, message

    def watch(self) -> None:
        """Compare the arm with the plan, and see who wants the motion to end; called often."""
        listeners = self.receivers.look()
        execution, handle, ended = self._execution, self._handle, self.ended
        if execution is None or ended is None:
            return
        if self._arbitration.closed:
            self.stop(IkStatus.CANCELED, "the node is shutting down")
        elif canceled(handle):
            self.stop(IkStatus.CANCELED, "canceled: the arm stopped on the path")
        elif self._arbitration.follower_took_it():
            self.stop(IkStatus.PREEMPTED, "cartesian_follower takes the arm")
        state, now = self._measured.latest, self._node.steady.now()
        tolerances = self._settings.value.tolerances
        self._send(execution.step(now, tolerances, state, self._measured.age(), listeners))
        if execution.ended is not None:
            self._execution = self._handle = self.ended = None
            ended.set_result(execution.ended)
        elif handle is not None and state is not None:
            tip = self._description.arm.forward(state.q)
            handle.publish_feedback(feedback(execution.progress(now), tip))

    def stop(self, status: IkStatus, message: str) -> None:
        """Ramp the motion down along its path, if there is one that does not stop already."""
        if self._execution is not None:
            tolerances = self._settings.value.tolerances
            now = self._node.steady.now()
            self._send(self._execution.stop(now, tolerances, status, message))

    def _send(self, trajectory: Trajectory | None) -> None:
        if trajectory is not None:
            self._command.publish(to_message(trajectory, self._description.joint_names))
