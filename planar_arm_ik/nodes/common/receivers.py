"""Who receives a topic, and since when.

A publisher finds its receivers before they have found it. What it sends meanwhile comes with the
next heartbeat, up to seconds late: fatal for a trajectory whose time runs from its receipt.
"""

from __future__ import annotations

from rclpy.publisher import Publisher

from planar_arm_ik.clocks import STEADY, Clock

#: Time after which both sides have found each other [s].
_SETTLING = 0.5


class Receivers:
    """The subscriptions a publisher has.

    Args:
        publisher: the publisher.
    """

    def __init__(self, publisher: Publisher, steady: Clock = STEADY) -> None:
        self._steady = steady
        self._publisher = publisher
        self._count = 0
        self._changed = self._steady.now()

    def look(self) -> int:
        """How many there are; called often, so that a change is noticed when it happens."""
        count: int = self._publisher.get_subscription_count()
        if count != self._count:
            self._count, self._changed = count, self._steady.now()
        return count

    @property
    def settled(self) -> bool:
        """Whether there are any, and none of them is new."""
        return self.look() > 0 and self._steady.now() - self._changed > _SETTLING
