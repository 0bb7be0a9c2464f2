"""The scan over maps, against the plain loop it stands for, bit for bit."""

import numpy as np
import pytest

from planar_arm_ik.paths.greedy import BLOCKED, pick, scan, walk


@pytest.mark.parametrize("count", [1, 2, 3, 6])
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 8, 17, 301])
@pytest.mark.parametrize("still", [0.0, 0.5, 1.0])
def test_the_scan_is_the_loop(count, steps, still):
    rng = np.random.default_rng(count * 1000 + steps)
    maps = rng.integers(0, count, (count, steps))
    keep = rng.random(steps) < still
    maps[:, keep] = np.arange(count)[:, None]
    state = int(rng.integers(count))
    wanted = [state]
    for step in range(steps):
        wanted.append(int(maps[wanted[-1], step]))
    assert scan(maps, state).tolist() == wanted


def loop(usable, branch_of, motion, distance, first, among, own):
    """The rule waypoint by waypoint, one state at a time."""
    states = [first]
    for step in range(usable.shape[1] - 1):
        near = np.full((len(among), 1), BLOCKED)
        for row, to in enumerate(among):
            if usable[to, step + 1]:
                dq1, dq2 = motion(states[-1], to, slice(None))
                near[row] = distance(dq1[step : step + 1], dq2[step : step + 1])
        costs = None
        if own is not None:
            costs = np.where(near < BLOCKED, own[list(among), step + 1][:, None], BLOCKED)
        states.append(among[int(pick(costs, [branch_of[a] for a in among], near)[0])])
    return states


@pytest.mark.parametrize("branches", [(1, -1), (1, 1, -1), (1, 1, -1, -1), (1, 1)])
@pytest.mark.parametrize("by_cost", [False, True])
def test_the_walk_is_the_loop(branches, by_cost):
    rng = np.random.default_rng(len(branches))
    for _ in range(20):
        count, layers = len(branches), int(rng.integers(1, 40))
        q = rng.uniform(-3.0, 3.0, (2, count, layers))
        usable = rng.random((count, layers)) < 0.8
        usable[0] = True
        own = rng.uniform(-1.0, 1.0, (count, layers)) if by_cost else None

        def motion(source, to, part, q=q):
            return tuple((row[to, 1:] - row[source, :-1])[part] for row in q)

        distance = lambda a, b: a * a + b * b  # noqa: E731
        among = tuple(range(count))
        walked = walk(usable, branches, motion, distance, 0, among, among, own)
        assert walked.tolist() == loop(usable, branches, motion, distance, 0, among, own)


def test_a_tie_goes_to_the_positive_branch():
    near = np.array([[1.0, 1.0, BLOCKED], [1.0, 1.0 - 1e-9, 1.0]])
    assert pick(None, (1, -1), near).tolist() == [0, 1, 1]
    assert pick(-near, (1, -1), near).tolist() == [0, 0, 0]
