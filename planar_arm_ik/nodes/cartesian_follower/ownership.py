"""Who has the arm: the follower while it moves it, else whoever asks for it."""

from __future__ import annotations

from planar_arm_ik.following.follower import Outcome
from planar_arm_ik.nodes.common.handover import Claim, OtherOwner
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.status import FollowerState


class Ownership:
    """Says on ``~/active`` whether the follower has the arm, and hears whether a path has it.

    Args:
        node: the follower.
    """

    def __init__(self, node: ArmNode) -> None:
        self._claim = Claim(node)
        self._path = OtherOwner(node, "path_executor/active", node.steady)
        self._answered = 0

    @property
    def path_active(self) -> bool:
        """Whether a path has the arm."""
        return self._path.active

    def tell(self, outcome: Outcome, path_policy: str) -> bool:
        """Say whether the arm is ours, or, by policy `preempt`, asked for; return it."""
        report = outcome.report
        asked_for = (
            report.status is FollowerState.PATH_ACTIVE
            and report.commanded != (0.0, 0.0)
            and path_policy == "preempt"
        )
        if outcome.memory.has_arm or asked_for:
            self._claim.take(0)
            return True
        self._claim.drop(0)
        return False

    def answer(self) -> None:
        """Say once more that the arm is free to each path that came to have it since."""
        if self._path.times_active != self._answered:
            self._answered = self._path.times_active
            self._claim.repeat()
