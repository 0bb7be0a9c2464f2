"""Both elbows for a block of targets, in array passes that stay in the processor's cache.

Evaluates (1) to (4) and (6) of :mod:`planar_arm_ik.arm.ring` in the order of operations of
:mod:`planar_arm_ik.inverse.closed_form`.

Nothing is allocated while it runs, and no element is touched in a Python loop.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.angles import NEARLY_PI, ROUNDING, TURN
from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.arm.ring import Ring
from planar_arm_ik.batch.columns import Bytes
from planar_arm_ik.status import IkStatus

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """What the kernel knows about n targets; views of its buffers, valid until its next call.

    Args:
        q1_positive: shoulder angle of the positive branch in (-pi, pi] [rad], shape (n,).
        q1_negative: shoulder angle of the negative branch in (-pi, pi] [rad], shape (n,).
        q2: elbow angle of the positive branch in [0, pi] [rad], shape (n,); the negative branch
            has its opposite.
        r_squared: squared distance from the shoulder [m^2], shape (n,).
        two_det: 2 |det J| [m^2/rad^2], shape (n,).
        singular: whether sigma_min is below the threshold, shape (n,).
        reach: OK, TOO_FAR, TOO_CLOSE or INVALID_INPUT each, shape (n,), or None when all are
            within reach. Angles of targets that are not within reach mean nothing.
        free: where q1 is free because the arm is folded on its base, shape (n,), or None when
            nowhere; q1 is 0 and q2 is pi there.
    """

    q1_positive: Array
    q1_negative: Array
    q2: Array
    r_squared: Array
    two_det: Array
    singular: Mask
    reach: Bytes | None
    free: Mask | None


class BlockKernel:
    """Solves blocks of at most `size` targets with buffers of its own.

    Run it under ``np.errstate(over="ignore", under="ignore", invalid="ignore")``: targets may be
    anything, and what is not finite is answered with INVALID_INPUT.
    """

    def __init__(self, ring: Ring, size: int) -> None:
        self._ring = ring
        self._floats = np.empty((4, size))
        self._masks = np.empty((2, size), dtype=bool)

    def solve(
        self, x: Array, y: Array, q1_positive: Array, q1_negative: Array, q2: Array
    ) -> Block:
        """Solve one block.

        Args:
            x: targets [m], shape (n,).
            y: targets [m], shape (n,).
            q1_positive: where to write the angles of that name, shape (n,).
            q1_negative: as before.
            q2: as before.

        Returns:
            The block, with the three given arrays in it.
        """
        ring = self._ring
        squared, root, work, bearing = self._floats[:, : x.size]
        singular, mask = self._masks[:, : x.size]
        np.multiply(x, x, out=squared)
        np.multiply(y, y, out=work)
        squared += work
        np.subtract(ring.outer, squared, out=root)
        np.subtract(squared, ring.inner, out=work)
        root *= work  # (1)
        self._test_singular(squared, root, work, singular, mask)
        closest, farthest = squared.min(initial=math.inf), squared.max(initial=-math.inf)
        self._flatten_edges(squared, root, singular, closest, farthest)
        np.sqrt(root, out=root)
        np.subtract(squared, ring.middle, out=work)
        np.arctan2(root, work, out=q2)  # (2)
        np.add(squared, ring.skew, out=work)
        np.arctan2(root, work, out=q1_negative)  # the angle between link 1 and the target
        np.arctan2(y, x, out=bearing)
        _shoulders(bearing, q1_positive, q1_negative, work, mask)
        free = None
        if ring.free >= 0.0 and not closest > ring.free:
            free = squared <= ring.free
            q1_positive[free] = q1_negative[free] = root[free] = 0.0
            q2[free], singular[free] = math.pi, True
        reach = None
        if not (ring.closest <= closest and farthest <= ring.farthest):
            reach = self._reach(x, y, squared)
        return Block(q1_positive, q1_negative, q2, squared, root, singular, reach, free)

    def _test_singular(
        self, squared: Array, product: Array, work: Array, singular: Mask, mask: Mask
    ) -> None:
        """Test (4), but for the edges."""
        ring = self._ring
        np.multiply(squared, ring.slope, out=work)
        work += ring.offset
        np.less(product, work, out=singular)
        if ring.always > ring.inner:
            np.less(squared, ring.always, out=mask)
            singular |= mask

    def _flatten_edges(
        self, squared: Array, product: Array, singular: Mask, closest: float, farthest: float
    ) -> None:
        """Make the product (1) exactly 0, and singular, at both edges, where it is noise."""
        ring = self._ring
        if closest > ring.sill and farthest < ring.brim:
            return
        edge = ~((squared > ring.sill) & (squared < ring.brim))
        product[edge] = 0.0
        singular |= edge

    def _reach(self, x: Array, y: Array, squared: Array) -> Bytes:
        """Test (6)."""
        ring = self._ring
        reach = np.zeros(x.size, dtype=np.int8)
        reach[squared > ring.farthest] = IkStatus.TOO_FAR
        reach[squared < ring.closest] = IkStatus.TOO_CLOSE
        reach[~(np.isfinite(x) & np.isfinite(y))] = IkStatus.INVALID_INPUT
        return reach


def _shoulders(bearing: Array, positive: Array, negative: Array, work: Array, mask: Mask) -> None:
    """Evaluate (3): `negative` holds the offset from the bearing before, an angle after [rad]."""
    if not bearing.min(initial=0.0) > -NEARLY_PI:
        _turn(bearing, TURN, np.less_equal(bearing, -NEARLY_PI, out=mask), work)
    np.subtract(bearing, negative, out=positive)
    negative += bearing
    _turn(positive, TURN, np.less_equal(positive, -NEARLY_PI, out=mask), work)
    _turn(negative, -TURN, np.greater(negative, math.pi + ROUNDING, out=mask), work)


def _turn(angle: Array, turn: float, where: Mask, work: Array) -> None:
    """Add a turn [rad] where asked, in place; half a turn is +pi whatever the rounding."""
    np.multiply(where, turn, out=work)
    angle += work
    if not angle.max(initial=0.0) <= math.pi:
        np.minimum(angle, math.pi, out=angle)
