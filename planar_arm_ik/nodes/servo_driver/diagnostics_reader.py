"""Reads from ``/diagnostics`` what the servo driver of this arm says about itself."""

from __future__ import annotations

import math

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.node import Node
from rclpy.qos import QoSProfile

from planar_arm_ik.nodes.common.paced_loop import PolledSubscription
from planar_arm_ik.nodes.servo_driver.diagnostics import diagnostics_name
from planar_arm_ik.scene.servo_texts import servo_text
from planar_arm_ik.scene.texts import StatusText

#: Reports come once a second; after so long without one nothing is shown [s].
_AGE = 3.0


class ServoDiagnosticsReader:
    """Takes the newest report of the driver in the node's own namespace.

    Args:
        node: the node to listen through.
    """

    def __init__(self, node: Node) -> None:
        driver = node.resolve_service_name("servo_driver/enable").removesuffix("/enable")
        self._name = diagnostics_name(driver)
        self._arrays = PolledSubscription(
            node, DiagnosticArray, "/diagnostics", QoSProfile(depth=20)
        )
        self._text: StatusText | None = None
        self._received = -math.inf

    def text(self, now: float) -> StatusText | None:
        """The driver's state in words, None when it has been silent; `now` is monotonic [s]."""
        for array in self._arrays.take():
            for status in array.status:
                if status.name == self._name:
                    self._text, self._received = _words(status), now
        return self._text if now - self._received < _AGE else None


def _words(status: DiagnosticStatus) -> StatusText:
    values = {pair.key: pair.value for pair in status.values}
    healthy = status.level == DiagnosticStatus.OK
    return servo_text(values.get("state", ""), values.get("gate", ""), status.message, healthy)
