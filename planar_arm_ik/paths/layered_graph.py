r"""The cheapest way through a layered graph, by products of matrices: for the global search.

Edge (i, s, t) leads from state s at waypoint i to state t at i + 1 and costs the joint step; an
edge that must not be is infinite. Two passes, because the pair (largest, total) does not compose:

    B = min over ways of max of edges            product in the (min, max) semiring
    T = min over ways of sum of edges <= B       product in the (min, +) semiring

Both products are associative, so they are taken pairwise, as a tree of log2 N levels; the best way
is read off by walking the second tree down (Blelloch, *Prefix sums and their applications*, 1990).
The lower levels are made block by block and again for the way down: a tree of a whole long path
would leave the processor's cache and cost more memory than the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array

Indices = NDArray[np.intp]
_Join = Callable[..., Array]

#: Edges of a block. A power of two: the blocks are whole branches of the tree of all edges.
_BLOCK = 1 << 15


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
    blocks = [slice(i, min(i + _BLOCK, edges.shape[2])) for i in range(0, edges.shape[2], _BLOCK)]
    largest = _tops([edges[:, :, block] for block in blocks], np.maximum)
    bottleneck = float((_climb(largest, np.maximum)[-1][:, :, 0] + barred).min())
    if not np.isfinite(bottleneck):
        return None

    def allowed() -> Iterator[Array]:
        for block in blocks:
            part = edges[:, :, block]
            yield np.where(part <= bottleneck, part, np.inf)

    levels = _climb(_tops(allowed(), np.add), np.add)
    totals = levels[-1][:, :, 0] + barred
    best = totals <= totals.min() * (1.0 + 1e-9)
    first, last = np.unravel_index(
        int(np.argmin(np.where(best, rank[:, None], np.inf))), totals.shape
    )
    ends = _descend(levels, int(first), int(last))
    states = np.empty(edges.shape[2] + 1, dtype=np.intp)
    for block, part, begin, end in zip(blocks, allowed(), ends[:-1], ends[1:], strict=True):
        states[block.start : block.stop + 1] = _descend(_climb(part, np.add), begin, end)
    return states


def _tops(blocks: Iterable[Array], join: _Join) -> Array:
    """Product of each block, shape (S, S, number of blocks)."""
    return np.stack([_climb(block, join)[-1][:, :, 0] for block in blocks], axis=2)


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
        count, _, n = level.shape
        pairs, entries = n // 2, level.reshape(-1)
        even = 2 * np.arange(pairs)
        left = states[:pairs] * (count * n) + even  # entry (begin, 0, even)
        right = states[1 : pairs + 1] * n + even + 1  # entry (0, end, odd)
        best = entries.take(left) + entries.take(right)
        middle = np.zeros(pairs, dtype=np.intp)
        for via in range(1, count):
            cost = entries.take(left + via * n) + entries.take(right + via * count * n)
            middle[cost < best] = via
            np.minimum(best, cost, out=best)
        finer = np.empty(n + 1, dtype=np.intp)
        finer[0 : 2 * pairs + 1 : 2] = states[: pairs + 1]
        finer[1 : 2 * pairs : 2] = middle
        finer[-1] = states[-1]
        states = finer
    return states
