"""Inverse kinematics of one target: both elbows, checks, and the rule that chooses."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import LARGEST_ANGLE, PlanarArm
from planar_arm_ik.arm.reachable import nearest_reachable
from planar_arm_ik.arm.ring import BOUNDARY_TOLERANCE
from planar_arm_ik.door import ARM, MISTAKES, NUMBER, OBSTACLES, PAIR, WORD, optional, require_each
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse import explain
from planar_arm_ik.inverse.branches import Rule, branch_of, choose, wanted_branch
from planar_arm_ik.inverse.closed_form import both_branches, reach_status
from planar_arm_ik.inverse.question import Pair, Question, ask
from planar_arm_ik.inverse.solution import IkCandidate, IkSolution
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.status import Branch, IkStatus

_NONE, _KEEP = Branch.NONE, Rule.KEEP
_NOWHERE: Pair = (0.0, 0.0)


_TAKES = {
    "arm": ARM,
    "target": PAIR,
    "seed": optional(PAIR),
    "rule": WORD,
    "max_joint_step": NUMBER,
    "metric": WORD,
    "weights": PAIR,
    "singular_threshold": optional(NUMBER),
    "boundary_tolerance": NUMBER,
    "obstacles": OBSTACLES,
}


def solve(
    arm: PlanarArm,
    target: ArrayLike,
    seed: ArrayLike | None = None,
    rule: str = "nearest",
    max_joint_step: float = math.inf,
    metric: str = "l2",
    weights: tuple[float, float] = (1.0, 1.0),
    *,
    singular_threshold: float | None = None,
    boundary_tolerance: float = BOUNDARY_TOLERANCE,
    obstacles: Obstacles | None = None,
) -> IkSolution:
    """Find joint angles that put the tip on a target.

    Args:
        arm: the arm.
        target: tip position (x, y) in the base frame [m], shape (2,).
        seed: joint angles (q1, q2) [rad] to stay near to; None for (0, 0) with angles in
            (-pi, pi].
        rule: nearest, keep, positive, negative, min_shoulder, limit_margin or clearance.
        max_joint_step: largest |q - seed| per joint [rad] an answer may have; needs a seed.
        metric: joint distance of the rule `nearest`: l2, l1 or linf of (w1 dq1, w2 dq2).
        weights: (w1, w2), positive.
        singular_threshold: sigma_min below which an answer is SINGULAR [m/rad]; None for the
            arm's default.
        boundary_tolerance: rounding band at both edges of the ring, fraction of the reach.
        obstacles: keep-out shapes; a pose that touches one is not usable.

    Returns:
        An answer or a refusal; non-finite numbers are refused as INVALID_INPUT.

    Raises:
        PlanarArmError: an unknown rule or metric, or an argument of the wrong shape or range.
    """
    try:
        question = ask(
            arm, rule, max_joint_step, metric, weights, singular_threshold, boundary_tolerance
        )
        x, y = _pair(target, "target (x, y)")
        return solve_question(
            question, x, y, None if seed is None else _pair(seed, "seed (q1, q2)"), obstacles
        )
    except PlanarArmError:
        raise
    except MISTAKES:  # without the wrapper of `takes`: this is every call
        require_each(_TAKES, locals())
        raise


def solve_question(
    question: Question, x: float, y: float, seed: Pair | None, obstacles: Obstacles | None = None
) -> IkSolution:
    """Solve one target for a question that was checked before; see :func:`solve`.

    Args:
        question: arm, rule and tolerances.
        x: tip position in the base frame [m].
        y: as before.
        seed: joint angles (q1, q2) [rad] or None.
        obstacles: keep-out shapes.

    Returns:
        An answer or a refusal; non-finite numbers are refused as INVALID_INPUT.
    """
    reference, seed_branch = _NOWHERE, _NONE
    if seed is not None:
        reference = seed
        if not (abs(reference[0]) <= LARGEST_ANGLE and abs(reference[1]) <= LARGEST_ANGLE):
            return _refused(IkStatus.INVALID_INPUT, explain.bad_seed(reference, LARGEST_ANGLE))
        if question.rule is _KEEP:
            seed_branch = branch_of(reference[1])
    elif question.needs_seed:
        return _refused(IkStatus.INVALID_INPUT, f"{question.needs_seed} needs a seed")
    ring = question.ring
    if not ring.closest <= x * x + y * y <= ring.farthest:
        return _out_of_reach(question, x, y)
    positive, negative, sigma = both_branches(question, x, y, reference)
    if obstacles is not None:
        positive, negative = (
            _kept_out(question.arm, candidate, obstacles) for candidate in (positive, negative)
        )
    wanted = wanted_branch(question.rule, seed_branch)
    chosen = choose(question.rule, positive, negative, wanted)
    if chosen is None:
        return _no_choice(question, (x, y), reference, (positive, negative), wanted, sigma)
    text = explain.singular(sigma, ring.threshold) if chosen.status > 0 else ""
    both = (positive, negative)
    return IkSolution(chosen.status, chosen.q, chosen.branch, both, 0.0, None, sigma, text)


def _kept_out(arm: PlanarArm, candidate: IkCandidate, obstacles: Obstacles) -> IkCandidate:
    """Grade a candidate by its clearance from the keep-out shapes."""
    name, _, clearance = obstacles.nearest(arm, candidate.q)
    touches = candidate.status is not IkStatus.JOINT_LIMIT and clearance <= 0.0
    status = IkStatus.COLLISION if touches else candidate.status
    return candidate._replace(status=status, clearance=clearance, obstacle=name)


def _pair(value: Any, what: str) -> Pair:
    try:
        first, second = value
        if type(first) is float and type(second) is float:
            return first, second
        if isinstance(first, (str, bool, np.bool_)) or isinstance(second, (str, bool, np.bool_)):
            raise TypeError
        return float(first), float(second)
    except (TypeError, ValueError):
        raise PlanarArmError(f"{what} must be two numbers, got {value!r}") from None


def _refused(status: IkStatus, message: str) -> IkSolution:
    return IkSolution(status, None, Branch.NONE, (), 0.0, None, 0.0, message)


def _out_of_reach(question: Question, x: float, y: float) -> IkSolution:
    if not (math.isfinite(x) and math.isfinite(y)):
        return _refused(IkStatus.INVALID_INPUT, f"target ({x}, {y}) m must be finite")
    arm, status = question.arm, reach_status(question.ring, x * x + y * y)
    r = min(math.hypot(x, y), sys.float_info.max)
    edge = arm.outer_radius if status is IkStatus.TOO_FAR else arm.inner_radius
    nearest = nearest_reachable(arm, (x, y))
    text = explain.out_of_reach(arm, r)
    return IkSolution(status, None, Branch.NONE, (), r - edge, nearest, 0.0, text)


def _no_choice(
    question: Question,
    target: tuple[float, float],
    seed: tuple[float, float],
    both: tuple[IkCandidate, IkCandidate],
    wanted: Branch,
    sigma: float,
) -> IkSolution:
    status = _why_none(question.rule, both, wanted)
    text = explain.no_choice(question.arm, *both, wanted, seed, question.max_joint_step)
    nearest = None
    if all(candidate.status is IkStatus.JOINT_LIMIT for candidate in both):
        nearest = nearest_reachable(question.arm, target)
    return IkSolution(status, None, Branch.NONE, both, 0.0, nearest, sigma, text)


#: Where both branches are refused, the status that is named first.
_PRECEDENCE = (IkStatus.JOINT_LIMIT, IkStatus.COLLISION, IkStatus.JOINT_STEP)


def _why_none(rule: Rule, both: tuple[IkCandidate, IkCandidate], wanted: Branch) -> IkStatus:
    if wanted is Branch.NONE:
        return min((candidate.status for candidate in both), key=_PRECEDENCE.index)
    refused, other = both if wanted is Branch.POSITIVE else both[::-1]
    if rule is Rule.KEEP and other.usable:
        return IkStatus.BRANCH_UNAVAILABLE
    return refused.status
