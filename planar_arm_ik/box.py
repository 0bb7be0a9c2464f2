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

    def clip(self, x1: float, x2: float) -> tuple[float, float]:
        """Move each coordinate into its bounds."""
        return min(max(x1, self.low1), self.high1), min(max(x2, self.low2), self.high2)

    def contains(self, x1: float, x2: float) -> bool:
        """Whether the point lies in the box, its edge included."""
        return self.low1 <= x1 <= self.high1 and self.low2 <= x2 <= self.high2


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
    if box.contains(x1, x2):
        return x1, x2
    a11, a12, a22 = metric
    edge1, edge2 = box.clip(x1, x2)
    # On the edge y1 = edge1, and on the edge y2 = edge2; an edge x does not violate is x itself.
    candidates = (
        (edge1, _clip(x2 - a12 / a22 * (edge1 - x1), box.low2, box.high2)),
        (_clip(x1 - a12 / a11 * (edge2 - x2), box.low1, box.high1), edge2),
    )

    def cost(y: tuple[float, float]) -> float:
        e1, e2 = y[0] - x1, y[1] - x2
        return a11 * e1 * e1 + 2.0 * a12 * e1 * e2 + a22 * e2 * e2

    if edge1 == x1:
        return candidates[1]
    if edge2 == x2:
        return candidates[0]
    return min(candidates, key=cost)


def nearest_on_ray(k: float, x1: float, x2: float, box: Box) -> float | None:
    """Return the factor nearest to `k`, not negative, that puts the ray {k x} into the box.

    Returns:
        The factor, or None when the ray misses the box.
    """
    first, last = 0.0, math.inf
    for x, low, high in ((x1, box.low1, box.high1), (x2, box.low2, box.high2)):
        if x > 0.0:
            first, last = max(first, low / x), min(last, high / x)
        elif x < 0.0:
            first, last = max(first, high / x), min(last, low / x)
        elif low > 0.0 or high < 0.0:
            return None
    if first > last:
        return None
    return min(max(k, first), last)


def _clip(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)
