r"""The greedy search: a rule applied waypoint by waypoint, without a loop over waypoints.

What the rule picks at waypoint i depends on the pose before only through its state, so waypoint i
is a map f_i on the S states, and the state there is (f_i o ... o f_1)(s_0). Composition is
associative: the maps are composed in pairs, the halved sequence is solved, and the states between
follow (Blelloch, *Prefix sums and their applications*, 1990). The plain loop over waypoints gives
the same states bit for bit, as every map is computed from the same two neighbouring layers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.inverse.branches import TIE

Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
Maps = NDArray[np.integer[Any]]
#: Squared joint distance of motions (dq1, dq2), element by element.
BatchDistance = Callable[[Array, Array], Array]
Motion = Callable[[int, int, slice], tuple[Array, Array]]

#: Steps worked on at once: their intermediate arrays stay in the processor's cache.
BLOCK = 8192

#: Cost of what is not usable; finite, as ties are relative.
BLOCKED = 1e150


def pick(costs: Array | None, branch_of: tuple[int, ...], nearness: Array) -> Indices:
    """Choose a state per column.

    Within a branch the nearest representation counts; between the branches the lower cost, a tie
    to the positive one.

    Args:
        costs: cost of choosing each state, shape (S, N), BLOCKED where it is not usable; None
            when the nearest is chosen.
        branch_of: branch of each state, positive ones first.
        nearness: squared joint distance to each state, shape (S, N); BLOCKED where not usable.

    Returns:
        Index of the chosen state, shape (N,).
    """
    positive = sum(1 for branch in branch_of if branch > 0)
    if positive in (0, len(branch_of)):
        return _nearest(nearness)
    if len(branch_of) == 2:
        if costs is None:
            return _is_nearer(nearness[1], nearness[0]).astype(np.intp)
        return _is_less(costs[1], costs[0]).astype(np.intp)
    first, second = _nearest(nearness[:positive]), positive + _nearest(nearness[positive:])
    column = np.arange(nearness.shape[1])
    if costs is None:
        other = _is_nearer(nearness[second, column], nearness[first, column])
    else:
        other = _is_less(costs[second, column], costs[first, column])
    return np.where(other, second, first)


def _is_less(second: Array, first: Array) -> Mask:
    """Whether costs are smaller than others by more than a tie, as for one target."""
    less: Mask = second < first - TIE - TIE * np.abs(first)
    return less


def _is_nearer(second: Array, first: Array) -> Mask:
    """Whether squared distances are smaller than others by more than a tie."""
    nearer: Mask = second < first * (1.0 - 2.0 * TIE) - TIE * TIE
    return nearer


def _nearest(nearness: Array) -> Indices:
    """Nearest state of one branch; a tie goes to the one with more turns."""
    if len(nearness) == 1:
        return np.zeros(nearness.shape[1], dtype=np.intp)
    nearest: Indices = len(nearness) - 1 - np.argmin(nearness[::-1], axis=0)
    return nearest


def walk(
    usable: Mask,
    branch_of: Sequence[int],
    motion: Motion,
    distance: BatchDistance,
    first: int,
    among: Sequence[int],
    sources: Sequence[int],
    own_cost: Array | None,
) -> Maps:
    """Follow the rule through all layers.

    Args:
        usable: whether each state is usable, shape (S, N).
        branch_of: branch of each state.
        motion: joint motions (dq1, dq2) [rad] from one state to another, of some steps.
        distance: squared joint distance of motions.
        first: state at waypoint 0.
        among: states the rule may choose from, positive branches first.
        sources: states of which it is worth asking what the rule picks next.
        own_cost: what a state costs by itself, shape (S, N); None when the distance decides.

    Returns:
        State per waypoint, shape (N,). Behind the first waypoint where nothing is usable, or
        where a state is not among the sources, they mean nothing.
    """
    count, layers = usable.shape
    if len(among) == 1:
        return np.full(layers, first, dtype=np.int16)
    chosen = list(among)
    branches = tuple(branch_of[index] for index in chosen)
    maps = np.repeat(np.arange(count, dtype=np.int16)[:, None], layers - 1, axis=1)
    for begin in range(0, layers - 1, BLOCK):
        part = slice(begin, min(begin + BLOCK, layers - 1))
        after = slice(part.start + 1, part.stop + 1)
        blocked = ~usable[chosen, after]
        own = None if own_cost is None else own_cost[chosen, after]
        for source in sources:
            near = np.stack([distance(*motion(source, to, part)) for to in chosen])
            costs = own
            if blocked.any():
                near[blocked] = BLOCKED
                costs = None if own is None else np.where(blocked, BLOCKED, own)
            maps[source, part] = np.take(chosen, pick(costs, branches, near))
    return scan(maps, first)


def scan(maps: Maps, first: int) -> Maps:
    """Apply maps one after the other.

    Args:
        maps: `maps[s, i]` is where map i takes state s, shape (S, N - 1).
        first: the state before.

    Returns:
        States before and after every map, shape (N,).
    """
    count, n = maps.shape
    moves = np.zeros(n, dtype=np.bool_)
    for state in range(count):
        moves |= maps[state] != state
    moving = np.flatnonzero(moves)
    follow = _follow_two if count == 2 else _compose
    jumps = follow(maps[:, moving], first)
    bounds = np.concatenate(([0], moving + 1, [n + 1]))
    turns = np.concatenate(([first], jumps)).astype(np.int16)
    return np.repeat(turns, np.diff(bounds))


def _follow_two(maps: Maps, first: int) -> Indices:
    """State after every map on two states: the last constant map, and the swaps since."""
    constant = maps[0] == maps[1]
    swapped = np.bitwise_xor.accumulate(np.where(constant, 0, maps[0]))
    last = np.maximum.accumulate(np.where(constant, np.arange(len(constant)), -1))
    since = np.where(last >= 0, maps[0, last] ^ swapped[last], first)
    states: Indices = np.bitwise_xor(since, swapped)
    return states


def _compose(maps: Maps, first: int) -> Indices:
    """State after every map, by composing neighbours and solving the half as long sequence."""
    n = maps.shape[1]
    out = np.empty(n, dtype=np.intp)
    if n == 0:
        return out
    out[0] = maps[first, 0]
    if n == 1:
        return out
    even, odd = maps[:, 0 : n - 1 : 2], maps[:, 1::2]
    out[1::2] = _compose(odd[even, np.arange(odd.shape[1])], first)
    later = maps[:, 2::2]
    out[2::2] = later[out[1 : n - 1 : 2], np.arange(later.shape[1])]
    return out
