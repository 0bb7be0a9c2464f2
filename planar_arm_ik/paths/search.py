"""Choosing a state per waypoint: greedily by the rule, or globally."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.inverse.branches import TIE, Rule
from planar_arm_ik.paths.greedy import BLOCKED, pick, walk
from planar_arm_ik.paths.lattice import Mask
from planar_arm_ik.paths.layered_graph import cheapest_way, reach
from planar_arm_ik.paths.problem import PathProblem

Indices = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Way:
    """States for the first waypoints of a path.

    Args:
        states: a state per waypoint up to the failure, shape (n,); n = N when nothing fails.
        picked: the state the rule wanted next where it fails, -1 when nothing is usable.
    """

    states: Indices
    picked: int = -1


def greedy_way(problem: PathProblem) -> Way:
    """Apply the rule waypoint by waypoint.

    The way ends before the first waypoint where nothing is usable, the elbow would leave its
    branch unasked, or the joint step is too large.
    """
    request, lattice = problem.request, problem.lattice
    among = problem.among
    nearness = problem.start_distance()
    own = _own_cost(problem)
    if not np.isfinite(nearness[list(among)]).any():
        return Way(np.empty(0, dtype=np.intp))
    nearness = np.where(np.isfinite(nearness), nearness, BLOCKED)
    costs = None if own is None else np.where(nearness < BLOCKED, own[:, 0], BLOCKED)
    first = _pick_first(problem, costs, nearness)
    # A line leads to one pose per elbow: on lines the nearest is the elbow in use.
    on_line = request.rule is Rule.NEAREST and request.line_tolerance is not None
    if request.rule is Rule.KEEP or on_line:
        among = tuple(index for index in among if problem.same_branch(index, first))
    sources = among
    if not request.allow_branch_switch:
        sources = tuple(index for index in among if problem.same_branch(index, first))
    branch_of = tuple(state.branch for state in lattice.states)
    states = walk(
        lattice.usable, branch_of, problem.motion, request.distance, first, among, sources, own
    )
    fails = ~problem.usable_along(states)
    fails[1:] |= problem.refused_steps(states)
    end = int(np.argmax(fails)) if fails.any() else len(states)
    nothing_left = end < len(states) and not lattice.usable[states[end], end]
    picked = -1 if end == len(states) or nothing_left else int(states[end])
    return Way(states[:end], picked)


def _pick_first(problem: PathProblem, costs: Array | None, nearness: Array) -> int:
    among = list(problem.among)
    branches = tuple(problem.lattice.states[index].branch for index in among)
    own = None if costs is None else costs[among, None]
    return among[int(pick(own, branches, nearness[among, None])[0])]


def _own_cost(problem: PathProblem) -> Array | None:
    """What each state costs by itself, shape (S, N); None for rules that go by distance."""
    lattice, arm = problem.lattice, problem.request.arm
    if problem.request.rule is Rule.MIN_SHOULDER:
        return np.abs(lattice.q1)
    if problem.request.rule is Rule.LIMIT_MARGIN:
        return -np.minimum(
            np.minimum(lattice.q1 - arm.joint1.lower, arm.joint1.upper - lattice.q1),
            np.minimum(lattice.q2 - arm.joint2.lower, arm.joint2.upper - lattice.q2),
        )
    if problem.request.rule is Rule.CLEARANCE and problem.request.obstacles is not None:
        q = np.stack((lattice.q1, lattice.q2), axis=-1)
        return -problem.request.obstacles.clearance(arm, q)
    return None


def edge_costs(problem: PathProblem) -> Array:
    """Joint step of every step the checks let pass, inf for the others, shape (S, S, N - 1)."""
    request, lattice = problem.request, problem.lattice
    count, n = lattice.usable.shape
    edges = np.full((count, count, n - 1), np.inf)
    for source in problem.among:
        for to in problem.among:
            if not (request.allow_branch_switch or problem.same_elbow(source, to)):
                continue
            dq1, dq2 = problem.motion(source, to)
            step = np.maximum(np.abs(dq1), np.abs(dq2))
            passes: Mask = lattice.usable[source, :-1] & lattice.usable[to, 1:]
            passes &= step <= request.max_joint_step
            if request.line_tolerance is not None:
                passes &= ~problem.off_line(source, to)
            passes &= ~problem.touched(source, to, passes)
            edges[source, to] = np.where(passes, step, np.inf)
    return edges


def global_way(problem: PathProblem) -> Way:
    """Search the whole path: smallest largest step first, then the smallest total.

    Ties between starts go to the one nearest to `start`, then to the positive branch. When no way
    exists, the way to the furthest waypoint any reaches.
    """
    rank = problem.start_distance()
    barred = np.ones(len(rank), dtype=np.bool_)
    barred[list(problem.among)] = False
    rank[barred] = np.inf
    rank = np.where(rank <= rank.min() + TIE, rank.min(), rank)
    edges = edge_costs(problem)
    states = cheapest_way(edges, rank)
    if states is not None:
        return Way(states)
    furthest, _ = reach(edges, np.isfinite(rank))
    if furthest < 0:
        return Way(np.empty(0, dtype=np.intp))
    way = cheapest_way(edges[:, :, :furthest], rank)
    return Way(np.empty(0, dtype=np.intp) if way is None else way)
