"""The tip is never faster than it was told, or than it is, where a joint can help it."""

from __future__ import annotations

import math

from planar_arm_ik.arm.singular import Decomposition, metric_of
from planar_arm_ik.following.box import Box, clip, least_squares_in_box

#: Damping [m/rad] that makes J^T J positive definite at a singularity and changes nothing else.
_SURELY_POSITIVE = 1e-7


def not_faster(
    now: Decomposition,
    qd: tuple[float, float],
    velocity: tuple[float, float],
    y: tuple[float, float],
    box: Box,
) -> tuple[float, float]:
    """Speeds in the box, as near to y as keeps the tip no faster than it was told, or than it is.

    Step *tip speed* of docs/follower.md. A joint that the box makes brake may leave the other one
    to carry the tip away. From the speeds of the slowest tip that the box allows, b, the tip's
    speed grows along the line to y: the last point with |J (b + t (y - b))| <= max(|v|, |J qd|)
    is taken, b itself where there is none.
    """
    told = velocity[0] * velocity[0] + velocity[1] * velocity[1]
    most = max(told, tip_speed_squared(now, *qd))
    if tip_speed_squared(now, *y) <= most:
        return y
    b1, b2 = least_squares_in_box(0.0, 0.0, metric_of(now, _SURELY_POSITIVE), box)
    d1, d2 = y[0] - b1, y[1] - b2
    # |J b|^2 + 2 t (J b).(J d) + t^2 |J d|^2 = most
    slowest, a = tip_speed_squared(now, b1, b2), tip_speed_squared(now, d1, d2)
    half = 0.5 * (tip_speed_squared(now, b1 + d1, b2 + d2) - slowest - a)
    root = half * half - a * (slowest - most)
    if slowest >= most or a <= 0.0 or root < 0.0:
        return b1, b2
    t = min(max((math.sqrt(root) - half) / a, 0.0), 1.0)
    return clip(b1 + t * d1, b2 + t * d2, box)


def tip_speed_squared(now: Decomposition, qd1: float, qd2: float) -> float:
    """|J qd|^2 [m^2/s^2]."""
    j1x, j1y, j2x, j2y, _, _, _, _, _, _ = now
    x, y = j1x * qd1 + j2x * qd2, j1y * qd1 + j2y * qd2
    return x * x + y * y
