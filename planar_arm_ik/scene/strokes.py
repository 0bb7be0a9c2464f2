"""Paths from a hand: a drawn stroke, or a straight line, as evenly spaced waypoints."""

from __future__ import annotations

import math

import numpy as np

from planar_arm_ik.arm.planar_arm import Array

#: Distance between waypoints [m].
SPACING = 0.01


def resample(points: Array, spacing: float = SPACING) -> Array:
    """Space the points of a polyline evenly; both ends stay.

    Args:
        points: (x, y) [m], shape (N, 2), N > 0.
        spacing: largest distance between neighbours along the line [m].

    Returns:
        Points on the polyline, shape (M, 2); one point when all are the same.
    """
    pieces = np.hypot(*np.diff(points, axis=0).T)
    keep = np.concatenate(([True], pieces > 0.0))
    distinct = points[keep]
    along = np.concatenate(([0.0], np.cumsum(pieces[pieces > 0.0])))
    if len(distinct) == 1:
        return distinct
    count = max(2, math.ceil(along[-1] / spacing - 1e-9) + 1)
    where = np.linspace(0.0, along[-1], count)
    return np.stack([np.interp(where, along, distinct[:, axis]) for axis in (0, 1)], axis=-1)


def line_between(start: Array, end: Array, spacing: float = SPACING) -> Array:
    """Waypoints on a straight line from start to end (x, y) [m], shape (M, 2)."""
    return resample(np.array([start, end]), spacing)
