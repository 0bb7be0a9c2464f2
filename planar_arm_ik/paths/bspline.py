r"""Cubic B-splines in the plane: the curves that round the corners of a polyline.

A cubic B-spline whose control points lie on a polyline has continuous curvature, stays in the
convex hull of four neighbours, and is straight where four neighbours lie on one line. It rounds a
corner W with neighbours a distance d before and behind by missing it by |d t1 - d t0| / 6. Unlike
one Bezier curve or pair of clothoids a corner, it does not fall back to zero curvature between two
corners that turn the same way, so a polygon becomes nearly a circle and can be passed at nearly
constant speed. Evaluation is de Boor's (*A Practical Guide to Splines*, 1978, ch. X).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planar_arm_ik.arm.planar_arm import Array


@dataclass(frozen=True, eq=False)
class BSpline:
    """A cubic B-spline from its first control point to its last.

    Args:
        control: control points, shape (K, 2), K > 3.
        knots: shape (K + 4,), the first four equal, and the last four.
    """

    control: Array
    knots: Array

    @property
    def places(self) -> Array:
        """Parameter that each control point belongs to: its central knot, shape (K,)."""
        return self.knots[2:-2]

    @property
    def breaks(self) -> Array:
        """Ends of the cubic pieces, shape (K - 2,)."""
        return self.knots[3:-3]

    def at(self, t: Array) -> Array:
        """Points at parameters t (T,), shape (T, 2)."""
        last = len(self.control) - 1
        k = np.clip(np.searchsorted(self.knots, t, side="right") - 1, 3, last)
        d = [self.control[k - 3 + j] for j in range(4)]
        for r in range(1, 4):
            for j in range(3, r - 1, -1):
                low, high = self.knots[k - 3 + j], self.knots[k + 1 + j - r]
                share = ((t - low) / (high - low))[:, None]
                d[j] = (1.0 - share) * d[j - 1] + share * d[j]
        return d[3]


def chord_length_spline(control: Array) -> BSpline:
    """Build the spline whose knots are as far apart as its control points.

    Args:
        control: control points, shape (K, 2), K > 3, neighbours differ.
    """
    t = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(control, axis=0).T))))
    knots = np.concatenate((np.full(4, t[0]), t[2:-2], np.full(4, t[-1])))
    return BSpline(control, knots)
