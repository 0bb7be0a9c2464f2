r"""The global search: the best way through a layered graph, by products of matrices.

Edge (i, s, t) leads from state s at waypoint i to state t at i + 1 and costs the joint step; an
edge that must not be is infinite. Two passes, because the pair (largest, total) does not compose:

    B = min over ways of max of edges            product in the (min, max) semiring
    T = min over ways of sum of edges <= B       product in the (min, +) semiring

Both products are associative, so they are taken pairwise, as a tree of log2 N levels; the best way
is read off by walking the second tree down (Blelloch, *Prefix sums and their applications*, 1990).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm import Array

Indices = NDArray[np.intp]
_Join = Callable[..., Array]


def cheapest_way(edges: Array, rank: Array) -> Indices | None:
    """Find the way with the smallest largest edge, and among those with the smallest total.

    Args:
        edges: cost of each edge, shape (S, S, N - 1): from, to, step; inf where there is none.
        rank: cost of starting in each state, shape (S,), which only decides ties; inf where the
            state is not usable.

    Returns:
        State per waypoint, shape (N,), or None when no way exists.
    """
    if edges.shape[2] == 0:
        return np.array([np.argmin(rank)]) if np.isfinite(rank).any() else None
    barred = np.where(np.isfinite(rank), 0.0, np.inf)[:, None]
    bottleneck = float((_climb(edges, np.maximum)[-1][:, :, 0] + barred).min())
    if not np.isfinite(bottleneck):
        return None
    levels = _climb(np.where(edges <= bottleneck, edges, np.inf), np.add)
    totals = levels[-1][:, :, 0] + barred
    best = totals <= totals.min() * (1.0 + 1e-9)
    first, last = np.unravel_index(
        int(np.argmin(np.where(best, rank[:, None], np.inf))), totals.shape
    )
    return _descend(levels, int(first), int(last))


def reach(edges: Array, usable_first: NDArray[np.bool_]) -> tuple[int, NDArray[np.bool_]]:
    """Find how far any way leads.

    Args:
        edges: as for :func:`cheapest_way`.
        usable_first: states in which a way may start, shape (S,).

    Returns:
        The furthest waypoint any way reaches (-1 when none starts), and which states it reaches
        there, shape (S,).
    """
    at, alive = 0, usable_first
    if not alive.any():
        return -1, alive
    levels = _climb(edges, np.maximum)
    for level in range(len(levels) - 1, -1, -1):
        # Take the block of 2^level edges when something survives it.
        position = at >> level
        if position < levels[level].shape[2]:
            finite = np.isfinite(levels[level][alive, :, position])
            through: NDArray[np.bool_] = np.logical_or.reduce(finite, axis=0)
            if through.any():
                at, alive = min((position + 1) << level, edges.shape[2]), through
    return at, alive


def _climb(edges: Array, join: _Join) -> list[Array]:
    """All levels of the tree of products; the last level is the whole product."""
    levels = [edges]
    while (n := levels[-1].shape[2]) > 1:
        left, right = levels[-1][:, :, 0 : n - 1 : 2], levels[-1][:, :, 1::2]
        product = join(left[:, 0, None, :], right[None, 0, :, :])
        for via in range(1, len(left)):
            np.minimum(product, join(left[:, via, None, :], right[None, via, :, :]), out=product)
        if n % 2:
            product = np.concatenate((product, levels[-1][:, :, -1:]), axis=2)
        levels.append(product)
    return levels


def _descend(levels: list[Array], first: int, last: int) -> Indices:
    """States along the best way, from the tree of totals."""
    states = np.array([first, last])
    for level in reversed(levels[:-1]):
        n = level.shape[2]
        left, right = level[:, :, 0 : n - 1 : 2], level[:, :, 1::2]
        column = np.arange(right.shape[2])
        begin, end = states[: len(column)], states[1 : len(column) + 1]
        costs = [left[begin, via, column] + right[via, end, column] for via in range(len(level))]
        finer = np.empty(n + 1, dtype=np.intp)
        finer[0 : 2 * len(column) + 1 : 2] = states[: len(column) + 1]
        finer[1 : 2 * len(column) : 2] = np.argmin(costs, axis=0)
        finer[-1] = states[-1]
        states = finer
    return states
