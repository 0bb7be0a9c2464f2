r"""Rounding the corners of one polyline, from end to end without a stop.

Control points of a cubic B-spline (``bspline``) lie on the polyline: its vertices, and points at
the distances d, 2 d, 4 d ... from a corner that is rounded over the length d. With
d = 6 m / |t1 - t0| the curve misses the corner by m. Two corners whose lengths do not fit into the
segment between them share it; where it is much shorter than both, no point stands between and the
curvature keeps its sign there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.paths.bspline import BSpline, chord_length_spline

#: Length of offsets (..., 2) in metres of the tip, shape (...).
Norm = Callable[[Array], Array]

#: Segments shorter than this many times both lengths get no point of their own.
_SHORT = 1.4
#: Rounds in which corners that are missed by too much pull the curve back.
_PULLS = 6


@dataclass(frozen=True, eq=False)
class Rounded:
    """A rounded polyline.

    Args:
        curve: the curve.
        vertices: parameter at which each vertex of the polyline is passed, shape (N,).
    """

    curve: BSpline
    vertices: Array


def wanted_reach(vertices: Array, miss: Array, norm: Norm) -> Array:
    """Length over which each inner corner wants to be rounded, shape (N,); 0 at both ends.

    Args:
        vertices: the polyline, shape (N, 2), neighbours differ.
        miss: how far each corner may be missed [m], shape (N,).
        norm: how long offsets are.
    """
    steps = np.diff(vertices, axis=0)
    along = steps / np.hypot(*steps.T)[:, None]
    reach = np.zeros(len(vertices))
    reach[1:-1] = 6.0 * miss[1:-1] / np.maximum(norm(np.diff(along, axis=0)), 1e-9)
    return reach


def rounded(vertices: Array, reach: Array, miss: Array, norm: Norm) -> Rounded:
    """Round the inner corners of a polyline.

    Args:
        vertices: the polyline, shape (N, 2), N > 1, neighbours differ.
        reach: length over which each corner is rounded, shape (N,); those of the ends mean
            nothing.
        miss: how far each corner may be missed [m], shape (N,).
        norm: how long offsets are.
    """
    control, places = _control(vertices, reach)
    curve = chord_length_spline(control)
    inner = places[1:-1]
    at = curve.places[inner]
    for _ in range(_PULLS if len(inner) else 0):
        off = curve.at(at) - vertices[1:-1]
        size = norm(off)
        over = np.maximum(0.0, 1.0 - miss[1:-1] / np.maximum(size, 1e-300))
        if not (over > 1e-3).any():
            break
        curve.control[inner] -= 1.2 * over[:, None] * off
    return Rounded(curve, np.concatenate((curve.breaks[:1], at, curve.breaks[-1:])))


def _control(vertices: Array, reach: Array) -> tuple[Array, NDArray[np.int64]]:
    """Control points, and which of them are the vertices."""
    steps = np.diff(vertices, axis=0)
    lengths = np.hypot(*steps.T).tolist()
    reaches, last = reach.tolist(), len(lengths) - 1
    segment: list[int] = []
    share: list[float] = []
    places: list[int] = []
    for j, length in enumerate(lengths):
        places.append(len(share))
        before = None if j == 0 else reaches[j]
        behind = None if j == last else reaches[j + 1]
        marks = [0.0, *(mark / length for mark in _marks(length, before, behind))]
        segment += [j] * len(marks)
        share += marks
    places.append(len(share))
    points = vertices[segment] + np.array(share)[:, None] * steps[segment]
    return np.concatenate((points, vertices[-1:])), np.array(places, dtype=np.int64)


def _marks(length: float, before: float | None, behind: float | None) -> list[float]:
    """Where points stand on a segment between its ends; no corner at an end is None."""
    if before is None and behind is None:
        return [length / 3.0, 2.0 * length / 3.0]
    if before is None:
        return [length - mark for mark in reversed(_doubling(behind or 0.0, length))]
    if behind is None:
        return _doubling(before, length)
    if length <= _SHORT * min(before, behind):
        return []
    if before + behind >= length:
        return [length * before / (before + behind)]
    return _meeting(before, behind, length)


def _doubling(reach: float, length: float) -> list[float]:
    marks = [min(reach, 0.5 * length)]
    while 3.0 * marks[-1] < length:
        marks.append(2.0 * marks[-1])
    return marks


def _meeting(before: float, behind: float, length: float) -> list[float]:
    """Marks doubling from both ends until they meet."""
    left, right = [before], [behind]
    while True:
        x, y = 2.0 * left[-1], 2.0 * right[-1]
        gap = length - left[-1] - right[-1]
        smaller = min(left[-1], right[-1])
        if gap <= 2.0 * smaller:
            break
        if x <= y:
            left.append(min(x, left[-1] + 0.5 * gap))
        else:
            right.append(min(y, right[-1] + 0.5 * gap))
    behind_left = [length - mark for mark in reversed(right)]
    if behind_left[0] - left[-1] < 0.5 * min(left[-1], right[-1]):  # one point instead of two
        return [*left[:-1], 0.5 * (left[-1] + behind_left[0]), *behind_left[1:]]
    return left + behind_left
