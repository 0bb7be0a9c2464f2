"""Whole paths of the tip: accepted whole, or refused whole with the reason and the place."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planar_arm_ik.arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse import BOUNDARY_TOLERANCE
from planar_arm_ik.solution import IkCandidate, IkSolution
from planar_arm_ik.solver import solve
from planar_arm_ik.status import Branch, IkStatus


def _no_rows() -> Array:
    return np.empty((0, 2))


def _no_indices() -> NDArray[np.int64]:
    return np.empty(0, dtype=np.int64)


def _no_branches() -> NDArray[np.int8]:
    return np.empty(0, dtype=np.int8)


@dataclass(frozen=True, eq=False)
class PathPlan:
    """A joint path for a tip path, or the place where it fails.

    Args:
        status: OK or SINGULAR (usable), else why the whole path is refused.
        q: joint angles [rad], shape (M, 2); empty when refused.
        branches: elbow branch per row of q, shape (M,).
        waypoint_index: index of the given waypoint each row belongs to, shape (M,).
        failed_index: first waypoint that fails, -1 when none does.
        fraction: part of the tip path's length before the failure, 0 to 1.
        largest_step: largest |dq| of one joint between neighbouring waypoints [rad], the step
            into a refused waypoint included.
        largest_step_index: waypoint at which that step ends, -1 without steps.
        message: one sentence; empty when the status is OK.
    """

    status: IkStatus
    q: Array = field(default_factory=_no_rows)
    branches: NDArray[np.int8] = field(default_factory=_no_branches)
    waypoint_index: NDArray[np.int64] = field(default_factory=_no_indices)
    failed_index: int = -1
    fraction: float = 1.0
    largest_step: float = 0.0
    largest_step_index: int = -1
    message: str = ""

    @property
    def ok(self) -> bool:
        """Whether the whole path is usable."""
        return self.status >= 0


def plan_path(
    arm: PlanarArm,
    waypoints: ArrayLike,
    start: ArrayLike | None = None,
    rule: str = "nearest",
    max_joint_step: float = math.inf,
    *,
    allow_branch_switch: bool = False,
    metric: str = "l2",
    weights: tuple[float, float] = (1.0, 1.0),
    singular_threshold: float | None = None,
    boundary_tolerance: float = BOUNDARY_TOLERANCE,
) -> PathPlan:
    """Solve a path waypoint by waypoint, each seeded by the last.

    Args:
        arm: the arm.
        waypoints: tip positions (x, y) in the base frame [m], shape (N, 2).
        start: joint angles before the path [rad]; the approach from there is no step.
        rule: branch rule, see :func:`planar_arm_ik.solve`.
        max_joint_step: largest |dq| per joint between neighbouring waypoints [rad].
        allow_branch_switch: accept a path that changes its elbow between waypoints.
        metric: joint distance of the rule `nearest`.
        weights: weights of the joints in that distance.
        singular_threshold: see :func:`planar_arm_ik.solve`.
        boundary_tolerance: see :func:`planar_arm_ik.solve`.

    Returns:
        The plan, or the first failure with its index, reason and fraction.

    Raises:
        PlanarArmError: waypoints are not of shape (N, 2), or as :func:`planar_arm_ik.solve`.
    """
    points = np.asarray(waypoints, dtype=np.float64)
    if points.size == 0:
        return PathPlan(IkStatus.INVALID_INPUT, message="the path has no waypoints", fraction=0.0)
    if points.ndim != 2 or points.shape[1] != 2:
        raise PlanarArmError(f"waypoints have shape {points.shape}; the rule is (N, 2)")
    rows: list[IkSolution] = []
    seed = start
    largest, largest_index, singular = 0.0, -1, ""
    for index, point in enumerate(points):
        answer = solve(
            arm,
            point,
            seed,
            rule,
            metric=metric,
            weights=weights,
            singular_threshold=singular_threshold,
            boundary_tolerance=boundary_tolerance,
        )
        status, message = answer.status, answer.message
        if rows and answer.q is not None and rows[-1].q is not None:
            step = float(np.max(np.abs(answer.q - rows[-1].q)))
            if step > largest:
                largest, largest_index = step, index
            if answer.branch is not rows[-1].branch and not allow_branch_switch:
                status, message = _switch(answer, rows[-1].branch, step)
            elif step > max_joint_step:
                status = IkStatus.JOINT_STEP
                message = f"a joint step of {step:.4g} rad is above {max_joint_step:.4g} rad"
        if status < 0:
            return PathPlan(
                status,
                failed_index=index,
                fraction=_fraction(points, index),
                largest_step=largest,
                largest_step_index=largest_index,
                message=f"waypoint {index} ({point[0]:.6g}, {point[1]:.6g}) m: {message}",
            )
        singular = singular or answer.message
        rows.append(answer)
        seed = answer.q
    return PathPlan(
        IkStatus.SINGULAR if singular else IkStatus.OK,
        np.array([row.q for row in rows]),
        np.array([row.branch for row in rows], dtype=np.int8),
        np.arange(len(rows)),
        largest_step=largest,
        largest_step_index=largest_index,
        message=singular,
    )


def _switch(answer: IkSolution, in_use: Branch, step: float) -> tuple[IkStatus, str]:
    """Why a change of elbow is refused: the branch in use is blocked, or the rule jumps."""
    kept = _candidate(answer, in_use)
    if not kept.usable:
        return kept.status, (
            f"the {in_use.name.lower()} branch in use is blocked ({kept.status.name} "
            f"{kept.limiting_joint}); the other branch would do"
        )
    return IkStatus.BRANCH_SWITCH, (
        f"the rule leaves the {in_use.name.lower()} branch, a joint step of {step:.4g} rad "
        "through full stretch or fold"
    )


def _candidate(answer: IkSolution, branch: Branch) -> IkCandidate:
    return next(candidate for candidate in answer.candidates if candidate.branch is branch)


def _fraction(points: Array, index: int) -> float:
    """Part of the path's length up to the last good waypoint."""
    lengths = np.hypot(*np.diff(points[np.isfinite(points).all(axis=1)], axis=0).T)
    total = float(lengths.sum())
    done = float(lengths[: max(index - 1, 0)].sum())
    return done / total if total > 0.0 else 0.0
