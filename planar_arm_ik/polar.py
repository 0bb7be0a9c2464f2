r"""Waypoints in the arm's own terms: radius, bearing, and the triangle of the two links.

With r = |p| and h = |l1 - l2|, in the half-angle form that stays exact at both edges of the ring:

    a^2 = (l1 + l2 - r)(l1 + l2 + r),   b^2 = (r - h)(r + h)
    fold = 2 atan2(a, b),               offset = atan2(a b, r^2 + l1^2 - l2^2)
    q2 = +-fold,                        q1 = bearing -+ offset
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.angles import TURN
from planar_arm_ik.arm import Array, PlanarArm


@dataclass(frozen=True, eq=False)
class Polar:
    """N points of the plane as the arm sees them, each array of shape (N,).

    Args:
        radius: distance from the shoulder [m], clipped to the ring.
        bearing: direction from the shoulder [rad], in [-pi, pi].
        offset: angle between bearing and link 1 [rad], in [0, pi].
        fold: |q2| [rad], in [0, pi].
        reachable: whether the point lies in the ring.
        free: whether it is the base itself, where the shoulder of equal links is free.
    """

    radius: Array
    bearing: Array
    offset: Array
    fold: Array
    reachable: NDArray[np.bool_]
    free: NDArray[np.bool_]

    def columns(self, first: int, stop: int) -> Polar:
        """Only the points from `first` to before `stop`."""
        return Polar(*(getattr(self, field.name)[first:stop] for field in fields(self)))

    def shoulder(self, branch: int) -> Array:
        """q1 of a branch as a residue [rad], in (-pi, pi]."""
        q1 = self.bearing - branch * self.offset
        q1[q1 <= -math.pi] += TURN
        q1[q1 > math.pi] -= TURN
        return q1

    def elbow(self, branch: int) -> Array:
        """q2 of a branch [rad]: within [0, pi] or [-pi, 0]."""
        return self.fold if branch > 0 else -self.fold

    def winding(self) -> int:
        """Whole turns, rounded up, that the bearing strays from its first value."""
        turn = np.diff(self.bearing[self.reachable])
        turn -= TURN * np.round(turn / TURN)
        return math.ceil(float(np.max(np.abs(np.cumsum(turn)), initial=0.0)) / TURN)


def to_polar(
    arm: PlanarArm,
    points: Array,
    boundary_tolerance: float,
    shoulder: float = 0.0,
    along_lines: bool = False,
) -> Polar:
    """See points as the arm does.

    Args:
        arm: the arm.
        points: tip positions (x, y) [m], shape (N, 2), finite.
        boundary_tolerance: rounding band at both edges of the ring, fraction of the reach.
        shoulder: q1 before the path [rad]: it stays where the arm folds on its base.
        along_lines: arrive at the base on the line from the point before instead.

    Returns:
        The points; those out of reach as their nearest reachable ones, marked.
    """
    x, y = points[:, 0], points[:, 1]
    outer, inner = arm.outer_radius, arm.inner_radius
    tolerance = boundary_tolerance * outer
    with np.errstate(over="ignore"):
        radius = np.hypot(x, y)
    reachable = (radius <= outer + tolerance) & (radius >= inner - tolerance)
    r = np.clip(radius, inner, outer)
    a2, b2 = (outer - r) * (outer + r), (r - inner) * (r + inner)
    ab = np.sqrt(a2 * b2)
    offset = np.arctan2(ab, r * r + (arm.l1 - arm.l2) * (arm.l1 + arm.l2))
    fold = 2.0 * np.arctan2(np.sqrt(a2), np.sqrt(b2))
    bearing = np.arctan2(y, x)
    free = (radius <= tolerance) & (inner <= tolerance)
    if free.any():
        _settle(free, bearing, offset, shoulder, along_lines)
    return Polar(r, bearing, offset, fold, reachable, free)


def _settle(
    free: NDArray[np.bool_], bearing: Array, offset: Array, shoulder: float, along_lines: bool
) -> None:
    """Fill in, in place, the bearing of points on the base of an arm with equal links.

    q1 is free there. It stays as it was at the point before, on either branch; along a line, the
    bearing stays and the offset tends to pi / 2.
    """
    last = np.maximum.accumulate(np.where(free, -1, np.arange(len(free))))
    known = last[free] >= 0
    before = np.where(known, bearing[last[free]], shoulder)
    if along_lines:
        others = np.flatnonzero(~free)
        following = bearing[others[0]] if others.size else shoulder
        bearing[free] = np.where(known, before, following)
        offset[free] = 0.5 * math.pi
    else:
        bearing[free] = before
        offset[free] = np.where(known, offset[last[free]], 0.0)
