r"""A smooth joint curve through the rows of a path, and where it must stop.

Rows are joined by cubic pieces in joint arc length u (the sum of chord lengths), so that |dq/du|
is near one. With the library toppra the curve is its C2 spline (``SplineInterpolator``); without
it one with continuous slope, whose tangents are the chords' weighted means (Catmull-Rom,
nonuniform). Where the path bends by more than the corner angle, or the curve would leave the path
by more than the tolerance, the arm stops: the path falls into stretches, each a curve of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array, PlanarArm

#: q, dq/du and d2q/du2 at arc lengths u, each of shape (len(u), 2).
Evaluate = Callable[[Array], tuple[Array, Array, Array]]
#: Builds the curve through rows (M, 2) at arc lengths (M,).
MakeCurve = Callable[[Array, Array], Evaluate]

#: Where the curve is compared with the path, as fractions of each piece.
_PROBES = np.array((0.2, 0.4, 0.6, 0.8))


@dataclass(frozen=True, eq=False)
class Stretch:
    """A part of a path that is passed without a stop.

    Args:
        rows: joint angles [rad], shape (M, 2).
        knots: arc length at each row [rad], shape (M,).
        evaluate: the curve.
    """

    rows: Array
    knots: Array
    evaluate: Evaluate

    @property
    def length(self) -> float:
        """Arc length [rad]."""
        return float(self.knots[-1])

    @property
    def straight(self) -> bool:
        """Whether it is one straight joint move."""
        return len(self.rows) == 2


def mean_slope_curve(knots: Array, rows: Array) -> Evaluate:
    """Build the curve with continuous slope."""
    pieces = np.diff(knots)
    chords = np.diff(rows, axis=0) / pieces[:, None]
    weight = (pieces[1:] / (pieces[1:] + pieces[:-1]))[:, None]
    inner = weight * chords[:-1] + (1.0 - weight) * chords[1:]
    tangents = np.concatenate((chords[:1], inner, chords[-1:]))

    def evaluate(u: Array) -> tuple[Array, Array, Array]:
        k = np.clip(np.searchsorted(knots, u, side="right"), 1, len(knots) - 1)
        h = pieces[k - 1][:, None]
        t = (u - knots[k - 1])[:, None] / h
        m0, m1 = h * tangents[k - 1], h * tangents[k]
        delta = rows[k] - rows[k - 1]
        c2, c3 = 3.0 * delta - 2.0 * m0 - m1, m0 + m1 - 2.0 * delta
        q = rows[k - 1] + t * (m0 + t * (c2 + t * c3))
        return q, (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / h, (2.0 * c2 + 6.0 * t * c3) / h**2

    return evaluate


def stretches(
    arm: PlanarArm,
    rows: Array,
    may_bend: NDArray[np.bool_],
    make_curve: MakeCurve,
    corner_angle: float,
    tolerance: float,
    on_lines: bool,
) -> list[Stretch]:
    """Cut a path where it must stop.

    Args:
        arm: the arm.
        rows: joint angles [rad], shape (M, 2), M > 1, neighbours differ.
        may_bend: rows at which a bend is a corner; the others lie inside a smooth line, (M,).
        make_curve: builds the curve through rows.
        corner_angle: largest bend in joint space that is passed without a stop [rad].
        tolerance: largest distance of the tip from the path [m].
        on_lines: the path is the straight line of the tip between rows, else the straight joint
            move.
    """
    chords = np.diff(rows, axis=0)
    along = chords / np.hypot(*chords.T)[:, None]
    cross = along[:-1, 0] * along[1:, 1] - along[:-1, 1] * along[1:, 0]
    bend = np.abs(np.arctan2(cross, np.einsum("ij,ij->i", along[:-1], along[1:])))
    stops = np.zeros(len(rows), dtype=np.bool_)
    stops[[0, -1]] = True
    stops[1:-1] = (bend > corner_angle) & may_bend[1:-1]
    while True:
        cuts = np.flatnonzero(stops)
        parts = [_stretch(rows[begin : end + 1], make_curve) for begin, end in pairwise(cuts)]
        strays = np.concatenate([_strays(arm, part, tolerance, on_lines) for part in parts])
        added = np.zeros_like(stops)
        added[:-1] |= strays
        added[1:] |= strays
        if not (added & ~stops).any():
            return parts
        stops |= added


def _stretch(rows: Array, make_curve: MakeCurve) -> Stretch:
    steps = np.diff(rows, axis=0)
    knots = np.concatenate(([0.0], np.cumsum(np.hypot(*steps.T))))
    make = mean_slope_curve if len(rows) == 2 else make_curve
    return Stretch(rows, knots, make(knots, rows))


def _strays(arm: PlanarArm, part: Stretch, tolerance: float, on_lines: bool) -> NDArray[np.bool_]:
    """Pieces on which the curve leaves the path or the joint limits, shape (M - 1,)."""
    count = len(part.rows) - 1
    if part.straight:
        return np.zeros(1, dtype=np.bool_)
    u = (part.knots[:-1, None] + np.diff(part.knots)[:, None] * _PROBES).ravel()
    q, _, _ = part.evaluate(u)
    begin, chord = part.rows[:-1], np.diff(part.rows, axis=0)
    if on_lines:
        ends = arm.forward(part.rows)
        off = _across(arm.forward(q), ends[:-1], np.diff(ends, axis=0))
    else:
        sideways = _rejected(q, begin, chord)
        off = np.hypot(*np.einsum("nij,nj->ni", arm.jacobian(q), sideways).T)
    outside = np.zeros(len(q), dtype=np.bool_)
    for axis, joint in enumerate(arm.joints):
        outside |= (q[:, axis] < joint.lower) | (q[:, axis] > joint.upper)
    strays: NDArray[np.bool_] = np.logical_or.reduce(
        ((off > tolerance) | outside).reshape(count, -1), axis=1
    )
    return strays


def _rejected(points: Array, begin: Array, chord: Array) -> Array:
    """Part of the offsets from chords that is square to them, (M - 1) x probes rows."""
    repeat = len(_PROBES)
    chord = np.repeat(chord, repeat, axis=0)
    offset: Array = points - np.repeat(begin, repeat, axis=0)
    square = np.maximum(np.einsum("ij,ij->i", chord, chord), 1e-300)
    rejected: Array = offset - (np.einsum("ij,ij->i", offset, chord) / square)[:, None] * chord
    return rejected


def _across(points: Array, begin: Array, chord: Array) -> Array:
    """Distance of points from chords, probes by probes."""
    distance: Array = np.hypot(*_rejected(points, begin, chord).T)
    return distance
