"""Handing the arm over between twist and path, by two latched topics and no service.

Both owners say on ``~/active`` whether they have the arm or ask for it. The follower ramps down
and lets go when a path is active. The path executor waits for that before it plans from where the
arm then rests, and stops its path when the follower asks (its policy ``preempt``).

A twist and a path may come in the same instant, and each owner begin before it has heard of the
other. The path executor therefore says that it is active, lets a cycle of the follower pass, and
only then moves.
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


#: Time in which a follower at its default rate hears of a claim and is heard [s].
HEARING = 0.012


class Claim:
    """What this owner says on ``~/active``, when it changes.

    Goals may overlap: the one that took the claim last is the one that drops it.

    Args:
        node: this owner.
    """

    def __init__(self, node: Node) -> None:
        self._publisher = node.create_publisher(Bool, "~/active", LATCHED)
        self._holder: int | None = None
        self._publisher.publish(Bool(data=False))

    def take(self, holder: int) -> None:
        """Have the arm, or ask for it."""
        if self._holder is None:
            self._publisher.publish(Bool(data=True))
        self._holder = holder

    def drop(self, holder: int) -> None:
        """Let go, unless another holder has taken over."""
        if self._holder == holder:
            self._holder = None
            self._publisher.publish(Bool(data=False))


class OtherOwner:
    """What the other owner of the arm says.

    Args:
        node: this owner.
        topic: the other's ``active``.

    Attributes:
        times_active: how often it has taken the arm.
    """

    def __init__(self, node: Node, topic: str) -> None:
        self.times_active = 0
        self._said = False
        self._node = node
        self._subscription = node.create_subscription(Bool, topic, self._on_active, LATCHED)

    def _on_active(self, message: Bool) -> None:
        if message.data and not self._said:
            self.times_active += 1
        self._said = message.data

    @property
    def present(self) -> bool:
        """Whether there is another owner."""
        return bool(self._node.count_publishers(self._subscription.topic_name) > 0)

    @property
    def active(self) -> bool:
        """Whether the other has the arm or asks for it; one that is gone has nothing."""
        return self._said and self.present

    def released(self) -> Callable[[], bool]:
        """Return a condition: true once the other has heard and let go, or kept it too long."""
        begin = time.monotonic()

        def holds() -> bool:
            waited = time.monotonic() - begin
            return waited > (PATIENCE if self.active else HEARING)

        return holds
