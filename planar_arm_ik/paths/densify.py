r"""Subdividing straight lines of the tip until straight joint moves follow them.

On a straight joint move dq the tip leaves the chord between its ends by at most h^2 max|p''| / 8,
and |p''| <= l1 dq1^2 + l2 (dq1 + dq2)^2 for the whole move, so by at most

    (l1 dq1^2 + l2 (dq1 + dq2)^2) / 8.

Pieces are halved, on the line, until that is within the tolerance. Close to the edge of the ring,
where q2 goes like the root of the distance, only the pieces at the edge are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.arm.ring import Ring
from planar_arm_ik.paths.lattice import shorter_way
from planar_arm_ik.paths.polar import Polar, to_polar

Indices = NDArray[np.int64]

#: Halvings after which a line counts as one no joint move follows.
DEPTH = 48


def tip_deviation(arm: PlanarArm, dq: Array) -> Array:
    """Bound on how far the tip leaves the chord on straight joint moves.

    Args:
        arm: the arm.
        dq: joint motions [rad], shape (..., 2).

    Returns:
        (l1 dq1^2 + l2 (dq1 + dq2)^2) / 8 [m], shape (...).
    """
    dq1, dq2 = dq[..., 0], dq[..., 1]
    deviation: Array = (arm.l1 * dq1**2 + arm.l2 * (dq1 + dq2) ** 2) / 8.0
    return deviation


def densify_points(points: Array, spacing: float) -> tuple[Array, Indices]:
    """Subdivide lines evenly.

    Args:
        points: waypoints (x, y) [m], shape (N, 2).
        spacing: largest distance of neighbours afterwards [m].

    Returns:
        The points, shape (M, 2), and the last waypoint at or before each, shape (M,).
    """
    along = np.diff(points, axis=0)
    pieces = np.maximum(1, np.ceil(np.hypot(*along.T) / spacing - 1e-9)).astype(np.int64)
    line = np.repeat(np.arange(len(pieces)), pieces)
    t = (np.arange(len(line)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[line]
    dense = np.concatenate((points[line] + t[:, None] * along[line], points[-1:]))
    return dense, np.concatenate((line, [len(points) - 1]))


@dataclass(frozen=True, eq=False)
class DenseLine:
    """A subdivided path of M poses.

    Args:
        q: joint angles [rad], shape (M, 2).
        line: last waypoint at or before each pose, shape (M,).
        t: fraction of its line at each pose, shape (M,).
        stuck: line that cannot be followed, -1 when all can.
        stuck_t: fraction of that line.
    """

    q: Array
    line: Indices
    t: Array
    stuck: int = -1
    stuck_t: float = 0.0


def densify(
    arm: PlanarArm,
    points: Array,
    polar: Polar,
    q: Array,
    branches: NDArray[np.int8],
    follow: NDArray[np.bool_],
    tolerance: float,
    ring: Ring,
) -> DenseLine:
    """Subdivide the lines of a path.

    Args:
        arm: the arm.
        points: waypoints (x, y) [m], shape (N, 2).
        polar: the same as the arm sees them.
        q: joint angles there [rad], shape (N, 2), turns counted along the lines.
        branches: elbow branch per waypoint, shape (N,).
        follow: which lines to subdivide, shape (N - 1,); both ends are on one elbow.
        tolerance: largest distance of the tip from the line [m].
        ring: constants of the arm and its tolerances.
    """
    last = len(points) - 1
    nodes = _Nodes(points, polar.bearing, polar.offset, polar.fold, q)
    line, t = np.arange(last + 1), np.zeros(last + 1)
    left = np.flatnonzero(follow)
    right, width = left + 1, 1.0
    for _ in range(DEPTH):
        wide = tip_deviation(arm, nodes.q[right] - nodes.q[left]) > tolerance
        left, right = left[wide], right[wide]
        if left.size == 0:
            return _ordered(arm, nodes.q, line, t)
        width *= 0.5
        middle = np.arange(len(line), len(line) + len(left))
        nodes = nodes.halved(arm, left, right, branches[line[left]], ring)
        line, t = np.append(line, line[left]), np.append(t, t[left] + width)
        left, right = np.concatenate((left, middle)), np.concatenate((middle, right))
    worst = left[np.lexsort((t[left], line[left]))[0]]
    done = _ordered(arm, nodes.q, line, t)
    return DenseLine(done.q, done.line, done.t, int(line[worst]), float(t[worst]))


@dataclass(frozen=True, eq=False)
class _Nodes:
    """Points on the lines and the arm's pose there."""

    points: Array
    bearing: Array
    offset: Array
    fold: Array
    q: Array

    def halved(
        self,
        arm: PlanarArm,
        left: Indices,
        right: Indices,
        branch: NDArray[np.int8],
        ring: Ring,
    ) -> _Nodes:
        """With the middles of pieces added, their turns counted from the left ends."""
        middle = 0.5 * (self.points[left] + self.points[right])
        seen = to_polar(arm, ring, middle, along_lines=True)
        change = seen.bearing - self.bearing[left]
        shorter_way(change)
        dq1 = change - branch * (seen.offset - self.offset[left])
        dq2 = branch * (seen.fold - self.fold[left])
        q = self.q[left] + np.stack((dq1, dq2), axis=1)
        return _Nodes(
            np.concatenate((self.points, middle)),
            np.append(self.bearing, seen.bearing),
            np.append(self.offset, seen.offset),
            np.append(self.fold, seen.fold),
            np.concatenate((self.q, q)),
        )


def _ordered(arm: PlanarArm, q: Array, line: Indices, t: Array) -> DenseLine:
    """Sort along the path, and set on a limit what misses it by rounding."""
    order = np.lexsort((t, line))
    limits = arm.joints
    lower, upper = [joint.lower for joint in limits], [joint.upper for joint in limits]
    return DenseLine(np.clip(q[order], lower, upper), line[order], t[order])
