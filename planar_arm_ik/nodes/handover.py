"""Handing the arm over between twist and path, by two latched topics and no service.

Both owners say on ``~/active`` whether they have the arm or ask for it. The follower ramps down
and lets go when a path is active. The path executor waits for that before it plans from where the
arm then rests, and stops its path when the follower asks (its policy ``preempt``).
"""

from __future__ import annotations

import time
from collections.abc import Callable

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Bool

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

#: Longest wait for the other owner to let go [s]; ramping down takes a fraction of it.
PATIENCE = 2.0


class OtherOwner:
    """What the other owner of the arm says.

    Args:
        node: this owner.
        topic: the other's ``active``.
    """

    def __init__(self, node: Node, topic: str) -> None:
        self.active = False
        node.create_subscription(Bool, topic, self._on_active, LATCHED)

    def _on_active(self, message: Bool) -> None:
        self.active = message.data

    def released(self) -> Callable[[], bool]:
        """Return a condition: true once the other has let go, or after :data:`PATIENCE`."""
        deadline = time.monotonic() + PATIENCE
        return lambda: not self.active or time.monotonic() > deadline
