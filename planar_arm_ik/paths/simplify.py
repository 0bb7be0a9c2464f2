r"""Leaving out waypoints that say nothing new: doubled points, and noise within a tolerance.

Douglas, Peucker, *Algorithms for the reduction of the number of points required to represent a
digitized line*, Cartographica 1973: of a run of points only the ends stay when every point between
lies within the tolerance of the chord, else the run is split at the point farthest from it.
Distances are to the chord as a segment, so a path that turns back keeps the point it turns at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array

#: Points closer than this to the one before are the same point.
SAME = 1e-9

#: Inner points too few to tell noise, and the part of changes of side that is noise.
_FEW, _OFTEN = 6, 0.3


def offset_from_segment(points: Array, begin: Array, end: Array) -> Array:
    """Offsets of points (..., 2) from the nearest points of segments, shape (..., 2)."""
    along = end - begin
    square = np.maximum((along * along).sum(axis=-1), 1e-300)
    t = np.clip(((points - begin) * along).sum(axis=-1) / square, 0.0, 1.0)
    rest: Array = points - begin - t[..., None] * along
    return rest


def distinct(points: Array) -> NDArray[np.int64]:
    """Indices of points that differ from the one before, the first and the last place kept."""
    keep = np.concatenate(([True], np.hypot(*np.diff(points, axis=0).T) > SAME))
    return np.flatnonzero(keep)


def bends(points: Array) -> Array:
    """By how much a polyline turns at its inner points [rad], left positive, shape (N - 2,)."""
    steps = np.diff(points, axis=0)
    cross = steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0]
    turned: Array = np.arctan2(cross, np.einsum("ij,ij->i", steps[:-1], steps[1:]))
    return turned


def zigzags(points: Array) -> bool:
    """Whether a polyline often turns left and right in turn, as a line drawn by hand does."""
    turned = bends(points)
    if len(turned) < _FEW:
        return False
    return float(np.mean(turned[1:] * turned[:-1] < 0.0)) > _OFTEN


def simplify(points: Array, tolerance: float) -> tuple[NDArray[np.int64], Array]:
    """Leave out points within a tolerance of the chords of those that stay.

    Args:
        points: a polyline, shape (N, 2), N > 0.
        tolerance: largest distance of a point from its chord, not negative.

    Returns:
        Indices of the points that stay, both ends among them, shape (K,), and the largest
        distance of the points left out from each chord, shape (K - 1,).
    """
    kept, off = [0], []
    runs = [(0, len(points) - 1)] if len(points) > 1 else []
    while runs:
        begin, end = runs.pop()
        between = points[begin + 1 : end]
        away = np.hypot(*offset_from_segment(between, points[begin], points[end]).T)
        farthest = int(np.argmax(away)) if len(away) else 0
        most = float(away[farthest]) if len(away) else 0.0
        if most > tolerance:
            middle = begin + 1 + farthest
            runs += [(middle, end), (begin, middle)]
        else:
            kept.append(end)
            off.append(most)
    return np.array(kept, dtype=np.int64), np.array(off)
