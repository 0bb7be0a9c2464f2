"""Inverse kinematics of one target: both elbows, checks, and the rule that chooses."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from numpy.typing import ArrayLike

from planar_arm_ik import explain
from planar_arm_ik.arm import PlanarArm
from planar_arm_ik.branches import Rule, branch_of, choose, metric_distance, wanted_branch
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse import (
    BOUNDARY_TOLERANCE,
    both_branches,
    folded_on_base,
    reach_status,
)
from planar_arm_ik.solution import IkCandidate, IkSolution
from planar_arm_ik.status import Branch, IkStatus


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
) -> IkSolution:
    """Find joint angles that put the tip on a target.

    Args:
        arm: the arm.
        target: tip position (x, y) in the base frame [m], shape (2,).
        seed: joint angles (q1, q2) [rad] to stay near to; None for (0, 0) with angles in
            (-pi, pi].
        rule: nearest, keep, positive, negative, min_shoulder or limit_margin.
        max_joint_step: largest |q - seed| per joint [rad] an answer may have; needs a seed.
        metric: joint distance of the rule `nearest`: l2, l1 or linf of (w1 dq1, w2 dq2).
        weights: (w1, w2), positive.
        singular_threshold: sigma_min below which an answer is SINGULAR [m/rad]; None for the
            arm's default.
        boundary_tolerance: rounding band at both edges of the ring, fraction of the reach.

    Returns:
        An answer or a refusal; non-finite numbers are refused as INVALID_INPUT.

    Raises:
        PlanarArmError: an unknown rule or metric, or an argument of the wrong shape or range.
    """
    known_rule = Rule.parse(rule)
    distance = metric_distance(metric, weights)
    threshold = _threshold(arm, singular_threshold, boundary_tolerance, max_joint_step)
    x, y = _pair(target, "target (x, y)")
    if not (math.isfinite(x) and math.isfinite(y)):
        return _refused(IkStatus.INVALID_INPUT, f"target ({x}, {y}) m must be finite")
    reference, seed_branch = (0.0, 0.0), Branch.NONE
    if seed is not None:
        reference = _pair(seed, "seed (q1, q2)")
        if not (math.isfinite(reference[0]) and math.isfinite(reference[1])):
            return _refused(IkStatus.INVALID_INPUT, f"seed {reference} rad must be finite")
        seed_branch = branch_of(reference[1])
    elif known_rule is Rule.KEEP or max_joint_step < math.inf:
        needs = "rule keep" if known_rule is Rule.KEEP else "max_joint_step"
        return _refused(IkStatus.INVALID_INPUT, f"{needs} needs a seed")

    r = math.hypot(x, y)
    reach = reach_status(arm, r, boundary_tolerance)
    if reach < 0:
        return _out_of_reach(arm, reach, x, y, r)
    free = folded_on_base(arm, r, boundary_tolerance)
    positive, negative, sigma = both_branches(arm, (x, y), r, reference, distance, free)
    singular = sigma < threshold
    if singular or max_joint_step < math.inf:
        positive = _checked(positive, reference, max_joint_step, singular)
        negative = _checked(negative, reference, max_joint_step, singular)
    wanted = wanted_branch(known_rule, seed_branch)
    chosen = choose(known_rule, positive, negative, wanted)
    both = (positive, negative)
    if chosen is None:
        status = _why_none(known_rule, both, wanted)
        text = explain.no_choice(arm, positive, negative, wanted, max_joint_step)
        return IkSolution(status, None, Branch.NONE, both, 0.0, None, sigma, text)
    text = explain.singular(sigma, threshold) if singular else ""
    return IkSolution(chosen.status, chosen.q, chosen.branch, both, 0.0, None, sigma, text)


def _pair(value: ArrayLike, what: str) -> tuple[float, float]:
    try:
        first, second = cast(Sequence[float], value)
        return float(first), float(second)
    except (TypeError, ValueError):
        raise PlanarArmError(f"{what} must be two numbers, got {value!r}") from None


def _threshold(
    arm: PlanarArm,
    singular_threshold: float | None,
    boundary_tolerance: float,
    max_joint_step: float,
) -> float:
    if not 0.0 <= boundary_tolerance < 0.1:
        raise PlanarArmError(f"boundary_tolerance {boundary_tolerance} must be in [0, 0.1)")
    if not max_joint_step > 0.0:
        raise PlanarArmError(f"max_joint_step {max_joint_step} rad must be greater than 0")
    if singular_threshold is None:
        return arm.singular_threshold
    if not 0.0 <= singular_threshold < math.inf:
        raise PlanarArmError(
            f"singular_threshold {singular_threshold} m/rad must be finite and not negative"
        )
    return singular_threshold


def _refused(status: IkStatus, message: str) -> IkSolution:
    return IkSolution(status, None, Branch.NONE, (), 0.0, None, 0.0, message)


def _out_of_reach(arm: PlanarArm, status: IkStatus, x: float, y: float, r: float) -> IkSolution:
    edge = arm.outer_radius if status is IkStatus.TOO_FAR else arm.inner_radius
    r = min(r, sys.float_info.max)
    largest = max(abs(x), abs(y))
    nearest = (edge, 0.0)
    if largest > 0.0:  # scaled first: denormal and huge targets must not overflow
        u, v = x / largest, y / largest
        nearest = (edge * (u / math.hypot(u, v)), edge * (v / math.hypot(u, v)))
    return IkSolution(
        status, None, Branch.NONE, (), r - edge, nearest, 0.0, explain.out_of_reach(arm, r)
    )


def _checked(
    candidate: IkCandidate, reference: Sequence[float], max_joint_step: float, singular: bool
) -> IkCandidate:
    """Grade a candidate further: joint step first, then the singularity."""
    if candidate.status < 0:
        return candidate
    q1, q2 = candidate.q
    if max(abs(q1 - reference[0]), abs(q2 - reference[1])) > max_joint_step:
        return replace(candidate, status=IkStatus.JOINT_STEP)
    return replace(candidate, status=IkStatus.SINGULAR) if singular else candidate


#: Where both branches are refused, the status that is named first.
_PRECEDENCE = (IkStatus.JOINT_LIMIT, IkStatus.COLLISION, IkStatus.JOINT_STEP)


def _why_none(rule: Rule, both: tuple[IkCandidate, IkCandidate], wanted: Branch) -> IkStatus:
    if wanted is Branch.NONE:
        return min((candidate.status for candidate in both), key=_PRECEDENCE.index)
    refused, other = both if wanted is Branch.POSITIVE else both[::-1]
    if rule is Rule.KEEP and other.usable:
        return IkStatus.BRANCH_UNAVAILABLE
    return refused.status
