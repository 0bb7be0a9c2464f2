"""Both elbows for one target, in closed form and plain ``math``.

Evaluates (1) to (6) of :mod:`planar_arm_ik.arm.ring`, and (7) and (8) where they are defined, in
the order of operations of :mod:`planar_arm_ik.batch.kernel`: one target and an array of targets
get the same answers.
"""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin, sqrt

import numpy as np

from planar_arm_ik.arm.angles import NEARLY_PI, principal, within_limits
from planar_arm_ik.arm.ring import BOUNDARY_TOLERANCE, Ring
from planar_arm_ik.inverse.question import Pair, Question
from planar_arm_ik.inverse.solution import IkCandidate
from planar_arm_ik.status import Branch, IkStatus

__all__ = ["BOUNDARY_TOLERANCE", "both_branches", "reach_status", "sigma_min"]

_OK, _SINGULAR = IkStatus.OK, IkStatus.SINGULAR
_JOINT_LIMIT, _JOINT_STEP = IkStatus.JOINT_LIMIT, IkStatus.JOINT_STEP
_POSITIVE, _NEGATIVE = Branch.POSITIVE, Branch.NEGATIVE


def reach_status(ring: Ring, r_squared: float) -> IkStatus:
    """Test the reach (6) before any trigonometry: OK, TOO_FAR or TOO_CLOSE."""
    if r_squared > ring.farthest:
        return IkStatus.TOO_FAR
    return IkStatus.TOO_CLOSE if r_squared < ring.closest else IkStatus.OK


def both_branches(
    question: Question, x: float, y: float, reference: Pair
) -> tuple[IkCandidate, IkCandidate, float]:
    """Solve both elbows for a target within reach and grade them.

    Args:
        question: arm, tolerances and distance.
        x: tip position in the base frame [m].
        y: as before.
        reference: seed (q1, q2) [rad], (0, 0) without one; angles come back in the
            representation nearest to it.

    Returns:
        The positive and the negative candidate (OK, SINGULAR, JOINT_LIMIT or JOINT_STEP), and
        sigma_min [m/rad].
    """
    ring, target = question.ring, (x, y)
    squared = x * x + y * y
    product = (ring.outer - squared) * (squared - ring.inner)  # (1)
    root = sqrt(product) if ring.sill < squared < ring.brim else 0.0
    if squared <= ring.free:
        # Folded on the base, where q1 is free: the tip misses by the radius at most.
        root, q2 = 0.0, pi
        _, (lower, upper), _ = question.lengths_and_limits
        first = second = min(max(reference[0], lower), upper)
    else:
        q2 = atan2(root, squared - ring.middle)  # (2)
        bearing, offset = atan2(y, x), atan2(root, squared + ring.skew)
        first, second = bearing - offset, bearing + offset  # (3)
        if not (first > -NEARLY_PI and second <= pi and bearing > -NEARLY_PI):
            bearing = principal(bearing)
            first, second = principal(bearing - offset), principal(bearing + offset)
    singular = product < squared * ring.slope + ring.offset or squared < ring.always  # (4)
    status = _SINGULAR if singular or root == 0.0 else _OK
    opposite = -q2 if q2 < NEARLY_PI else pi
    return (
        _candidate(question, target, reference, _POSITIVE, (first, q2), status),
        _candidate(question, target, reference, _NEGATIVE, (second, opposite), status),
        sigma_min(squared + question.arm.l2 * question.arm.l2, root),
    )


def sigma_min(trace: float, two_det: float) -> float:
    """Smallest singular value (5) of J [m/rad] from |J|_F^2 [m^2] and 2 |det J| [m^2/rad^2]."""
    discriminant = (trace - two_det) * (trace + two_det)
    root = sqrt(discriminant) if discriminant > 0.0 else 0.0
    return 0.5 * two_det / sqrt(0.5 * (trace + root))


def _candidate(
    question: Question, target: Pair, reference: Pair, branch: Branch, q: Pair, status: IkStatus
) -> IkCandidate:
    """Bring one pose near the reference and within the limits (7), and grade it."""
    # Flat, since it runs twice for every target: a call for each joint made solve 15 % slower.
    q1, q2 = q
    ref1, ref2 = reference
    (l1, l2), (lower1, upper1), (lower2, upper2) = question.lengths_and_limits
    if not (lower1 <= q1 <= upper1 and -NEARLY_PI < ref1 - q1 < NEARLY_PI):
        q1 = within_limits(q1, ref1, question.arm.joint1)
    if not (lower2 <= q2 <= upper2 and -NEARLY_PI < ref2 - q2 < NEARLY_PI):
        q2 = within_limits(q2, ref2, question.arm.joint2)
    margin1 = q1 - lower1 if q1 - lower1 < upper1 - q1 else upper1 - q1
    margin2 = q2 - lower2 if q2 - lower2 < upper2 - q2 else upper2 - q2
    margin = margin1 if margin1 <= margin2 else margin2
    dq1, dq2 = q1 - ref1, q2 - ref2
    limiting = ""
    if margin < 0.0:
        status, limiting = _JOINT_LIMIT, "joint1" if margin1 <= margin2 else "joint2"
    elif abs(dq1) > question.max_joint_step or abs(dq2) > question.max_joint_step:
        status = _JOINT_STEP
    (x, y), q12 = target, q1 + q2
    error = hypot(l1 * cos(q1) + l2 * cos(q12) - x, l1 * sin(q1) + l2 * sin(q12) - y)
    moved = question.distance(dq1, dq2)
    return IkCandidate(branch, np.array((q1, q2)), status, limiting, margin, moved, error)
