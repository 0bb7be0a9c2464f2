"""Angles that turn: the representation of an angle nearest a reference, within limits.

Formula (7) of :mod:`planar_arm_ik.arm.ring`.
"""

from __future__ import annotations

import math

from planar_arm_ik.arm.planar_arm import JointLimits

TURN = 2.0 * math.pi

#: An angle this little from half a turn [rad] counts as half a turn, and half a turn is +pi:
#: the last bit of an arc tangent must not decide between two representations.
ROUNDING = 1e-14

#: Half a turn but for rounding [rad]. Less than this from a reference, no other representation of
#: an angle is nearer to it.
NEARLY_PI = math.pi - ROUNDING

#: Added before rounding down to whole turns: half a turn counts as the upper one.
UPPER_HALF = 0.5 + 0.5 * ROUNDING / TURN

#: An angle this little beyond a limit [rad] is rounding, and is set on the limit: the inverse of a
#: pose exactly on its limit must be that pose.
LIMIT_TOLERANCE = 1e-11


def principal(angle: float) -> float:
    """Return an angle of (-2 pi, 2 pi] [rad] in (-pi, pi]."""
    if angle <= -NEARLY_PI:
        return min(angle + TURN, math.pi)
    if angle > math.pi + ROUNDING:
        return angle - TURN
    return min(angle, math.pi)


def nearest_turn(angle: float, reference: float) -> float:
    """Return `angle` plus whole turns [rad], nearest to `reference`.

    Half a turn away on both sides, the upper one is taken.
    """
    return angle + TURN * math.floor((reference - angle) / TURN + UPPER_HALF)


def within_limits(angle: float, reference: float, limits: JointLimits) -> float:
    """Return `angle` plus whole turns [rad], nearest to `reference` inside the limits.

    When no representation lies inside, the one least far outside is returned; the caller sees it
    by :func:`margin`.
    """
    turns = math.floor((reference - angle) / TURN + UPPER_HALF)
    q = angle + TURN * turns if turns else angle
    lower, upper = limits.lower, limits.upper
    if lower <= q <= upper:
        return q
    if q < lower:
        inside = angle + TURN * math.ceil((lower - LIMIT_TOLERANCE - angle) / TURN)
        outside = inside - TURN
    else:
        inside = angle + TURN * math.floor((upper + LIMIT_TOLERANCE - angle) / TURN)
        outside = inside + TURN
    if lower - LIMIT_TOLERANCE <= inside <= upper + LIMIT_TOLERANCE:
        return min(max(inside, lower), upper)
    return min((inside, outside), key=lambda value: -margin(value, limits))


def margin(q: float, limits: JointLimits) -> float:
    """Distance of `q` to the nearer limit [rad]; negative outside, inf when unbounded."""
    return min(q - limits.lower, limits.upper - q)
