"""Inverse kinematics of many targets at once, with the answers of the scalar solver.

Targets are taken in blocks that stay in the processor's cache; each block goes through a few
dozen array passes and no Python loop over targets. Results are kept by component (one contiguous
array per branch and joint) and shown in the shapes a caller expects.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planar_arm_ik.arm import Array, PlanarArm
from planar_arm_ik.block import BLOCK, BlockSolver, Columns
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.question import ask, known
from planar_arm_ik.ring import BOUNDARY_TOLERANCE
from planar_arm_ik.status import IkStatus


@dataclass(frozen=True, eq=False, slots=True)
class IkChoice:
    """What a rule chose for each of N targets.

    Args:
        q: chosen angles [rad], shape (N, 2); NaN without an answer.
        status: outcome each, as of :func:`planar_arm_ik.solve`, shape (N,), int8.
        branch: 1 positive, -1 negative, 0 without an answer, shape (N,), int8.
    """

    q: Array
    status: NDArray[np.int8]
    branch: NDArray[np.int8]

    @property
    def failed_index(self) -> int:
        """Index of the first target without an answer, -1 when all have one."""
        failed = self.status < 0
        first = int(failed.argmax()) if failed.size else 0
        return first if failed.size and failed[first] else -1


@dataclass(frozen=True, eq=False, slots=True)
class IkBatch:
    """Both elbows for each of N targets.

    Args:
        q: joint angles [rad], shape (N, 2, 2): target, branch (positive, negative), joint; NaN
            where a branch is refused. The memory lies by component: ``q[:, 0, 1]`` is contiguous.
        status: outcome of both branches, shape (N, 2), int8: OK or SINGULAR when usable.
        chosen: what the rule chose, or None when none was given.
    """

    q: Array
    status: NDArray[np.int8]
    chosen: IkChoice | None


def solve_batch(
    arm: PlanarArm,
    targets: ArrayLike,
    seed: ArrayLike | None = None,
    rule: str | None = None,
    max_joint_step: float = math.inf,
    metric: str = "l2",
    weights: tuple[float, float] = (1.0, 1.0),
    *,
    singular_threshold: float | None = None,
    boundary_tolerance: float = BOUNDARY_TOLERANCE,
    out: IkBatch | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> IkBatch:
    """Find both elbows for many targets, and choose between them when a rule is given.

    Args:
        arm: the arm.
        targets: tip positions (x, y) in the base frame [m], shape (N, 2).
        seed: joint angles (q1, q2) [rad] to stay near to, shape (2,) for all or (N, 2).
        rule: as of :func:`planar_arm_ik.solve`; None to choose nothing.
        max_joint_step: as of :func:`planar_arm_ik.solve`, and so on.
        metric: as before.
        weights: as before.
        singular_threshold: as before.
        boundary_tolerance: as before.
        out: a result for as many targets whose memory is used again.
        progress: called with (targets done, all targets) after each block.

    Returns:
        Statuses and angles, element for element those of :func:`planar_arm_ik.solve`. Targets or
        seeds that are not finite are INVALID_INPUT.

    Raises:
        PlanarArmError: an unknown rule or metric, or an argument of the wrong shape or range.
    """
    points = np.asarray(targets)
    if points.ndim != 2 or points.shape[1] != 2 or points.dtype.kind not in "fiu":
        raise PlanarArmError(
            f"targets of shape {points.shape} and type {points.dtype} must be numbers of "
            "shape (N, 2)"
        )
    key = (rule or "nearest", max_joint_step, metric, weights, singular_threshold)
    question = known(arm, (*key, boundary_tolerance)) or ask(arm, *key, boundary_tolerance)
    n = len(points)
    seeds = _seeds(seed, n)
    result = _room(n, rule is not None) if out is None else _checked(out, n, rule is not None)
    if seeds is None and question.needs_seed:
        return _all_invalid(result)
    solver = BlockSolver(question, seeds, rule is not None, min(n, BLOCK))
    columns = Columns.of(result)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for start in range(0, n, BLOCK):
            stop = min(start + BLOCK, n)
            solver.solve(points, slice(start, stop), columns)
            if progress is not None:
                progress(stop, n)
    return result


def _seeds(seed: ArrayLike | None, n: int) -> Array | None:
    if seed is None:
        return None
    try:
        seeds = np.asarray(seed, dtype=np.float64)
    except (TypeError, ValueError):
        raise PlanarArmError(f"seed (q1, q2) must be numbers, got {seed!r}") from None
    if seeds.shape not in ((2,), (n, 2)):
        raise PlanarArmError(f"seed of shape {seeds.shape} must have shape (2,) or ({n}, 2)")
    return seeds


def _room(n: int, choice: bool) -> IkBatch:
    """Make arrays by component, seen by target."""
    chosen = None
    if choice:
        chosen = IkChoice(np.empty((2, n)).T, np.empty(n, np.int8), np.empty(n, np.int8))
    q, status = np.empty((2, 2, n)), np.empty((2, n), np.int8)
    return IkBatch(q.transpose(2, 0, 1), status.T, chosen)


def _checked(out: IkBatch, n: int, choice: bool) -> IkBatch:
    if len(out.q) != n or (out.chosen is None) == choice:
        raise PlanarArmError(
            f"out for {len(out.q)} targets, {'with' if out.chosen else 'without'} a choice, must "
            f"be for {n}, {'with' if choice else 'without'} one"
        )
    return out


def _all_invalid(result: IkBatch) -> IkBatch:
    result.q.fill(math.nan)
    result.status.fill(IkStatus.INVALID_INPUT)
    if result.chosen is not None:
        result.chosen.q.fill(math.nan)
        result.chosen.status.fill(IkStatus.INVALID_INPUT)
        result.chosen.branch.fill(0)
    return result
