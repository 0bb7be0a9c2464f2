"""Representations and joint limits of blocks: :mod:`planar_arm_ik.arm.angles` in passes.

Evaluates (7) of :mod:`planar_arm_ik.arm.ring`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.angles import LIMIT_TOLERANCE, TURN, UPPER_HALF
from planar_arm_ik.arm.planar_arm import Array, JointLimits
from planar_arm_ik.batch.kernel import Mask

#: A reference for a block: one angle for all, or one each [rad].
Reference = float | Array


class BlockLimits:
    """Turns the angles of one joint to the seed, and compares them with its limits.

    Args:
        limits: limits of the joint.
        seeded: whether there is a reference other than 0.
        size: largest block.
    """

    def __init__(self, limits: JointLimits, seeded: bool, size: int) -> None:
        lower, upper = limits.lower, limits.upper
        self._lower, self._upper = lower, upper
        #: Angles in (-pi, pi] are answers as they are.
        self._idle = not seeded and lower <= -math.pi and upper >= math.pi
        #: Only the representation in (-pi, pi] can be within the limits.
        self._narrow = lower - LIMIT_TOLERANCE >= -math.pi and upper + LIMIT_TOLERANCE <= math.pi
        self._turns, self._work = np.empty((2, size))
        self._masks = np.empty((2, size), dtype=bool)

    def fit(self, q: Array, reference: Reference, refused: Mask) -> bool:
        """Bring angles within the limits, in place.

        Args:
            q: angles in (-pi, pi] [rad], shape (n,); then the representation nearest to the
                reference within the limits. Where there is none they mean nothing.
            reference: seed of this joint [rad].
            refused: gets True added where no representation is within the limits, shape (n,).

        Returns:
            Whether any angle can have been refused.
        """
        if self._idle:
            return False
        if not self._narrow:
            self._turn(q, reference)
        mask, strict = self._masks[:, : q.size]
        np.less(q, self._lower, out=strict)
        np.greater(q, self._upper, out=mask)
        strict |= mask
        if strict.any():
            self._refuse(q, refused, mask, int(np.count_nonzero(strict)))
        return True

    def _refuse(self, q: Array, refused: Mask, mask: Mask, outside: int) -> None:
        """Refuse what is outside by more than rounding, and set the rest on the limit."""
        np.less(q, self._lower - LIMIT_TOLERANCE, out=mask)
        beyond = np.count_nonzero(mask)
        refused |= mask
        np.greater(q, self._upper + LIMIT_TOLERANCE, out=mask)
        beyond += np.count_nonzero(mask)
        refused |= mask
        if beyond != outside:
            np.maximum(q, self._lower, out=q)
            np.minimum(q, self._upper, out=q)

    def _turn(self, q: Array, reference: Reference) -> None:
        turns, work = self._turns[: q.size], self._work[: q.size]
        np.subtract(reference, q, out=turns)
        turns /= TURN
        turns += UPPER_HALF
        np.floor(turns, out=turns)
        if math.isfinite(self._upper):
            np.subtract(self._upper + LIMIT_TOLERANCE, q, out=work)
            work /= TURN
            np.floor(work, out=work)
            np.minimum(turns, work, out=turns)
        if math.isfinite(self._lower):
            np.subtract(self._lower - LIMIT_TOLERANCE, q, out=work)
            work /= TURN
            np.ceil(work, out=work)
            np.maximum(turns, work, out=turns)
        turns *= TURN
        q += turns


def blank(q: Array, refused: Mask, bits: NDArray[np.int64]) -> None:
    """Write NaN where refused, in place: all bits set are a NaN, and OR needs no branch.

    Args:
        q: angles of both joints, shape (2, n).
        refused: shape (n,).
        bits: work space, shape (n,).
    """
    np.multiply(refused, -1, out=bits, dtype=np.int64)
    for row in q.view(np.int64):
        row |= bits
