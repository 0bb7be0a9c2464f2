"""``/diagnostics`` of ``cartesian_follower``, and one line for each silent fault it can see."""

from __future__ import annotations

from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node

from planar_arm_ik.nodes.common.paced_loop import PacedLoop
from planar_arm_ik.status import FollowerState

_TWIST_TOPICS = {
    "~/twist": "geometry_msgs/msg/TwistStamped",
    "cmd_vel": "geometry_msgs/msg/Twist",
}
_QUIET = (FollowerState.PAUSED, FollowerState.PATH_ACTIVE, FollowerState.STALE_COMMAND)


class FollowerDiagnostics:
    """Publishes once a second from the executor's thread.

    Args:
        node: the follower.
        loop: its loop.
        state: its latest ``~/state`` message.
    """

    def __init__(self, node: Node, loop: PacedLoop, state: Any) -> None:
        self._node = node
        self._loop = loop
        self._state = state
        self._said: set[str] = set()
        self._last_cycles = self._last_late = 0
        self._publisher = node.create_publisher(DiagnosticArray, "/diagnostics", 10)

    def publish(self) -> None:
        """Publish, and warn of each new fault once.

        Raises:
            RuntimeError: the loop has ended by an exception.
        """
        if self._loop.failure is not None:
            raise RuntimeError("the follower's loop has ended") from self._loop.failure
        for fault in self._silent_faults():
            if fault not in self._said:
                self._said.add(fault)
                self._node.get_logger().warning(fault)
        message = DiagnosticArray()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.status = [self._status()]
        self._publisher.publish(message)

    def _status(self) -> DiagnosticStatus:
        status, loop = FollowerState(self._state.status), self._loop
        cycles, late = loop.cycles - self._last_cycles, loop.late - self._last_late
        self._last_cycles, self._last_late = loop.cycles, loop.late
        level = DiagnosticStatus.OK
        if late > 0.05 * cycles or (status < 0 and status not in _QUIET):
            level = DiagnosticStatus.WARN
        if cycles == 0:
            level = DiagnosticStatus.ERROR
        values = {
            "status": status.name,
            "cycles in the last second": cycles,
            "late cycles in the last second": late,
            "compute time [us]": f"{1e6 * self._state.compute_time:.0f}",
            "sigma_min [m/rad]": f"{self._state.sigma_min:.4g}",
            "state age [s]": f"{self._state.state_age:.3g}",
            "command age [s]": f"{self._state.command_age:.3g}",
        }
        return DiagnosticStatus(
            level=level,
            name=f"{self._node.get_fully_qualified_name()}: twist following",
            message=self._state.message,
            hardware_id="",
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )

    def _silent_faults(self) -> list[str]:
        """Faults that nothing else would report."""
        node, faults = self._node, []
        for topic, kind in _TWIST_TOPICS.items():
            for publisher in node.get_publishers_info_by_topic(topic):
                if publisher.topic_type != kind:
                    faults.append(
                        f"{publisher.node_name} publishes {publisher.topic_type} on {topic}; only "
                        f"{kind} is heard there"
                    )
        listens = node.get_parameter("accept_cmd_vel").value
        if not listens and node.get_publishers_info_by_topic("cmd_vel"):
            faults.append("someone publishes cmd_vel, but accept_cmd_vel is false")
        states = node.count_publishers("joint_states")
        if states > 1:
            faults.append(f"joint_states has {states} publishers; they may disagree")
        return faults
