r"""Speeds from which a joint stops in time, and the box of speeds it can reach in one cycle.

A joint that may run for `horizon` more seconds before it can be told again, and then brakes with
`acceleration`, stops within `distance` when its speed is at most b with

    b horizon + b^2 / (2 a) = distance    =>    b = 2 d / (horizon + sqrt(horizon^2 + 2 d / a))

If qd^2 <= 2 a d holds before a cycle, then qd - a dt <= b(d, horizon = dt), and the same
inequality holds after it for any dt: the box of reachable speeds is never empty and no limit has
to give way.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from planar_arm_ik.arm.planar_arm import JointLimits


def braking_speed(distance: float, acceleration: float, horizon: float) -> float:
    """Largest speed [rad/s] from which a joint still stops within `distance`.

    Args:
        distance: way left [rad]; not positive means beyond: the answer is 0. May be inf.
        acceleration: braking acceleration [rad/s^2], positive; may be inf.
        horizon: time [s] until the joint can be told to brake.

    Returns:
        The speed [rad/s]; inf without a limit in the way.
    """
    if distance <= 0.0:
        return 0.0
    if distance == math.inf:
        return math.inf
    rest = horizon + math.sqrt(horizon * horizon + 2.0 * distance / acceleration)
    return 2.0 * distance / rest if rest > 0.0 else math.inf


class JointBounds(NamedTuple):
    """Limits of one joint, with the zone in which no position limit is near.

    Args:
        lower: smallest angle [rad].
        upper: largest angle [rad].
        velocity: largest speed [rad/s].
        acceleration: largest acceleration [rad/s^2].
        reserve: way [rad] within which the joint stops from its largest speed after the longest
            horizon: farther from a limit than this, the limit does not matter.
    """

    lower: float
    upper: float
    velocity: float
    acceleration: float
    reserve: float

    @classmethod
    def of(cls, limits: JointLimits, longest_horizon: float) -> JointBounds:
        """Take the limits of a joint for cycles that look ahead at most `longest_horizon` [s]."""
        v, a = limits.velocity, limits.acceleration
        reserve = v * longest_horizon + 0.5 * v * v / a
        return cls(limits.lower, limits.upper, v, a, reserve)

    def within(self, lower: float, upper: float) -> JointBounds:
        """Return the same joint kept inside [lower, upper] [rad] as well."""
        return self._replace(lower=max(self.lower, lower), upper=min(self.upper, upper))


def reachable_speeds(
    joint: JointBounds, q: float, qd: float, dt: float, horizon: float
) -> tuple[float, float]:
    """Speeds a joint may have next: limits of speed, position and acceleration together.

    Step *box* of docs/follower.md. The acceleration limit is the last to give way: from a state
    that no braking can save the joint brakes at full acceleration.

    Args:
        joint: the limits.
        q: angle [rad].
        qd: speed now [rad/s].
        dt: time [s] over which the speed may change.
        horizon: time [s] until the next chance to brake.

    Returns:
        (lowest, highest) speed [rad/s], never empty.
    """
    lower, upper, velocity, acceleration, reserve = joint
    low, high = -velocity, velocity
    if upper - q < reserve:
        high = min(high, braking_speed(upper - q, acceleration, horizon))
    if q - lower < reserve:
        low = max(low, -braking_speed(q - lower, acceleration, horizon))
    change = acceleration * dt
    slowest, fastest = qd - change, qd + change
    if low < slowest:
        low = slowest
    elif low > fastest:
        low = fastest
    if high > fastest:
        high = fastest
    elif high < slowest:
        high = slowest
    return low, high


def keep_margin(
    joint: JointBounds,
    q: float,
    x: float,
    low: float,
    high: float,
    margin: float,
    horizon: float,
) -> tuple[float, float, bool]:
    """Bounds of one joint's speed that also stop it at `margin` from its position limits.

    The margin gives way to what the joint can reach, so the bounds are never empty.

    Args:
        joint: the limits.
        q: angle [rad].
        x: wanted speed [rad/s].
        low: lowest reachable speed [rad/s].
        high: highest reachable speed [rad/s].
        margin: distance [rad] to a position limit at which the joint is to stop.
        horizon: time [s] until the next chance to brake.

    Returns:
        (lowest, highest) speed [rad/s], and whether the margin holds x back.
    """
    lower, upper, _, acceleration, reserve = joint
    held = False
    way = upper - margin - q
    if way < reserve:
        most = braking_speed(way, acceleration, horizon)
        held = x > most
        if most < high:
            high = most if most > low else low
    way = q - lower - margin
    if way < reserve:
        most = -braking_speed(way, acceleration, horizon)
        held = held or x < most
        if most > low:
            low = most if most < high else high
    return low, high, held
