"""The subscription to ``joint_states`` that nodes share."""

from __future__ import annotations

from collections.abc import Sequence

from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState

from planar_arm_ik.arm.joint_states import JointStateMerger, MeasuredState
from planar_arm_ik.arm.planar_arm import JointLimits
from planar_arm_ik.clocks import STEADY, Clock
from planar_arm_ik.nodes.common.clocks import steady_timer

#: Period of the heartbeat, and the gap from which the node itself was held up [s].
_BEAT, _HELD_UP = 0.05, 0.2


class MeasuredJoints:
    """Newest joint state of the arm, with its age by receipt on the monotonic clock.

    While the node's one thread is held up (a long plan, a busy machine) no message is taken. That
    time is the node's own and makes no state stale: a heartbeat notices it. Any thread may read:
    a state is replaced whole.
    """

    def __init__(
        self,
        node: Node,
        joint_names: tuple[str, str],
        steady: Clock = STEADY,
        limits: Sequence[JointLimits] = (),
    ) -> None:
        self._steady = steady
        self._node = node
        self._merger = JointStateMerger(joint_names, limits)
        self._latest: MeasuredState | None = None
        self._beat_at = self._resumed = self._steady.now()
        steady_timer(node, _BEAT, self._beat)
        node.create_subscription(
            JointState, "joint_states", self._on_message, qos_profile_sensor_data
        )

    def _on_message(self, message: JointState) -> None:
        problem = self._merger.update(
            message.name, message.position, message.velocity, self._steady.now()
        )
        self._latest = self._merger.state
        if problem:
            self._node.get_logger().warning(problem, throttle_duration_sec=5.0)

    @property
    def latest(self) -> MeasuredState | None:
        """The state however old it is, None before both joints have been heard of."""
        return self._latest

    def _beat(self) -> None:
        now = self._steady.now()
        if now - self._beat_at > _HELD_UP:
            self._resumed = now
        self._beat_at = now

    def age(self) -> float:
        """Age of the older joint's value [s]; inf before both have been heard of.

        Time in which the node was held up itself does not count.
        """
        return self._age(self._latest)

    def fresh(self, max_age: float) -> MeasuredState | None:
        """The state, unless it is missing or older than `max_age` [s]."""
        state = self._latest
        return state if self._age(state) <= max_age else None

    def _age(self, state: MeasuredState | None) -> float:
        if state is None:
            return float("inf")
        now = self._steady.now()
        listening = now if now - self._beat_at > _HELD_UP else self._resumed
        return now - max(state.received, listening)
