"""The two spaces in which corners are rounded: the plane of the tip, and that of the joints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.angles import TURN
from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.arm.ring import Ring
from planar_arm_ik.paths.polar import to_polar

#: What misses a joint limit by less than this does so by rounding [rad].
_EDGE = 1e-9


@dataclass(frozen=True, eq=False)
class Poses:
    """How the arm stands at points of a curve.

    Args:
        q: joint angles [rad], shape (M, 2).
        beyond_reach: points that the arm does not reach, shape (M,).
        beyond_limits: points at which a joint is past a limit, shape (M,).
    """

    q: Array
    beyond_reach: NDArray[np.bool_]
    beyond_limits: NDArray[np.bool_]


class Space(Protocol):
    """Where a polyline lies, and what its points mean to the arm."""

    @property
    def chord_tolerance(self) -> float:
        """How far the tip may be from the curve on straight joint moves along it [m]."""

    def norm(self, offsets: Array) -> Array:
        """Length of offsets (..., 2) in metres of the tip, or a bound of it, shape (...)."""

    def poses(self, points: Array, anchor: Array) -> Poses:
        """See points (M, 2) as poses; the first one is the pose `anchor` or close to it."""


@dataclass(frozen=True, eq=False)
class TipSpace:
    """Points are positions of the tip [m], reached on one elbow."""

    arm: PlanarArm
    ring: Ring
    branch: int
    chord_tolerance: float

    def norm(self, offsets: Array) -> Array:
        """Length of offsets [m]."""
        length: Array = np.hypot(offsets[..., 0], offsets[..., 1])
        return length

    def poses(self, points: Array, anchor: Array) -> Poses:
        """Poses on the elbow, turns counted from the anchor."""
        seen = to_polar(self.arm, self.ring, points, along_lines=True)
        q1 = np.unwrap(seen.bearing) - self.branch * seen.offset
        q2 = self.branch * seen.fold
        q = np.stack((q1, q2), axis=1)
        q += TURN * np.round((anchor - q[0]) / TURN)
        within = _within(self.arm, q)
        return Poses(within, ~seen.reachable, np.abs(within - q).max(axis=1) > _EDGE)


@dataclass(frozen=True, eq=False)
class JointSpace:
    """Points are poses [rad]."""

    arm: PlanarArm
    chord_tolerance: float = field(default=np.inf)

    def norm(self, offsets: Array) -> Array:
        """Bound of how far the tip moves [m]: l1 |dq1| + l2 |dq1 + dq2|."""
        first, both = np.abs(offsets[..., 0]), np.abs(offsets[..., 0] + offsets[..., 1])
        length: Array = self.arm.l1 * first + self.arm.l2 * both
        return length

    def poses(self, points: Array, anchor: Array) -> Poses:
        """Return the points."""
        none = np.zeros(len(points), dtype=np.bool_)
        within = _within(self.arm, points)
        return Poses(within, none, np.abs(within - points).max(axis=1) > _EDGE)


def _within(arm: PlanarArm, q: Array) -> Array:
    lower, upper = ([getattr(j, side) for j in arm.joints] for side in ("lower", "upper"))
    return np.clip(q, lower, upper)
