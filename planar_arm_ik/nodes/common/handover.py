"""Handing the arm over between twist and path, by two latched topics and no service.

Both owners say on ``~/active`` whether they have the arm or ask for it. The follower ramps down
and lets go when a path is active. The path executor waits for that before it plans from where the
arm then rests, and stops its path when the follower asks (its policy ``preempt``).

A twist and a path may come in the same instant, and each owner begin before it has heard of the
other. The path executor therefore says that it is active and moves only when the follower has
answered: a follower at rest says once more that it has nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Bool

from planar_arm_ik.clocks import STEADY, Clock

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

#: Longest wait for the other owner to let go [s]; ramping down takes a fraction of it.
PATIENCE = 2.0


#: Longest wait for an answer of an owner that has nothing [s]; it takes a cycle of its loop.
HEARING = 1.0


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

    def take(self, holder: int) -> bool:
        """Have the arm, or ask for it; whether nobody held this claim before."""
        first = self._holder is None
        if first:
            self._publisher.publish(Bool(data=True))
        self._holder = holder
        return first

    def repeat(self) -> None:
        """Say again what was said last."""
        self._publisher.publish(Bool(data=self._holder is not None))

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
        messages: how often it has said anything.
    """

    def __init__(self, node: Node, topic: str, steady: Clock = STEADY) -> None:
        self._steady = steady
        self.times_active = self.messages = 0
        self._said = False
        self._node = node
        self._subscription = node.create_subscription(Bool, topic, self._on_active, LATCHED)

    def _on_active(self, message: Bool) -> None:
        if message.data and not self._said:
            self.times_active += 1
        self._said = message.data
        self.messages += 1

    @property
    def present(self) -> bool:
        """Whether there is another owner."""
        return bool(self._node.count_publishers(self._subscription.topic_name) > 0)

    @property
    def active(self) -> bool:
        """Whether the other has the arm or asks for it; one that is gone has nothing."""
        return self._said and self.present

    def released(self) -> Callable[[], bool]:
        """Return a condition: true once the other has answered and let go, or took too long."""
        # The first message is what it said before it was asked, however late that comes.
        begin, before = self._steady.now(), max(self.messages, 1)

        def holds() -> bool:
            waited = self._steady.now() - begin
            if self.active:
                return waited > PATIENCE
            return self.messages > before or waited > HEARING

        return holds
