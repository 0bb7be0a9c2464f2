"""Waypoints in polar terms about the base: directions, and the joint angles of both elbows."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.angles import TURN
from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.arm.ring import Ring
from planar_arm_ik.batch.kernel import BlockKernel, Mask

#: Points worked on at once: the kernel's buffers stay in the processor's cache.
_BLOCK = 8192


@dataclass(frozen=True, eq=False)
class Polar:
    """N points of the plane.

    Args:
        shoulders: q1 of the positive and of the negative branch as residues [rad], in (-pi, pi],
            shape (2, N).
        elbows: q2 of both branches [rad], in [0, pi] and [-pi, 0], shape (2, N).
        reachable: whether the point lies in the ring, shape (N,).
        free: whether it is the base itself, where the shoulder of equal links is free, (N,).
        bearing: direction from the shoulder [rad], shape (N,); empty unless lines are followed.
        offset: angle between bearing and link 1 [rad], in [0, pi]; as before.
    """

    shoulders: Array
    elbows: Array
    reachable: Mask
    free: Mask
    bearing: Array
    offset: Array

    def columns(self, first: int, stop: int) -> Polar:
        """Only the points from `first` to before `stop`."""
        return Polar(*(getattr(self, field.name)[..., first:stop] for field in fields(self)))

    @property
    def fold(self) -> Array:
        """|q2| [rad], shape (N,)."""
        folds: Array = self.elbows[0]
        return folds


def to_polar(
    arm: PlanarArm, ring: Ring, points: Array, shoulder: float = 0.0, along_lines: bool = False
) -> Polar:
    """See points as the arm does.

    Args:
        arm: the arm.
        ring: its constants and tolerances.
        points: tip positions (x, y) [m], shape (N, 2), finite.
        shoulder: q1 before the path [rad]: it stays where the arm folds on its base.
        along_lines: arrive at the base on the line from the point before instead, and tell
            bearings and offsets.

    Returns:
        The points; angles of those out of reach mean nothing.
    """
    n = len(points)
    shoulders, elbows = np.empty((2, n)), np.empty((2, n))
    reachable, free = np.ones(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    kernel = BlockKernel(ring, min(n, _BLOCK))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for begin in range(0, n, _BLOCK):
            part = slice(begin, min(begin + _BLOCK, n))
            x, y = points[part].T.copy()
            block = kernel.solve(x, y, shoulders[0, part], shoulders[1, part], elbows[0, part])
            np.negative(elbows[0, part], out=elbows[1, part])
            if block.reach is not None:
                reachable[part] = block.reach >= 0
            if block.free is not None:
                free[part] = block.free
    seen = Polar(shoulders, elbows, reachable, free, np.empty(0), np.empty(0))
    if along_lines:
        seen = _with_bearings(seen, arm, points)
    if free.any():
        _settle(seen, shoulder, along_lines)
    return seen


def winding(points: Array) -> int:
    """Whole turns, rounded up, that the bearing of points strays from its first value."""
    turn = np.diff(np.arctan2(points[:, 1], points[:, 0]))
    turn -= TURN * np.round(turn / TURN)
    return math.ceil(float(np.max(np.abs(np.cumsum(turn)), initial=0.0)) / TURN)


def _with_bearings(seen: Polar, arm: PlanarArm, points: Array) -> Polar:
    """Add bearing and offset; at the base the bearing of the point before, else of the next."""
    bearing = np.arctan2(points[:, 1], points[:, 0])
    known, last = _last_known(seen.free)
    others = np.flatnonzero(~seen.free)
    if known.size:
        following = bearing[others[0]] if others.size else 0.0
        bearing[seen.free] = np.where(known, bearing[last], following)
    offset = np.arctan2(arm.l2 * np.sin(seen.fold), arm.l1 + arm.l2 * np.cos(seen.fold))
    offset[seen.free] = 0.5 * math.pi
    return replace(seen, bearing=bearing, offset=offset)


def _settle(seen: Polar, shoulder: float, along_lines: bool) -> None:
    """Fill in, in place, q1 of points on the base of an arm with equal links.

    It stays as it was at the point before, on either branch; on a line the offset tends to pi/2.
    """
    known, last = _last_known(seen.free)
    for branch, q1 in zip((1, -1), seen.shoulders, strict=True):
        settled = np.where(known, q1[last], shoulder)
        if along_lines:
            settled = (seen.bearing - branch * seen.offset)[seen.free]
        q1[seen.free] = settled - TURN * np.ceil(settled / TURN - 0.5)


def _last_known(free: Mask) -> tuple[Mask, NDArray[np.intp]]:
    """For each free point: whether one before it is not free, and the last such."""
    last = np.maximum.accumulate(np.where(free, -1, np.arange(len(free))))[free]
    return last >= 0, last
