"""Stands in for ros2_control: the topic-based system and a trajectory controller's hold.

As in their sources: states are taken best-effort, commands published reliably with depth 1; before
the first finite state commands are NaN; a controller activated then holds the state it found, and
goes to a one-point trajectory. Commands are sent at every cycle (threshold -1).
"""

from __future__ import annotations

import math
import time
from typing import Any

from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

_PERIOD = 0.01
_STATES = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
_COMMANDS = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE)


class TopicSystem:
    """Command and state interfaces of two joints, over topics."""

    def __init__(self, node: Any, names: tuple[str, str] = ("joint1", "joint2")) -> None:
        self.names = names
        self.state = [math.nan, math.nan]
        self.hold = [math.nan, math.nan]
        self.states: list[JointState] = []
        self.trajectories: list[JointTrajectory] = []
        self.sent = 0
        self._last = 0.0
        self.publisher = node.create_publisher(
            JointState, "servo_driver/joint_commands", _COMMANDS
        )
        node.create_subscription(JointState, "servo_driver/joint_states", self._on_state, _STATES)
        node.create_subscription(JointTrajectory, "joint_trajectory", self._on_trajectory, 10)

    def _on_state(self, message: JointState) -> None:
        self.states.append(message)
        # Indexed by name: a short array would throw inside the real one.
        for k, name in enumerate(self.names):
            self.state[k] = message.position[message.name.index(name)]
            assert not message.velocity or math.isfinite(message.velocity[k])

    def _on_trajectory(self, message: JointTrajectory) -> None:
        self.trajectories.append(message)
        point = message.points[-1]
        for k, name in enumerate(self.names):
            self.hold[k] = point.positions[message.joint_names.index(name)]

    def activate(self) -> None:
        """A controller takes the state it finds as its hold."""
        self.hold = list(self.state)

    def turn(self) -> bool:
        """Publish when a period is over; false, so that it can stand in a waiting condition."""
        now = time.monotonic()
        if now - self._last >= _PERIOD:
            self._last = now
            self.sent += 1
            self.publisher.publish(JointState(name=list(self.names), position=list(self.hold)))
        return False
