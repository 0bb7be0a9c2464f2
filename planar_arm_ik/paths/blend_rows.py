"""Rows of a path whose corners are rounded: its runs from stop to stop, taken in pieces."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.paths.bspline import BSpline
from planar_arm_ik.paths.densify import DEPTH, tip_deviation
from planar_arm_ik.paths.rounding import Rounded, rounded
from planar_arm_ik.paths.simplify import offset_from_segment
from planar_arm_ik.paths.spaces import Space

#: Rows per cubic piece that bends, and per straight one: with fewer the smooth joint curve through
#: them would swing between.
_PER_PIECE, _STRAIGHT = 4, 2
_FLAT = 1e-7
#: Largest distance of the curve from the chord between two rows [m].
_SAGITTA = 0.2e-3
#: Rows above which a path that is hard to follow is given up.
_MANY = 200_000


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of a rounded path.

    Args:
        q: joint angles [rad], shape (M, 2).
        points: where they lie in the space of the polyline, shape (M, 2).
        along: place on the polyline, in vertices and fractions between, increasing, shape (M,).
        beyond_reach: rows that the arm does not reach, shape (M,).
        beyond_limits: rows past a joint limit, shape (M,).
        unfollowed: rows behind which no joint move follows the curve, shape (M,).
        stops: rows at which two runs meet, shape (S,).
    """

    q: Array
    points: Array
    along: Array
    beyond_reach: NDArray[np.bool_]
    beyond_limits: NDArray[np.bool_]
    unfollowed: NDArray[np.bool_]
    stops: NDArray[np.int64]


def rows_along(
    arm: PlanarArm,
    space: Space,
    vertices: Array,
    stops: NDArray[np.int64],
    reach: Array,
    miss: Array,
    first: Array,
) -> Rows:
    """Take a rounded polyline in pieces.

    Args:
        arm: the arm.
        space: where the polyline lies.
        vertices: the polyline, shape (N, 2).
        stops: vertices at which it is not rounded, both ends among them, increasing.
        reach: length over which each corner is rounded, shape (N,).
        miss: how far each corner may be missed [m], shape (N,).
        first: pose to begin at [rad], shape (2,).
    """
    runs: list[Rows] = []
    for begin, end in pairwise(stops.tolist()):
        part = slice(begin, end + 1)
        curve = rounded(vertices[part], reach[part], miss[part], space.norm)
        anchor = runs[-1].q[-1] if runs else first
        runs.append(_run(arm, space, curve, begin, anchor))
    meets = np.cumsum([len(run.q) - 1 for run in runs])[:-1]
    return Rows(
        _joined([run.q for run in runs]),
        _joined([run.points for run in runs]),
        _joined([run.along for run in runs]),
        _joined([run.beyond_reach for run in runs]),
        _joined([run.beyond_limits for run in runs]),
        _joined([run.unfollowed for run in runs]),
        meets.astype(np.int64),
    )


def _joined(parts: list[Any]) -> Any:
    """Join arrays whose last row is the first of the next."""
    return np.concatenate([part[1 if k else 0 :] for k, part in enumerate(parts)])


def _run(arm: PlanarArm, space: Space, run: Rounded, begin: int, anchor: Array) -> Rows:
    t = _first_places(run.curve)
    for _ in range(DEPTH):
        points = run.curve.at(t)
        poses = space.poses(points, anchor)
        wide = tip_deviation(arm, np.diff(poses.q, axis=0)) > space.chord_tolerance
        middle = run.curve.at(0.5 * (t[:-1] + t[1:]))
        off = space.norm(offset_from_segment(middle, points[:-1], points[1:]))
        wide |= off > min(_SAGITTA, space.chord_tolerance)
        wide &= ~(poses.beyond_reach[1:] | poses.beyond_reach[:-1])
        wide &= np.diff(t) > 1e-9 * t[-1]
        if not wide.any() or len(t) > _MANY:
            break
        t = np.sort(np.concatenate((t, 0.5 * (t[:-1] + t[1:])[wide])))
    unfollowed = tip_deviation(arm, np.diff(poses.q, axis=0)) > space.chord_tolerance
    along = np.interp(t, run.vertices, begin + np.arange(len(run.vertices), dtype=np.float64))
    return Rows(
        poses.q,
        points,
        along,
        poses.beyond_reach,
        poses.beyond_limits,
        np.append(unfollowed, False),
        np.empty(0, dtype=np.int64),
    )


def _first_places(curve: BSpline) -> Array:
    """Parameters of rows: ends of pieces, and between them where they bend."""
    breaks, control = curve.breaks, curve.control
    to = control[1:] - control[:-1]
    second = control[2:] - control[:-2]
    cross = np.abs(to[:-1, 0] * second[:, 1] - to[:-1, 1] * second[:, 0])
    bent = cross > _FLAT * np.maximum((second * second).sum(axis=1), 1e-300)
    pieces = bent[:-1] | bent[1:]
    counts = np.where(pieces, _PER_PIECE, _STRAIGHT)
    piece = np.repeat(np.arange(len(counts)), counts)
    inside = np.arange(len(piece)) - np.repeat(np.cumsum(counts) - counts, counts)
    t = breaks[piece] + np.diff(breaks)[piece] * inside / counts[piece]
    return np.append(t, breaks[-1])
