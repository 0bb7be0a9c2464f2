"""Joint states, published from the bus thread as they are read."""

from __future__ import annotations

import threading

import numpy as np
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.common.trajectory_messages import to_message
from planar_arm_ik.servo.control.report import ArmReport, ArmState
from planar_arm_ik.trajectories.trajectory import Trajectory


class StateOutput:
    """Publishes ``joint_states``; a controller gets its own topic and, at enabling, a hold.

    Args:
        node: the servo driver.
        names: of the joints.
        period: of the bus [s].
        controlled: a controller sends joint commands and publishes ``joint_states`` itself.
    """

    def __init__(
        self, node: ArmNode, names: tuple[str, str], period: float, controlled: bool
    ) -> None:
        self._node, self._names, self._period = node, names, period
        topic = "~/joint_states" if controlled else "joint_states"
        self._states = node.create_publisher(JointState, topic, 10)
        self._hold: Publisher | None = None
        if controlled:
            self._hold = node.create_publisher(JointTrajectory, "joint_trajectory", 10)
        self._previous: tuple[float, tuple[float, ...]] | None = None
        self._was = ArmState.LIMP
        self._publishing = threading.Lock()

    def publish(self, report: ArmReport) -> None:
        """Publish from the bus thread, so that a state is never older than its reading."""
        with self._publishing:
            if self._was is not ArmState.ENABLED and report.state is ArmState.ENABLED:
                self._hold_here(report)
            self._was = report.state
            if not report.fresh or report.position is None:
                return
            now = self._node.steady.now()
            message = JointState(name=list(self._names))
            message.header.stamp = self._node.get_clock().now().to_msg()
            message.position = list(report.position)
            message.velocity = self._velocity(now, report.position)
            self._states.publish(message)

    def _velocity(self, now: float, position: tuple[float, ...]) -> list[float]:
        before, self._previous = self._previous, (now, position)
        if before is None or not 0.0 < now - before[0] < 1.0:
            return [0.0] * len(position)
        dt = now - before[0]
        return [(q - old) / dt for q, old in zip(position, before[1], strict=True)]

    def _hold_here(self, report: ArmReport) -> None:
        """Bring the hold of a trajectory controller to where the arm is."""
        if self._hold is not None and report.position is not None:
            here = Trajectory(np.array([self._period]), np.array([report.position]), None)
            self._hold.publish(to_message(here, self._names))
