"""The global search against all ways there are."""

import itertools

import numpy as np
import pytest

from planar_arm_ik.paths import layered_graph
from planar_arm_ik.paths.layered_graph import cheapest_way, reach


def all_ways(edges, rank):
    """Best (largest, total), and the furthest layer, by trying every sequence."""
    count, _, steps = edges.shape
    best, furthest = None, -1
    for way in itertools.product(range(count), repeat=steps + 1):
        if not np.isfinite(rank[way[0]]):
            continue
        costs = [edges[way[i], way[i + 1], i] for i in range(steps)]
        good = next((i for i, cost in enumerate(costs) if not np.isfinite(cost)), steps)
        furthest = max(furthest, good)
        if good == steps:
            key = (max(costs, default=0.0), sum(costs))
            best = key if best is None else min(best, key)
    return best, furthest


@pytest.mark.parametrize("seed", range(6))
def test_it_finds_the_smallest_largest_edge_then_the_smallest_total(seed):
    rng = np.random.default_rng(seed)
    for _ in range(60):
        count, steps = int(rng.integers(1, 4)), int(rng.integers(0, 7))
        edges = rng.uniform(0.0, 1.0, (count, count, steps))
        edges[rng.random(edges.shape) < rng.choice([0.0, 0.3, 0.6])] = np.inf
        rank = rng.uniform(0.0, 1.0, count)
        rank[rng.random(count) < 0.2] = np.inf
        best, furthest = all_ways(edges, rank)
        way = cheapest_way(edges, rank)
        assert (way is None) == (best is None)
        assert reach(edges, np.isfinite(rank))[0] == furthest
        if way is not None:
            costs = [edges[way[i], way[i + 1], i] for i in range(steps)]
            assert len(way) == steps + 1
            assert max(costs, default=0.0) == best[0]
            assert sum(costs) == pytest.approx(best[1], abs=1e-12)


def test_pairs_in_one_pass_would_be_wrong():
    # To state 0 of layer 1: (0.5, 0.5) by s, (0.4, 0.7) by t. The better pair there loses later.
    edges = np.full((2, 2, 2), np.inf)
    edges[0, 0, 0], edges[1, 0, 0] = 0.5, 0.4
    edges[0, 0, 1] = 0.6
    assert cheapest_way(edges, np.zeros(2)).tolist() == [1, 0, 0]
    edges[0, 0, 0], edges[1, 0, 0] = 0.3, 0.4
    assert cheapest_way(edges, np.zeros(2)).tolist() == [0, 0, 0]


def test_a_tie_between_starts_goes_to_the_nearer_one():
    edges = np.full((2, 2, 5), np.inf)
    edges[0, 0] = edges[1, 1] = 0.1
    assert cheapest_way(edges, np.array([0.2, 0.1])).tolist() == [1] * 6
    assert cheapest_way(edges, np.array([0.1, 0.1])).tolist() == [0] * 6


def test_nothing_usable_at_the_start_is_no_way():
    rank = np.full(2, np.inf)
    assert cheapest_way(np.zeros((2, 2, 0)), rank) is None
    assert cheapest_way(np.zeros((2, 2, 3)), rank) is None
    assert reach(np.zeros((2, 2, 3)), np.isfinite(rank))[0] == -1


@pytest.mark.parametrize("count", [2, 3])
def test_blocks_choose_the_same_way_as_one_tree(count, monkeypatch):
    rng = np.random.default_rng(5)
    refused = 0
    for steps in [1, 7, 8, 9, 15, 16, 17, 63, 64, 65, *rng.integers(1, 400, 60).tolist()]:
        edges = rng.uniform(0.1, 1.0, (count, count, steps)).round(2)
        edges[rng.random(edges.shape) < 0.2] = np.inf
        rank = rng.uniform(0.0, 1.0, count)
        monkeypatch.setattr(layered_graph, "_BLOCK", 1 << 15)
        whole = cheapest_way(edges, rank)
        monkeypatch.setattr(layered_graph, "_BLOCK", 8)
        blocks = cheapest_way(edges, rank)
        refused += whole is None
        assert (whole is None) == (blocks is None)
        if whole is not None:
            np.testing.assert_array_equal(blocks, whole)
    assert refused < 60
