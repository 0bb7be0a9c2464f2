"""The branch rules for blocks of targets: :mod:`planar_arm_ik.inverse.branches` in passes.

Evaluates (8), squared, and (9) of :mod:`planar_arm_ik.arm.ring`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.batch.block_limits import Reference
from planar_arm_ik.batch.columns import Bytes, ChoiceColumns
from planar_arm_ik.batch.kernel import Mask
from planar_arm_ik.inverse.branches import STRAIGHT, TIE, Rule
from planar_arm_ik.inverse.question import Question
from planar_arm_ik.status import IkStatus


class BlockRule:
    """Chooses between both branches of a block.

    Args:
        question: rule and distance.
        size: largest block.
    """

    def __init__(self, question: Question, size: int) -> None:
        self._question = question
        self._costs = np.empty((2, size))
        self._work = np.empty(size)
        self._bits = np.empty(size, dtype=np.int64)
        self._pick = np.empty(size, dtype=bool)

    def choose(
        self,
        q: Array,
        status: Bytes,
        reference: tuple[Reference, Reference],
        chosen: ChoiceColumns,
        clearance: Array | None = None,
    ) -> None:
        """Apply the rule.

        Args:
            q: both branches [rad], shape (2, 2, n): branch, joint, target; NaN when refused.
            status: of both branches, shape (2, n).
            reference: seed of joint 1 and joint 2 [rad].
            chosen: where to write.
            clearance: of both branches [m], shape (2, n), NaN when refused; None when there are
                no keep-out shapes.
        """
        pick = self._pick[: q.shape[-1]]
        wanted = self._wanted(reference[1])
        if np.ndim(wanted) == 0 and wanted != 0.0:
            pick.fill(wanted < 0.0)
        else:
            self._cheaper(q, status, reference, pick, clearance)
        if np.ndim(wanted):
            pick |= wanted < 0.0
            pick &= wanted <= 0.0
        self._take(q, status, pick, chosen)
        unlike = np.not_equal(status[0], status[1], out=pick)
        unlike &= chosen.status < 0
        if unlike.any():
            self._name_refusals(status, wanted, chosen.status, np.flatnonzero(unlike))

    def _wanted(self, q2: Reference) -> Any:
        """Branch the rule insists on, or of each target: 0 when it is free to choose."""
        rule = self._question.rule
        if rule is Rule.KEEP:
            s = np.sin(q2)
            return np.where(np.abs(s) < STRAIGHT, 0.0, np.sign(s))
        return {Rule.POSITIVE: 1.0, Rule.NEGATIVE: -1.0}.get(rule, 0.0)

    def _cheaper(
        self,
        q: Array,
        status: Bytes,
        reference: tuple[Reference, Reference],
        pick: Mask,
        clearance: Array | None,
    ) -> None:
        """Pick the negative branch where it costs less (9), or where the positive is refused."""
        costs, work = self._costs[:, : pick.size], self._work[: pick.size]
        if self._question.rule is Rule.CLEARANCE:
            self._by_clearance(q, clearance, costs)
        else:
            for angles, cost in zip(q, costs, strict=True):
                self._cost(angles, reference, cost, work)
        positive, negative = costs
        if self._question.rule in (Rule.NEAREST, Rule.KEEP):
            positive *= 1.0 - 2.0 * TIE
            positive -= TIE * TIE
        else:
            np.abs(positive, out=work)
            work *= TIE
            positive -= TIE
            positive -= work
        np.less(negative, positive, out=pick)
        pick |= status[0] < 0

    def _cost(
        self, q: Array, reference: tuple[Reference, Reference], cost: Array, work: Array
    ) -> None:
        rule, arm = self._question.rule, self._question.arm
        if rule is Rule.MIN_SHOULDER:
            np.abs(q[0], out=cost)
        elif rule is Rule.LIMIT_MARGIN:
            np.subtract(arm.joint1.lower, q[0], out=cost)
            for angle, limits in zip(q, arm.joints, strict=True):
                np.subtract(angle, limits.upper, out=work)
                np.maximum(cost, work, out=cost)
                np.subtract(limits.lower, angle, out=work)
                np.maximum(cost, work, out=cost)
        else:
            self._distance(q, reference, cost, work)

    @staticmethod
    def _by_clearance(q: Array, clearance: Array | None, costs: Array) -> None:
        """Cost of the rule clearance; without shapes both branches are as good."""
        if clearance is None:
            costs[...] = np.where(np.isnan(q[:, 0]), np.nan, 0.0)
        else:
            np.negative(clearance, out=costs)

    def _distance(
        self, q: Array, reference: tuple[Reference, Reference], cost: Array, work: Array
    ) -> None:
        """Write the squared distance (8) to the seed: comparing squares needs no root."""
        metric, weights = self._question.metric, self._question.weights
        for moved, angle, origin, weight in zip((cost, work), q, reference, weights, strict=True):
            np.subtract(angle, origin, out=moved)
            if weight != 1.0:
                moved *= weight
            if metric == "l2":
                moved *= moved
            else:
                np.abs(moved, out=moved)
        if metric == "l2":
            cost += work
            return
        (np.add if metric == "l1" else np.maximum)(cost, work, out=cost)
        cost *= cost

    def _take(self, q: Array, status: Bytes, pick: Mask, chosen: ChoiceColumns) -> None:
        bits = np.multiply(pick, -1, out=self._bits[: pick.size], dtype=np.int64)
        for joint, out in enumerate((chosen.joint1, chosen.joint2)):
            both = q[:, joint].view(np.int64)
            _select(both[0], both[1], bits, out.view(np.int64))
        byte = np.negative(pick.view(np.int8), out=chosen.branch)
        _select(status[0], status[1], byte, chosen.status)
        byte |= 1  # -1 where the negative branch was picked, else 1
        byte *= chosen.status >= 0

    def _name_refusals(
        self, status: Bytes, wanted: Any, chosen: Bytes, refused: NDArray[np.intp]
    ) -> None:
        """Say why there is no answer, in the order of the scalar solver."""
        both = status[:, refused]
        free = (np.broadcast_to(wanted, chosen.shape) == 0.0)[refused]
        high, low = both.max(axis=0), both.min(axis=0)
        first_named = np.where(high == IkStatus.JOINT_LIMIT, high, low)
        named = np.where(free, first_named, chosen[refused])
        if self._question.rule is Rule.KEEP:
            named[~free & (high >= 0)] = IkStatus.BRANCH_UNAVAILABLE
        chosen[refused] = named


def _select(first: Any, second: Any, bits: NDArray[Any], out: Any) -> None:
    """Write `second` where all bits are set and `first` where none is, without a branch."""
    np.bitwise_xor(first, second, out=out)
    out &= bits
    out ^= first
