"""Who may move the arm: the newest of the goals, and the path or the twist follower."""

from __future__ import annotations

from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node

from planar_arm_ik.nodes.common.handover import Claim, OtherOwner
from planar_arm_ik.nodes.common.waiting import Waiting
from planar_arm_ik.nodes.path_executor.goals import NotBegunError
from planar_arm_ik.status import IkStatus


class Arbitration:
    """The newest accepted goal may move the arm, once the follower has let go.

    Args:
        node: the path executor.
        waiting: where its coroutines wait.
    """

    def __init__(self, node: Node, waiting: Waiting) -> None:
        self.claim = Claim(node)
        self.follower = OtherOwner(node, "cartesian_follower/active")
        self._waiting = waiting
        self.closed = False
        self._tickets = self._newest = self._before = 0

    def begin(self) -> None:
        """The arm is the path's from now on."""
        self._before = self.follower.times_active

    def follower_took_it(self) -> bool:
        """Whether the follower has the arm, or had it for a moment since the path began."""
        return self.follower.active or self.follower.times_active > self._before

    def ticket(self) -> int:
        """Number of a goal that came in now."""
        self._tickets += 1
        return self._tickets

    def advance(self, ticket: int, handle: ServerGoalHandle | None) -> None:
        """Let a goal that passed its checks supersede the older ones.

        Raises:
            NotBegunError: see :meth:`check`.
        """
        self._newest = max(ticket, self._newest)
        self.check(ticket, handle)

    def close(self) -> None:
        """Let nothing begin any more."""
        self.closed = True

    def is_over(self, ticket: int, handle: ServerGoalHandle | None) -> bool:
        """Whether a goal need not wait any longer."""
        return self.closed or ticket != self._newest or canceled(handle)

    def check(self, ticket: int, handle: ServerGoalHandle | None) -> None:
        """Make sure that a goal is still wanted.

        Raises:
            NotBegunError: it was canceled, a newer one has come in, or the node leaves.
        """
        if self.closed:
            raise NotBegunError(IkStatus.CANCELED, "the node is shutting down")
        if canceled(handle):
            raise NotBegunError(IkStatus.CANCELED, "canceled before it began")
        if ticket != self._newest:
            raise NotBegunError(IkStatus.PREEMPTED, "a newer path came in before it began")

    async def take_over(self, ticket: int, handle: ServerGoalHandle | None) -> bool:
        """Claim the arm; where there is a follower, wait until it has heard and rests.

        Returns:
            Whether the follower has moved the arm since.

        Raises:
            NotBegunError: the follower keeps it, or see :meth:`check`.
        """
        follower = self.follower
        told_already = not self.claim.take(ticket) and not follower.active
        if told_already or not follower.present:
            return False
        moved, before = follower.active, follower.times_active
        released = follower.released()
        await self._waiting.until(lambda: self.closed or released())
        if follower.active:
            raise NotBegunError(IkStatus.PREEMPTED, "cartesian_follower keeps the arm")
        self.check(ticket, handle)
        return moved or follower.times_active > before


def canceled(handle: ServerGoalHandle | None) -> bool:
    """Whether a goal is asked to end; one from the topic never is."""
    return handle is not None and bool(handle.is_cancel_requested)
