r"""The reachable ring of an arm in numbers every target needs, computed once.

With r = |target|, R = l1 + l2, h = |l1 - l2| and F = |J|_F^2 = r^2 + l2^2 (Spong, Hutchinson,
Vidyasagar, *Robot Modeling and Control*, 1.3 and 4.9):

    (2 det J)^2 = (R^2 - r^2)(r^2 - h^2) =: D
    cos q2 = (r^2 - l1^2 - l2^2) / (2 l1 l2),          sin q2 = sqrt(D) / (2 l1 l2)
    sigma_min < eps   when   det^2 < eps^2 (F - eps^2)   or   F < 2 eps^2

Everything is a polynomial in r^2: the tests of reach and of singularity come before any root or
trigonometry, and give the same bits for one target and for an array of them.
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
        outer: R^2 [m^2].
        inner: h^2 [m^2].
        middle: l1^2 + l2^2 [m^2].
        skew: l1^2 - l2^2 [m^2].
        farthest: r^2 above this is too far [m^2].
        closest: r^2 below this is too close [m^2]; negative when there is no hole.
        brim: from this r^2 on the arm counts as straight [m^2].
        sill: up to this r^2 the arm counts as folded [m^2].
        free: up to this r^2 the arm is folded on its base and q1 is free [m^2]; negative when
            the links differ by more than the band.
        slope: a pose is singular when D < slope r^2 + offset [m^2].
        offset: see `slope` [m^4].
        always: r^2 below this is singular whatever D says [m^2].
        threshold: eps, sigma_min below which a pose is singular [m/rad].
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
