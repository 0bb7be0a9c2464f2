r"""One control cycle of twist following: every limit at once, and a way out of each singularity.

A pure function of joint angles q, joint speeds qd, elbow half turn, tip velocity v and time dt. It
takes the steps of docs/follower.md, *The mathematics*, in their order and by their names:

* singular values: J = u1 sigma1 v1^T + u2 sigma2 v2^T in closed form (:mod:`.singular`).
* desired speeds: x, the inverse of J, damped only in its lost direction and only where
  sigma_min < eps; where that leads back into the ring, its gain stays that at eps. The elbow is
  fenced into its half turn, and the tip slides along the edge (:mod:`.desired`).
* box: what the joints can reach in this cycle and still stop from (:mod:`.braking`).
* least squares, or scale and ramp: the speeds y of the box nearest to x by the limit policy
  (:mod:`.policies`).
* tip speed: y is held where it would make the tip faster than told or than it is
  (:mod:`.tip_speed`).
* way out: y gives way toward braking straight to rest, where such braking would not do from y:
  the tip would become faster than told, or a joint pass its limit (:mod:`.way_out`).

The caller sets q += y dt; the last step, report, says what became of v (:mod:`.report`).
"""

from __future__ import annotations

from typing import NamedTuple

from planar_arm_ik.arm.singular import decompose
from planar_arm_ik.following.box import Box, clip
from planar_arm_ik.following.braking import reachable_speeds
from planar_arm_ik.following.desired import Elbow, desired_speeds
from planar_arm_ik.following.model import Model
from planar_arm_ik.following.policies import (
    along,
    largest_scale,
    least_squares_speeds,
    ramped_speeds,
)
from planar_arm_ik.following.tip_speed import not_faster
from planar_arm_ik.following.way_out import Moving, kept_slow, plainly_slow

#: Speeds [rad/s] closer to a bound than this are on it.
_ON_BOUND = 1e-9

# Straight to the tuple: the named constructors are Python calls, and this is every cycle.
_make = tuple.__new__


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
    l1, l2, joint1, _, _, law, project, _ = model
    q1, q2 = q
    now = decompose(l1, l2, q1, q2)
    x1, x2, damping, escaping, at_edge = desired_speeds(law, now, elbow, q2, velocity, horizon)
    low1, high1 = reachable_speeds(joint1, q1, qd[0], dt, horizon)
    low2, high2 = reachable_speeds(elbow.bounds, q2, qd[1], dt, horizon)
    box = _make(Box, (low1, high1, low2, high2))
    if project and velocity != (0.0, 0.0):
        chosen = least_squares_speeds(model, now, q, x1, x2, damping, box, horizon)
        y1, y2, k, on_ray, at_limit = chosen
    else:
        k, at_limit = largest_scale(model, q1, q2, x1, x2, horizon)
        y1, y2 = k * x1, k * x2
        on_ray = low1 <= y1 <= high1 and low2 <= y2 <= high2
        if not on_ray:
            y1, y2, k, on_ray = ramped_speeds(model, now, qd, x1, x2, k, box, dt)
    if not on_ray:
        y1, y2 = not_faster(now, qd, velocity, (y1, y2), box)
        k = along(y1, y2, x1, x2)
    j1x, j1y, j2x, j2y, _, _, _, _, sigma1, sigma2 = now
    x, y = j1x * y1 + j2x * y2, j1y * y1 + j2y * y2
    vx, vy = velocity
    if not plainly_slow(model, q, elbow, y1, y2, x * x + y * y, vx * vx + vy * vy, horizon):
        slow = kept_slow(Moving.of(model, q, qd, elbow, dt, horizon), (y1, y2), velocity)
        if slow != (y1, y2):
            y1, y2 = clip(*slow, box)
            x, y = j1x * y1 + j2x * y2, j1y * y1 + j2y * y2
            k, on_ray = along(y1, y2, x1, x2), False
    saturated1 = not low1 + _ON_BOUND < y1 < high1 - _ON_BOUND
    saturated2 = not low2 + _ON_BOUND < y2 < high2 - _ON_BOUND
    # fmt: off
    return _make(Motion, (
        y1, y2, x, y, sigma1, abs(sigma2), damping, k,
        on_ray, at_limit, at_edge, escaping, saturated1, saturated2,
    ))
    # fmt: on
