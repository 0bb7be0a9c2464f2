r"""One cycle of twist following: every limit at once, and a way out of each singularity.

A pure function of joint angles q, joint speeds qd, elbow half turn, tip velocity v and time dt:

1. desired: the inverse of J, damped only in its lost direction and only where sigma_min < eps;
   where that leads back into the ring, its gain stays that at eps (:mod:`.desired`).
2. fence: the elbow stays in its half turn, and the tip slides along the edge (:mod:`.desired`).
3. scale: the largest k in [0, 1] for which k x keeps the speed limits, and from which both joints
   can ramp down together before a position limit. Policy `project` has no k.
4. ramp: what the joints can reach in this cycle is a box (:mod:`.braking`). Where the ray {k x}
   meets it the tip keeps its direction, else the speeds go straight toward the target; so they do
   where only k > 1 meets it and would make the tip faster than it is. Policy `project` takes the
   least-squares answer in the box instead.
5. q += qd dt, and residual = v - J(q before the step) qd, whatever the limits did.
"""

from __future__ import annotations

from typing import NamedTuple

from planar_arm_ik.arm.singular import Decomposition, decompose, metric_of
from planar_arm_ik.following.box import Box, clip, least_squares_in_box, nearest_on_ray
from planar_arm_ik.following.braking import (
    JointBounds,
    braking_speed,
    keep_margin,
    reachable_speeds,
)
from planar_arm_ik.following.desired import Elbow, Law, desired_speeds

#: Speeds [rad/s] closer to a bound than this are on it.
_ON_BOUND = 1e-9


class Model(NamedTuple):
    """What a cycle needs to know about arm and policy; made once by the follower's configuration.

    Args:
        l1: length of link 1 [m].
        l2: length of link 2 [m].
        joint1: limits of the shoulder.
        joint2: limits of the elbow.
        margin: distance [rad] to a position limit at which the arm is to stop.
        law: the damping law.
        project: take the least-squares answer in the box instead of keeping the direction.
    """

    l1: float
    l2: float
    joint1: JointBounds
    joint2: JointBounds
    margin: float
    law: Law
    project: bool


class Motion(NamedTuple):
    """Result of one cycle.

    Args:
        qd1: new shoulder speed [rad/s].
        qd2: new elbow speed [rad/s].
        achieved_x: x of J qd [m/s], base frame.
        achieved_y: y of J qd [m/s], base frame.
        sigma_max: largest singular value [m/rad].
        sigma_min: smallest singular value [m/rad].
        damping: lambda in the lost direction [m/rad].
        scale: common factor on the desired joint speeds; 1 also while the arm is still slowing
            down from more.
        on_ray: the speeds are a multiple of the desired ones.
        at_limit: a position limit holds the arm back.
        at_edge: the edge of the ring holds the elbow back.
        escaping: the arm bends its elbow or turns its shoulder to get out of a singularity.
        saturated1: the shoulder is at a limit of speed, acceleration or position.
        saturated2: the elbow is.
    """

    qd1: float
    qd2: float
    achieved_x: float
    achieved_y: float
    sigma_max: float
    sigma_min: float
    damping: float
    scale: float
    on_ray: bool
    at_limit: bool
    at_edge: bool
    escaping: bool
    saturated1: bool
    saturated2: bool


def cycle(
    model: Model,
    q: tuple[float, float],
    qd: tuple[float, float],
    elbow: Elbow,
    velocity: tuple[float, float],
    dt: float,
    horizon: float,
) -> Motion:
    """Choose the next joint speeds.

    Args:
        model: arm and policy.
        q: joint angles [rad].
        qd: joint speeds now [rad/s].
        elbow: the half turn the elbow stays in.
        velocity: wanted tip velocity [m/s], base frame; finite.
        dt: time over which the speeds may change [s], not negative.
        horizon: time until the next chance to brake [s], not negative.

    Returns:
        The new speeds and what became of the command.
    """
    l1, l2, joint1, _, _, law, project = model
    q1, q2 = q
    now = decompose(l1, l2, q1, q2)
    j1x, j1y, j2x, j2y, _, _, _, _, sigma1, sigma2 = now
    x1, x2, damping, escaping, at_edge = desired_speeds(law, now, elbow, q2, velocity, horizon)
    low1, high1 = reachable_speeds(joint1, q1, qd[0], dt, horizon)
    low2, high2 = reachable_speeds(elbow.bounds, q2, qd[1], dt, horizon)
    if project and velocity != (0.0, 0.0):
        hard = tuple.__new__(Box, (low1, high1, low2, high2))
        soft, at_limit = _softened(model, q, x1, x2, hard, horizon)
        y1, y2 = least_squares_in_box(x1, x2, metric_of(now, damping), soft)
        on_ray = y1 == x1 and y2 == x2
        k = 1.0 if on_ray else _along(y1, y2, x1, x2)
    else:
        k, at_limit = largest_scale(model, q1, q2, x1, x2, horizon)
        y1, y2 = k * x1, k * x2
        on_ray = low1 <= y1 <= high1 and low2 <= y2 <= high2
        if not on_ray:
            hard = tuple.__new__(Box, (low1, high1, low2, high2))
            y1, y2, k, on_ray = _ramped(model, now, qd, x1, x2, k, hard, dt)
    # Straight to the tuple: the named constructor is a Python call, and this is every cycle.
    return tuple.__new__(
        Motion,
        (
            y1,
            y2,
            j1x * y1 + j2x * y2,
            j1y * y1 + j2y * y2,
            sigma1,
            abs(sigma2),
            damping,
            k,
            on_ray,
            at_limit,
            at_edge,
            escaping,
            not low1 + _ON_BOUND < y1 < high1 - _ON_BOUND,
            not low2 + _ON_BOUND < y2 < high2 - _ON_BOUND,
        ),
    )


def largest_scale(
    model: Model, q1: float, q2: float, x1: float, x2: float, horizon: float
) -> tuple[float, bool]:
    """Largest k in [0, 1] so that k x keeps all speed limits and can still brake along its ray.

    Both joints ramp down together, so along the ray joint i brakes with a_i' = |x_i| m, where
    m = min_j a_j / |x_j|.

    Returns:
        (k, whether a position limit determines it).
    """
    _, _, (lower1, upper1, velocity1, a1, _), (lower2, upper2, velocity2, a2, _), margin, _, _ = (
        model
    )
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


def _ramped(
    model: Model,
    now: Decomposition,
    qd: tuple[float, float],
    x1: float,
    x2: float,
    k: float,
    box: Box,
    dt: float,
) -> tuple[float, float, float, bool]:
    """Speeds nearest to k x that the box allows, the factor, and whether they lie on the ray."""
    nearest = nearest_on_ray(k, x1, x2, box)
    if nearest is not None and (
        nearest <= 1.0
        or nearest * nearest * _tip_speed_squared(now, x1, x2) <= _tip_speed_squared(now, *qd)
    ):
        y1, y2 = clip(nearest * x1, nearest * x2, box)
        return y1, y2, nearest if nearest < 1.0 else 1.0, True
    e1, e2 = k * x1 - qd[0], k * x2 - qd[1]
    part = 1.0
    for joint, e in ((model.joint1, abs(e1)), (model.joint2, abs(e2))):
        if part * e > joint.acceleration * dt:
            part = joint.acceleration * dt / e
    y1, y2 = clip(qd[0] + part * e1, qd[1] + part * e2, box)
    return y1, y2, _along(y1, y2, x1, x2), False


def _tip_speed_squared(now: Decomposition, qd1: float, qd2: float) -> float:
    j1x, j1y, j2x, j2y, _, _, _, _, _, _ = now
    x, y = j1x * qd1 + j2x * qd2, j1y * qd1 + j2y * qd2
    return x * x + y * y


def _softened(
    model: Model, q: tuple[float, float], x1: float, x2: float, box: Box, horizon: float
) -> tuple[Box, bool]:
    """Box with the position limits moved in by the margin, and whether they hold back x."""
    _, _, joint1, joint2, margin, _, _ = model
    low1, high1, low2, high2 = box
    low1, high1, holds1 = keep_margin(joint1, q[0], x1, low1, high1, margin, horizon)
    low2, high2, holds2 = keep_margin(joint2, q[1], x2, low2, high2, margin, horizon)
    return tuple.__new__(Box, (low1, high1, low2, high2)), holds1 or holds2


def _along(y1: float, y2: float, x1: float, x2: float) -> float:
    """Part of x that y reaches, between 0 and 1: (x.y) / (x.x)."""
    square = x1 * x1 + x2 * x2
    if square == 0.0:
        return 1.0
    part = (x1 * y1 + x2 * y2) / square
    return 0.0 if part < 0.0 else part if part < 1.0 else 1.0
