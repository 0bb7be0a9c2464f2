"""The subscription to ``joint_states`` that nodes share."""

from __future__ import annotations

import time

from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState

from planar_arm_ik.joint_states import JointStateMerger, MeasuredState


class MeasuredJoints:
    """Newest joint state of the arm, with its age by receipt on the monotonic clock."""

    def __init__(self, node: Node, joint_names: tuple[str, str]) -> None:
        self._node = node
        self._merger = JointStateMerger(joint_names)
        node.create_subscription(
            JointState, "joint_states", self._on_message, qos_profile_sensor_data
        )

    def _on_message(self, message: JointState) -> None:
        problem = self._merger.update(
            message.name, message.position, message.velocity, time.monotonic()
        )
        if problem:
            self._node.get_logger().warning(problem, throttle_duration_sec=5.0)

    @property
    def latest(self) -> MeasuredState | None:
        """The state however old it is, None before both joints have been heard of."""
        return self._merger.state

    def age(self) -> float:
        """Age of the older joint's value [s]; inf before both have been heard of."""
        state = self._merger.state
        return float("inf") if state is None else time.monotonic() - state.received

    def fresh(self, max_age: float) -> MeasuredState | None:
        """The state, unless it is missing or older than `max_age` [s]."""
        state = self._merger.state
        if state is None or time.monotonic() - state.received > max_age:
            return None
        return state
