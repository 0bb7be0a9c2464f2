r"""The formulas of the inverse, numbered, and the constants of one arm in them, computed once.

With r = |target|, R = l1 + l2, h = |l1 - l2|, F = |J|_F^2 = r^2 + l2^2 and the threshold eps
(Spong, Hutchinson, Vidyasagar, *Robot Modeling and Control*, 1.3 and 4.9):

    (1)  D = (R^2 - r^2)(r^2 - h^2) = (2 det J)^2,  0 at both edges, where it is noise
    (2)  q2 = +-atan2(sqrt(D), r^2 - l1^2 - l2^2)
    (3)  q1 = atan2(y, x) -+ atan2(sqrt(D), r^2 + l1^2 - l2^2)
    (4)  sigma_min < eps  when  D / 4 < eps^2 (F - eps^2)  or  F < 2 eps^2  or  D = 0
    (5)  sigma_min = sqrt(D) / 2 / sqrt((F + sqrt(F^2 - D)) / 2)
    (6)  too far  when  r^2 > (R + band)^2,  too close  when  r^2 < (h - band)^2
    (7)  q + 2 pi n,  n = floor((seed - q) / 2 pi + 1/2),  or the next n within the limits
    (8)  distance = | (w1 (q1 - seed1), w2 (q2 - seed2)) |  in the norm l2, l1 or linf
    (9)  the negative branch is chosen when it costs less than the positive, by more than a tie

One target and a block of targets evaluate them in two places each:

    =========  ==========================================  ====================================
    formula    one target                                  a block
    =========  ==========================================  ====================================
    (1) - (4)  :mod:`planar_arm_ik.inverse.closed_form`    :mod:`planar_arm_ik.batch.kernel`
    (5)        :mod:`planar_arm_ik.inverse.closed_form`    not needed
    (6)        :mod:`planar_arm_ik.inverse.closed_form`    :mod:`planar_arm_ik.batch.kernel`
    (7)        :mod:`planar_arm_ik.arm.angles`             :mod:`planar_arm_ik.batch.block_limits`
    (8), (9)   :mod:`planar_arm_ik.inverse.branches`       :mod:`planar_arm_ik.batch.block_rules`
    =========  ==========================================  ====================================

(1), (4) and (6) are polynomials in r^2, tested before any root or trigonometry; they, the root of
D and (7) have the same bits in both places. (2) and (3) may differ by the last bit of an arc
tangent, since that of NumPy is not that of the C library.

Constants: those of an arm in :class:`Ring`, of angles in :mod:`planar_arm_ik.arm.angles`, of ties
in :mod:`planar_arm_ik.inverse.branches`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.errors import PlanarArmError

#: Default width of the rounding band around both edges, as a fraction of the reach.
BOUNDARY_TOLERANCE = 1e-9

#: Relative rounding of r^2: that little from an edge, D is noise, and its root would be 1e-8.
_LAST_BITS = 1e-15


@dataclass(frozen=True, slots=True)
class Ring:
    """Constants of one arm and its tolerances.

    Args:
        outer: R^2 of (1) [m^2].
        inner: h^2 of (1) [m^2].
        middle: l1^2 + l2^2 of (2) [m^2].
        skew: l1^2 - l2^2 of (3) [m^2].
        farthest: r^2 above this is too far (6) [m^2].
        closest: r^2 below this is too close (6) [m^2]; negative without a hole.
        brim: from this r^2 on the arm counts as straight, and D of (1) is 0 [m^2].
        sill: up to this r^2 the arm counts as folded, and D of (1) is 0 [m^2].
        free: up to this r^2 the arm is folded on its base and q1 is free [m^2]; negative when
            the links differ by more than the band.
        slope: a pose is singular when D < slope r^2 + offset, which is (4) [m^2].
        offset: see `slope` [m^4].
        always: r^2 below this is singular whatever D says (4) [m^2].
        threshold: eps of (4), sigma_min below which a pose is singular [m/rad].
    """

    outer: float
    inner: float
    middle: float
    skew: float
    farthest: float
    closest: float
    brim: float
    sill: float
    free: float
    slope: float
    offset: float
    always: float
    threshold: float


def ring_of(
    arm: PlanarArm,
    singular_threshold: float | None = None,
    boundary_tolerance: float = BOUNDARY_TOLERANCE,
) -> Ring:
    """Compute the constants.

    Args:
        arm: the arm.
        singular_threshold: sigma_min below which an answer is SINGULAR [m/rad]; None for the
            arm's default.
        boundary_tolerance: width of the rounding band at both edges, fraction of the reach.

    Raises:
        PlanarArmError: a tolerance is out of range.
    """
    if not 0.0 <= boundary_tolerance < 0.1:
        raise PlanarArmError(f"boundary_tolerance {boundary_tolerance} must be in [0, 0.1)")
    eps = arm.singular_threshold if singular_threshold is None else singular_threshold
    if not 0.0 <= eps < math.inf:
        raise PlanarArmError(f"singular_threshold {eps} m/rad must be finite and not negative")
    l1, l2, reach, hole = arm.l1, arm.l2, arm.outer_radius, arm.inner_radius
    band = boundary_tolerance * reach
    return Ring(
        outer=reach * reach,
        inner=hole * hole,
        middle=l1 * l1 + l2 * l2,
        skew=(l1 - l2) * (l1 + l2),
        farthest=(reach + band) * (reach + band),
        closest=(hole - band) * (hole - band) if hole > band else -1.0,
        brim=reach * reach * (1.0 - _LAST_BITS),
        sill=hole * hole * (1.0 + _LAST_BITS),
        free=(band - hole) * (band - hole) if hole <= band else -1.0,
        slope=4.0 * eps * eps,
        offset=4.0 * eps * eps * (l2 * l2 - eps * eps),
        always=2.0 * eps * eps - l2 * l2,
        threshold=float(eps),
    )
