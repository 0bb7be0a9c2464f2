"""Inverse kinematics of many targets at once, with the answers of the scalar solver.

Targets are taken in blocks that stay in the processor's cache; each block goes through a few
dozen array passes and no Python loop over targets. Results are kept by component (one contiguous
array per branch and joint) and shown in the shapes a caller expects.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.arm.ring import BOUNDARY_TOLERANCE
from planar_arm_ik.batch.block import BLOCK, BlockSolver
from planar_arm_ik.batch.columns import Columns, IkBatch, IkChoice, batch_room, choice_room
from planar_arm_ik.door import (
    ARM,
    EVERY_ROW,
    NUMBER,
    NUMBERS,
    OBSTACLES,
    PAIR,
    WORD,
    Kind,
    one_of,
    optional,
    takes,
)
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.question import Question, ask
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.status import IkStatus


@takes(
    arm=ARM,
    targets=EVERY_ROW,
    seed=optional(EVERY_ROW),
    rule=optional(WORD),
    max_joint_step=NUMBER,
    out=optional(one_of("an IkBatch", "IkBatch")),
    progress=optional(Kind("a function of two numbers", callable)),
    metric=WORD,
    weights=PAIR,
    singular_threshold=optional(NUMBER),
    boundary_tolerance=NUMBER,
    obstacles=OBSTACLES,
)
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
    obstacles: Obstacles | None = None,
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
        obstacles: keep-out shapes; a pose that touches one is not usable.

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
    asked = rule or "nearest"
    question = ask(
        arm, asked, max_joint_step, metric, weights, singular_threshold, boundary_tolerance
    )
    n = len(points)
    seeds = _seeds(seed, n)
    result = batch_room(n, rule is not None) if out is None else _checked(out, n, rule is not None)
    columns = (points[:, 0], points[:, 1])
    solve_columns(question, columns, seeds, Columns.of(result), progress, obstacles)
    return result


@takes(
    arm=ARM,
    x=NUMBERS,
    y=NUMBERS,
    seed=optional(EVERY_ROW),
    rule=WORD,
    metric=WORD,
    weights=PAIR,
    singular_threshold=optional(NUMBER),
    boundary_tolerance=NUMBER,
    obstacles=OBSTACLES,
)
def choose_batch(
    arm: PlanarArm,
    x: ArrayLike,
    y: ArrayLike,
    seed: ArrayLike | None = None,
    rule: str = "nearest",
    *,
    metric: str = "l2",
    weights: tuple[float, float] = (1.0, 1.0),
    singular_threshold: float | None = None,
    boundary_tolerance: float = BOUNDARY_TOLERANCE,
    obstacles: Obstacles | None = None,
) -> IkChoice:
    """Find the chosen angles of many targets and keep nothing else; see :func:`solve_batch`.

    Args:
        arm: the arm.
        x: tip positions in the base frame [m], shape (N,).
        y: as many.
        seed: joint angles (q1, q2) [rad] to stay near to, shape (2,) for all or (N, 2).
        rule: as of :func:`planar_arm_ik.solve`, and so on.
        metric: as before.
        weights: as before.
        singular_threshold: as before.
        boundary_tolerance: as before.
        obstacles: keep-out shapes; a pose that touches one is not usable.

    Returns:
        What the rule chose.

    Raises:
        PlanarArmError: as of :func:`solve_batch`.
    """
    columns = np.asarray(x), np.asarray(y)
    n = columns[0].size
    if columns[0].shape != (n,) or columns[1].shape != (n,):
        raise PlanarArmError(
            f"x of shape {columns[0].shape} and y of {columns[1].shape} must be as long"
        )
    question = ask(arm, rule, math.inf, metric, weights, singular_threshold, boundary_tolerance)
    choice = choice_room(n)
    seeds = _seeds(seed, n)
    result = Columns(None, None, Columns.chosen_of(choice))
    solve_columns(question, columns, seeds, result, obstacles=obstacles)
    return choice


def solve_columns(
    question: Question,
    targets: tuple[Any, Any],
    seeds: Array | None,
    columns: Columns,
    progress: Callable[[int, int], None] | None = None,
    obstacles: Obstacles | None = None,
) -> None:
    """Solve targets x and y [m] block by block; see :func:`solve_batch`."""
    n = len(targets[0])
    if seeds is None and question.needs_seed:
        columns.refuse(IkStatus.INVALID_INPUT)
        return
    solver = BlockSolver(question, seeds, min(n, BLOCK), obstacles)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for start in range(0, n, BLOCK):
            stop = min(start + BLOCK, n)
            solver.solve(targets, slice(start, stop), columns)
            if progress is not None:
                progress(stop, n)


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


def _checked(out: IkBatch, n: int, choice: bool) -> IkBatch:
    if len(out.q) != n or (out.chosen is None) == choice:
        raise PlanarArmError(
            f"out for {len(out.q)} targets, {'with' if out.chosen else 'without'} a choice, must "
            f"be for {n}, {'with' if choice else 'without'} one"
        )
    return out
