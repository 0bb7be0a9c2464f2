r"""The two limit policies: which joint speeds of the box come nearest to the desired ones.

`scale` keeps the tip's direction: the largest k in [0, 1] from which both joints can ramp down
together before a position limit, and the point of the ray {k x} in the box nearest to it. Where
the ray misses the box, or only k > 1 meets it and would make the tip faster than it is, the speeds
go straight toward k x. `project` gives up the direction for the smallest residual: the
least-squares answer in the box. Steps *scale*, *ramp* and *least squares* of docs/follower.md.
"""

from __future__ import annotations

from planar_arm_ik.arm.singular import Decomposition, metric_of
from planar_arm_ik.following.box import Box, clip, least_squares_in_box, nearest_on_ray
from planar_arm_ik.following.braking import braking_speed, keep_margin
from planar_arm_ik.following.model import Model
from planar_arm_ik.following.tip_speed import tip_speed_squared


def largest_scale(
    model: Model, q1: float, q2: float, x1: float, x2: float, horizon: float
) -> tuple[float, bool]:
    """Largest k in [0, 1] so that k x keeps all speed limits and can still brake along its ray.

    Step *scale* of docs/follower.md. Both joints ramp down together: along the ray joint i brakes
    with a_i' = |x_i| m, where m = min_j a_j / |x_j|.

    Args:
        model: arm and policy.
        q1: shoulder angle [rad].
        q2: elbow angle [rad].
        x1: desired shoulder speed [rad/s].
        x2: desired elbow speed [rad/s].
        horizon: time until the next chance to brake [s].

    Returns:
        (k, whether a position limit determines it).
    """
    (
        _,
        _,
        (lower1, upper1, velocity1, a1, _),
        (lower2, upper2, velocity2, a2, _),
        margin,
        _,
        _,
        _,
    ) = model
    speed1, speed2 = abs(x1), abs(x2)
    k = 1.0
    if speed1 > velocity1:
        k = velocity1 / speed1
    if k * speed2 > velocity2:
        k = velocity2 / speed2
    # 1 / m; the ramp from k x takes the time k / m.
    slowness = max(speed1 / a1, speed2 / a2)
    time = horizon + 0.5 * k * slowness
    way1 = (upper1 - q1 if x1 > 0.0 else q1 - lower1) - margin
    way2 = (upper2 - q2 if x2 > 0.0 else q2 - lower2) - margin
    at_limit = False
    if speed1 and k * speed1 * time > way1:
        k = min(k, braking_speed(way1, speed1 / slowness, horizon) / speed1)
        at_limit = True
    if speed2 and k * speed2 * time > way2:
        k = min(k, braking_speed(way2, speed2 / slowness, horizon) / speed2)
        at_limit = True
    return k, at_limit


def ramped_speeds(
    model: Model,
    now: Decomposition,
    qd: tuple[float, float],
    x1: float,
    x2: float,
    k: float,
    box: Box,
    dt: float,
) -> tuple[float, float, float, bool]:
    """Speeds nearest to k x that the box allows; step *ramp* of docs/follower.md.

    Args:
        model: arm and policy.
        now: decomposition of the Jacobian at the pose.
        qd: joint speeds now [rad/s].
        x1: desired shoulder speed [rad/s].
        x2: desired elbow speed [rad/s].
        k: largest scale.
        box: speeds the joints can reach; k x lies outside.
        dt: time over which the speeds may change [s].

    Returns:
        (y1, y2) [rad/s], their common factor on x, and whether they lie on the ray {k x}.
    """
    nearest = nearest_on_ray(k, x1, x2, box)
    if nearest is not None and (
        nearest <= 1.0
        or nearest * nearest * tip_speed_squared(now, x1, x2) <= tip_speed_squared(now, *qd)
    ):
        y1, y2 = clip(nearest * x1, nearest * x2, box)
        return y1, y2, nearest if nearest < 1.0 else 1.0, True
    e1, e2 = k * x1 - qd[0], k * x2 - qd[1]
    part = 1.0
    for joint, e in ((model.joint1, abs(e1)), (model.joint2, abs(e2))):
        if part * e > joint.acceleration * dt:
            part = joint.acceleration * dt / e
    y1, y2 = clip(qd[0] + part * e1, qd[1] + part * e2, box)
    return y1, y2, along(y1, y2, x1, x2), False


def least_squares_speeds(
    model: Model,
    now: Decomposition,
    q: tuple[float, float],
    x1: float,
    x2: float,
    damping: float,
    box: Box,
    horizon: float,
) -> tuple[float, float, float, bool, bool]:
    """Joint speeds of the policy `project`; step *least squares* of docs/follower.md.

    Args:
        model: arm and policy.
        now: decomposition of the Jacobian at the pose.
        q: joint angles [rad].
        x1: desired shoulder speed [rad/s].
        x2: desired elbow speed [rad/s].
        damping: lambda of the metric J^T J + lambda^2 I [m/rad].
        box: speeds the joints can reach.
        horizon: time until the next chance to brake [s].

    Returns:
        (y1, y2) [rad/s], the part of x they reach, whether they are x, and whether a position
        limit holds the arm back.
    """
    soft, at_limit = _softened(model, q, x1, x2, box, horizon)
    y1, y2 = least_squares_in_box(x1, x2, metric_of(now, damping), soft)
    if y1 == x1 and y2 == x2:
        return y1, y2, 1.0, True, at_limit
    return y1, y2, along(y1, y2, x1, x2), False, at_limit


def _softened(
    model: Model, q: tuple[float, float], x1: float, x2: float, box: Box, horizon: float
) -> tuple[Box, bool]:
    """Box with the position limits moved in by the margin, and whether they hold back x."""
    _, _, joint1, joint2, margin, _, _, _ = model
    low1, high1, low2, high2 = box
    low1, high1, holds1 = keep_margin(joint1, q[0], x1, low1, high1, margin, horizon)
    low2, high2, holds2 = keep_margin(joint2, q[1], x2, low2, high2, margin, horizon)
    return tuple.__new__(Box, (low1, high1, low2, high2)), holds1 or holds2


def along(y1: float, y2: float, x1: float, x2: float) -> float:
    """Part of x that y reaches, between 0 and 1: (x.y) / (x.x)."""
    square = x1 * x1 + x2 * x2
    if square == 0.0:
        return 1.0
    part = (x1 * y1 + x2 * y2) / square
    return 0.0 if part < 0.0 else part if part < 1.0 else 1.0
