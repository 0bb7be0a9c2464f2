"""What the arm and its follower publish, as the page draws it."""

from __future__ import annotations

from typing import Any

import numpy as np
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy, qos_profile_sensor_data
from sensor_msgs.msg import JointState

from planar_arm_ik.arm.joint_states import JointStateMerger, MeasuredState
from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.nodes.common.interfaces import FollowerState
from planar_arm_ik.nodes.common.paced_loop import PolledSubscription
from planar_arm_ik.scene.follower_texts import follower_text
from planar_arm_ik.viewer.robot import TwistReport

#: Enough for partial messages of two joints between two drawings.
_NEWEST = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
#: The follower's report is shown for so long after it came [s].
_REPORT_AGE = 0.5


class ArmListener:
    """Newest joint state and follower's report, taken once per drawing.

    An executor that wakes for each message costs more than drawing.

    Args:
        node: the node to listen through.
        description: joint names and limits.
        timeout: age from which joint_states are stale [s].
    """

    def __init__(self, node: Node, description: ArmDescription, timeout: float) -> None:
        self._timeout = timeout
        self._node = node
        self._joints = JointStateMerger(description.joint_names, description.arm.joints)
        self._joint_states = PolledSubscription(node, JointState, "joint_states", _NEWEST)
        self._states = PolledSubscription(
            node, FollowerState, "cartesian_follower/state", qos_profile_sensor_data
        )
        self._state: FollowerState | None = None
        self._state_received = -np.inf

    def listen(self, now: float) -> None:
        """Take what came since the last call; `now` is monotonic [s]."""
        for message in self._joint_states.take():
            problem = self._joints.update(message.name, message.position, message.velocity, now)
            if problem:
                self._node.get_logger().warning(problem, throttle_duration_sec=5.0)
        for message in self._states.take():
            self._state, self._state_received = message, now

    def fresh(self, now: float) -> MeasuredState | None:
        """The measured state, None when it is missing or stale."""
        state = self._joints.state
        return None if state is None or now - state.received > self._timeout else state

    def follower(self, now: float) -> tuple[TwistReport | None, bool | None]:
        """The follower's report and whether it is paused, None when it has been silent."""
        state = self._state
        if state is None or now - self._state_received >= _REPORT_AGE:
            return None, None
        return _twist_report(state), bool(state.paused)


def _twist_report(state: FollowerState) -> TwistReport:
    residual = _plane(state.residual)
    missing = float(np.hypot(*residual))
    text = follower_text(state.status, state.message, state.scale, missing, state.sigma_min)
    return TwistReport(
        _plane(state.commanded),
        _plane(state.achieved),
        residual,
        state.sigma_min,
        state.damping,
        state.scale,
        text,
    )


def _plane(vector: Any) -> Array:
    return np.array((vector.x, vector.y))
