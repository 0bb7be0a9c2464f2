"""Two joint speeds inside a box: the nearest point, and where a ray from 0 meets it."""

from __future__ import annotations

import math
from typing import NamedTuple


class Box(NamedTuple):
    """Bounds of both joint speeds [rad/s]: low <= speed <= high for each."""

    low1: float
    high1: float
    low2: float
    high2: float


# The functions unpack the box, and spell out both joints: they run in every cycle of the follower,
# where a look-up by name or a loop of two costs as much as the sums.


def clip(x1: float, x2: float, box: Box) -> tuple[float, float]:
    """Move each coordinate into its bounds."""
    low1, high1, low2, high2 = box
    return (
        low1 if x1 < low1 else high1 if x1 > high1 else x1,
        low2 if x2 < low2 else high2 if x2 > high2 else x2,
    )


def least_squares_in_box(
    x1: float, x2: float, metric: tuple[float, float, float], box: Box
) -> tuple[float, float]:
    """Exact minimiser of (y - x)^T A (y - x) over the box, in closed form.

    The problem is convex and x is its free minimiser. When x lies outside, the answer lies on an
    edge that x violates, and on an edge it is a clipped parabola: at most two candidates.

    Args:
        x1: free minimiser, shoulder [rad/s].
        x2: free minimiser, elbow [rad/s].
        metric: (A11, A12, A22), positive definite.
        box: the bounds.

    Returns:
        The minimiser (y1, y2) [rad/s].
    """
    a11, a12, a22 = metric
    low1, high1, low2, high2 = box
    edge1, edge2 = clip(x1, x2, box)
    e1, e2 = edge1 - x1, edge2 - x2
    if e1 == 0.0 and e2 == 0.0:
        return x1, x2
    # On the edge y1 = edge1, and on the edge y2 = edge2; an edge x does not violate is x itself.
    if e1 != 0.0:
        on1 = x2 - a12 / a22 * e1
        on1 = low2 if on1 < low2 else high2 if on1 > high2 else on1
        if e2 == 0.0:
            return edge1, on1
    on2 = x1 - a12 / a11 * e2
    on2 = low1 if on2 < low1 else high1 if on2 > high1 else on2
    if e1 == 0.0:
        return on2, edge2
    f1, f2 = on2 - x1, on1 - x2
    cost1 = a11 * e1 * e1 + 2.0 * a12 * e1 * f2 + a22 * f2 * f2
    cost2 = a11 * f1 * f1 + 2.0 * a12 * f1 * e2 + a22 * e2 * e2
    return (edge1, on1) if cost1 <= cost2 else (on2, edge2)


def nearest_on_ray(k: float, x1: float, x2: float, box: Box) -> float | None:
    """Return the factor nearest to `k`, not negative, that puts the ray {k x} into the box.

    Returns:
        The factor, or None when the ray misses the box.
    """
    low1, high1, low2, high2 = box
    first, last = 0.0, math.inf
    if x1:
        first, last = (low1 / x1, high1 / x1) if x1 > 0.0 else (high1 / x1, low1 / x1)
    elif low1 > 0.0 or high1 < 0.0:
        return None
    if x2:
        first2, last2 = (low2 / x2, high2 / x2) if x2 > 0.0 else (high2 / x2, low2 / x2)
        first, last = max(first, first2), min(last, last2)
    elif low2 > 0.0 or high2 < 0.0:
        return None
    if first < 0.0:
        first = 0.0
    if first > last:
        return None
    return first if k < first else last if k > last else k
