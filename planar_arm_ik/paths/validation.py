"""Validation of a found way: the motions between waypoints, then the plan or the refusal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.angles import TURN
from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.inverse.explain import singular
from planar_arm_ik.paths.densify import DenseLine
from planar_arm_ik.paths.plan import PathPlan
from planar_arm_ik.paths.problem import PathProblem
from planar_arm_ik.paths.refusal import (
    Refusal,
    blocked,
    collision,
    line_refusal,
    refuse,
)
from planar_arm_ik.paths.search import Way
from planar_arm_ik.status import IkStatus


def validated(problem: PathProblem, way: Way) -> PathPlan:
    """Check what lies between the waypoints of a way: lines, keep-out shapes; and report.

    Args:
        problem: the path.
        way: the states that were chosen; shorter than the path where the search failed.

    Returns:
        The plan, or the first failure along the path.
    """
    states, n = way.states, len(problem.request.points)
    failure = blocked(problem, way) if len(states) < n else None
    if len(states) == 0:
        return refuse(problem, failure or Refusal(IkStatus.INVALID_INPUT, 0, 0.0, ""))
    off = _off_lines(problem, states)
    if off.any():
        index = int(np.argmax(off))
        failure = line_refusal(problem, int(states[index]), int(states[index + 1]), index + 1)
        states = states[: index + 1]
    dense = problem.densified(states, ~problem.switches(states))
    if dense.stuck >= 0:
        failure = Refusal(
            IkStatus.LINE_TOLERANCE,
            dense.stuck + 1,
            dense.stuck_t,
            "no joint move follows the line here: the shoulder would have to turn in place",
        )
    touch = problem.touches(dense.q)
    hit = np.isfinite(touch)
    if hit.any() and (failure is None or _sooner(dense, int(np.argmax(hit)), failure)):
        failure = collision(problem, dense, touch)
    return refuse(problem, failure) if failure else _accept(problem, states, dense)


def _sooner(dense: DenseLine, row: int, failure: Refusal) -> bool:
    return (int(dense.line[row]) + 1, float(dense.t[row])) < (failure.index, failure.t + 1e-12)


def _off_lines(problem: PathProblem, states: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Steps of a sequence that do not follow the straight line, shape (n - 1,)."""
    n = len(states) - 1
    off = np.zeros(n, dtype=np.bool_)
    if problem.request.line_tolerance is None:
        return off
    count = len(problem.lattice.states)
    for source in range(count):
        for to in range(count):
            here = (states[:-1] == source) & (states[1:] == to)
            if here.any():
                off |= here & problem.off_line(source, to)[:n]
    return off


def _accept(problem: PathProblem, states: NDArray[np.integer[Any]], dense: DenseLine) -> PathPlan:
    """Report on a path that passed."""
    request = problem.request
    size = problem.step_sizes(states)
    index = int(np.argmax(size)) + 1 if len(size) else -1
    tip = request.points[index] - request.points[index - 1] if index > 0 else np.zeros(2)
    branches = problem.branches(states)
    sigma = smallest_sigma_min(request.arm, dense.q[:, 1])
    status, text = IkStatus.OK, ""
    if sigma < request.ring.threshold:
        status, text = IkStatus.SINGULAR, singular(sigma, request.ring.threshold)
    return PathPlan(
        status,
        dense.q,
        branches[dense.line],
        dense.line,
        largest_step=float(size[index - 1]) if index > 0 else 0.0,
        largest_step_index=index,
        largest_step_tip=float(np.hypot(*tip)),
        jumps=np.flatnonzero(problem.switches(states)) + 1,
        limit_margin=limit_margin(request.arm, dense.q),
        sigma_min=sigma,
        message=text,
    )


def smallest_sigma_min(arm: PlanarArm, q2: Array) -> float:
    """Smallest singular value of the Jacobian along a path [m/rad].

    Over |q2| from 0 to pi it rises to one maximum and falls, so the ends of its range will do.
    """
    fold = np.array((q2.min(), q2.max()))
    if fold[0] < -math.pi or fold[1] > math.pi or fold[0] < 0.0 < fold[1]:
        bent = np.abs(q2 - TURN * np.round(q2 / TURN))
        fold = np.array((bent.min(), bent.max()))
    return float(arm.singular_values(np.stack((fold, fold), axis=1))[:, 1].min())


def limit_margin(arm: PlanarArm, q: Array) -> float:
    """Smallest distance of a path to any joint limit [rad]."""
    margins = [
        min(column.min() - joint.lower, joint.upper - column.max())
        for column, joint in zip(q.T, arm.joints, strict=True)
        if not joint.unbounded
    ]
    return float(min(margins, default=math.inf))
