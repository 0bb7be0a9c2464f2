r"""Both elbows for one target, in closed form and plain ``math``.

With r = |target|, R = l1 + l2, h = |l1 - l2| (Spong et al., *Robot Modeling and Control*, 1.3, in
the half-angle form, which stays exact at both edges of the ring):

    a^2 = (R - r)(R + r),  b^2 = (r - h)(r + h),  a^2 + b^2 = 4 l1 l2
    q2  = +-2 atan2(a, b),                det J = +-a b / 2
    q1  = atan2(y, x) -+ atan2(a b, r^2 + l1^2 - l2^2)
    sigma^4 - (r^2 + l2^2) sigma^2 + det^2 = 0
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from planar_arm_ik.angles import margin, within_limits
from planar_arm_ik.arm import PlanarArm
from planar_arm_ik.solution import IkCandidate
from planar_arm_ik.status import Branch, IkStatus

#: Default width of the rounding band around both edges, as a fraction of the reach.
BOUNDARY_TOLERANCE = 1e-9

Distance = Callable[[float, float], float]


def reach_status(arm: PlanarArm, r: float, boundary_tolerance: float) -> IkStatus:
    """Test the reach before any trigonometry.

    Args:
        arm: the arm.
        r: distance of the target from the shoulder [m].
        boundary_tolerance: width of the rounding band at the edges, fraction of the reach.

    Returns:
        OK, TOO_FAR or TOO_CLOSE.
    """
    tolerance = boundary_tolerance * arm.outer_radius
    if r > arm.outer_radius + tolerance:
        return IkStatus.TOO_FAR
    if r < arm.inner_radius - tolerance:
        return IkStatus.TOO_CLOSE
    return IkStatus.OK


def folded_on_base(arm: PlanarArm, r: float, boundary_tolerance: float) -> bool:
    """Whether the target is the shoulder itself, within rounding: q1 is then free."""
    tolerance = boundary_tolerance * arm.outer_radius
    return r <= tolerance and arm.inner_radius <= tolerance


def both_branches(
    arm: PlanarArm,
    target: tuple[float, float],
    r: float,
    reference: tuple[float, float],
    distance: Distance,
    free_shoulder: bool,
) -> tuple[IkCandidate, IkCandidate, float]:
    """Solve both elbows for a target within reach and compare them with the joint limits.

    Args:
        arm: the arm.
        target: tip position (x, y) in the base frame [m].
        r: its distance from the shoulder [m].
        reference: seed (q1, q2) [rad]; angles come back in the representation nearest to it.
        distance: maps the joint differences (dq1, dq2) [rad] to one number.
        free_shoulder: the target is the shoulder; q1 is then taken from the reference.

    Returns:
        The positive and the negative candidate (OK or JOINT_LIMIT), and sigma_min [m/rad].
    """
    x, y = target
    a = math.sqrt(max(0.0, (arm.outer_radius - r) * (arm.outer_radius + r)))
    b = math.sqrt(max(0.0, (r - arm.inner_radius) * (r + arm.inner_radius)))
    q2 = 2.0 * math.atan2(a, b)
    bearing = reference[0] if free_shoulder else math.atan2(y, x)
    offset = 0.0
    if not free_shoulder:
        offset = math.atan2(a * b, r * r + (arm.l1 - arm.l2) * (arm.l1 + arm.l2))
    positive = _candidate(arm, target, Branch.POSITIVE, bearing - offset, q2, reference, distance)
    negative = _candidate(arm, target, Branch.NEGATIVE, bearing + offset, -q2, reference, distance)
    return positive, negative, sigma_min(arm, r, 0.5 * a * b)


def sigma_min(arm: PlanarArm, r: float, det: float) -> float:
    """Smallest singular value of J [m/rad] from the tip radius [m] and det J [m^2/rad^2]."""
    trace = r * r + arm.l2 * arm.l2
    discriminant = max(0.0, (trace - 2.0 * det) * (trace + 2.0 * det))
    return det / math.sqrt(0.5 * (trace + math.sqrt(discriminant)))


def _candidate(
    arm: PlanarArm,
    target: tuple[float, float],
    branch: Branch,
    q1: float,
    q2: float,
    reference: tuple[float, float],
    distance: Distance,
) -> IkCandidate:
    q1 = within_limits(q1, reference[0], arm.joint1)
    q2 = within_limits(q2, reference[1], arm.joint2)
    margin1, margin2 = margin(q1, arm.joint1), margin(q2, arm.joint2)
    status, limiting = IkStatus.OK, ""
    if margin1 < 0.0 or margin2 < 0.0:
        status, limiting = IkStatus.JOINT_LIMIT, "joint1" if margin1 <= margin2 else "joint2"
    q12 = q1 + q2
    error = math.hypot(
        arm.l1 * math.cos(q1) + arm.l2 * math.cos(q12) - target[0],
        arm.l1 * math.sin(q1) + arm.l2 * math.sin(q12) - target[1],
    )
    moved = distance(q1 - reference[0], q2 - reference[1])
    q = np.array((q1, q2))
    return IkCandidate(branch, q, status, limiting, min(margin1, margin2), moved, error)
