"""Nothing that waits, waits silently: what a node lacks is told, again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus

from planar_arm_ik.nodes.common.clocks import steady_timer

if TYPE_CHECKING:
    from planar_arm_ik.nodes.common.runtime import ArmNode

#: Time after which a wait is told [s], and how often from then on.
FIRST, AGAIN = 2.0, 5.0
_PERIOD = 0.5


class WaitLog:
    """When to say what, by the clock; knows no node."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._told: dict[str, float] = {}

    def step(self, now: float, missing: dict[str, str]) -> list[str]:
        """Give the sentences that are due.

        Args:
            now: time [s].
            missing: what is missing now: name, and what to do about it.
        """
        due = []
        for name, hint in missing.items():
            since = self._since.setdefault(name, now)
            waited = now - since
            if waited >= FIRST and now - self._told.get(name, -AGAIN) >= AGAIN:
                self._told[name] = now
                due.append(f"waiting for {name} for {waited:.0f} s: {hint}")
        for name in [name for name in self._since if name not in missing]:
            waited = now - self._since.pop(name)
            if self._told.pop(name, None) is not None:
                due.append(f"{name} is there after {waited:.0f} s")
        return due

    def told(self) -> list[str]:
        """Names of what is waited for and has been told."""
        return list(self._told)


class Waits:
    """What a node waits for, in its log and, while it lasts, in ``/diagnostics``.

    Simulated time is looked for by itself. It knows its node from :meth:`begin` on: a node that
    cannot be made must not be kept alive by it.
    """

    def __init__(self) -> None:
        self._log = WaitLog()
        self._publishers: dict[str, str] = {}
        self._receivers: dict[str, str] = {}
        self._was_waiting = False

    def for_publisher(self, topic: str, hint: str) -> None:
        """Expect somebody to publish a topic."""
        self._publishers[topic] = hint

    def for_receiver(self, topic: str, hint: str) -> None:
        """Expect somebody to hear a topic."""
        self._receivers[topic] = hint

    def begin(self, node: ArmNode) -> None:
        """Look from now on; called once the node is whole."""
        self._node = node
        self._publisher = node.create_publisher(DiagnosticArray, "/diagnostics", 10)
        steady_timer(node, _PERIOD, self._look)

    def _missing(self) -> dict[str, str]:
        node, missing = self._node, {}
        clock = node.get_clock()
        if clock.ros_time_is_active and clock.now().nanoseconds == 0:
            missing["/clock"] = "use_sim_time is true and nobody publishes the time"
        for topic, hint in self._publishers.items():
            if node.count_publishers(topic) == 0:
                missing[f"a publisher of {topic}"] = hint
        for topic, hint in self._receivers.items():
            if node.count_subscribers(topic) == 0:
                missing[f"a receiver of {topic}"] = hint
        return missing

    def _look(self) -> None:
        for sentence in self._log.step(self._node.steady.now(), self._missing()):
            self._node.get_logger().warning(sentence)
        waiting = self._log.told()
        if waiting or self._was_waiting:
            self._diagnose(waiting)
        self._was_waiting = bool(waiting)

    def _diagnose(self, waiting: list[str]) -> None:
        message = DiagnosticArray()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.status = [
            DiagnosticStatus(
                level=DiagnosticStatus.WARN if waiting else DiagnosticStatus.OK,
                name=f"{self._node.get_fully_qualified_name()}: waiting",
                message=", ".join(waiting) or "for nothing",
            )
        ]
        self._publisher.publish(message)
