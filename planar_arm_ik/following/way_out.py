r"""Joint speeds that leave a way out: braking straight to rest, the tip never faster than asked.

Along straight braking the joint speeds stay a multiple of y = (y1, y2), and stop after
T = max |y_i| / a_i over the way y T / 2. The tip's speed does not depend on the shoulder's angle:

    |J y|^2 = A + B cos q2,   A = l1^2 y1^2 + l2^2 (y1 + y2)^2,   B = 2 l1 l2 y1 (y1 + y2)

so that over the part p of the way it is f(p) = (A + B cos(q2 + p y2 T / 2)) (1 - p). Where f stays
below the square of the commanded speed, and the ways end before the limits, braking is a way out
that never makes the tip faster, and what follows on it is such a state again: a cycle that takes
such speeds leaves the next one speeds to take.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from planar_arm_ik.following.desired import Elbow
from planar_arm_ik.following.model import Model

Pair = tuple[float, float]

#: Pieces of the way at whose ends f is looked at; between them it is bounded by its curvature.
_PIECES = 8
#: Halvings of the way between braking and what is wanted.
_HALVINGS = 8
#: Rounding of a way, and of the square of a speed.
_ROUNDING = 1.0 + 1e-12


class Moving(NamedTuple):
    """An arm at the start of a cycle.

    Args:
        l1: length of link 1 [m].
        l2: length of link 2 [m].
        q2: elbow angle [rad].
        a1: largest acceleration of the shoulder [rad/s^2].
        a2: largest acceleration of the elbow [rad/s^2].
        down: ways left to the lower limits, of shoulder and elbow [rad].
        up: ways left to the upper limits [rad].
        qd: joint speeds until now [rad/s].
        dt: time over which the speeds may change [s].
        horizon: time for which the new speeds hold [s].
        period: time for which the next cycle may brake [s].
    """

    l1: float
    l2: float
    q2: float
    a1: float
    a2: float
    down: Pair
    up: Pair
    qd: Pair
    dt: float
    horizon: float
    period: float

    @classmethod
    def of(
        cls, model: Model, q: Pair, qd: Pair, elbow: Elbow, dt: float, horizon: float
    ) -> Moving:
        """Return the arm as braking sees it: the margin counts at the joints' limits alone."""
        l1, l2, joint1, joint2, margin, _, _, period = model
        down2, up2 = q[1] - joint2.lower - margin, joint2.upper - margin - q[1]
        down = q[0] - joint1.lower - margin, min(down2, q[1] - elbow.lower)
        up = joint1.upper - margin - q[0], min(up2, elbow.upper - q[1])
        a1, a2 = joint1.acceleration, joint2.acceleration
        return cls(l1, l2, q[1], a1, a2, down, up, qd, dt, horizon, period)

    def stopping_time(self, y: Pair) -> float:
        """Time to brake straight to rest at full acceleration [s]."""
        time1, time2 = abs(y[0]) / self.a1, abs(y[1]) / self.a2
        return time1 if time1 > time2 else time2

    def braked(self, y: Pair, time: float) -> Pair:
        """Joint speeds [rad/s] after braking straight toward rest for a time [s]."""
        stop = self.stopping_time(y)
        if stop <= time:
            return 0.0, 0.0
        part = 1.0 - time / stop
        return part * y[0], part * y[1]

    def tip_speed_squared(self, y: Pair) -> float:
        """|J y|^2 [m^2/s^2] now."""
        a, b = self._parts(y)
        return a + b * math.cos(self.q2)

    def fastest_squared(self, y: Pair) -> float:
        """Bound of the tip's squared speed [m^2/s^2] with y now and straight braking after it."""
        a, b = self._parts(y)
        fastest = a + b * math.cos(self.q2)
        q2 = self.q2 + y[1] * self.horizon
        stop = self.stopping_time(y)
        if stop <= self.period:
            return fastest
        part = 1.0 - self.period / stop
        a, b = part * part * a, part * part * b
        turn = 0.5 * part * part * y[1] * stop
        begin = a + b * math.cos(q2)
        if begin > fastest:
            fastest = begin
        steepest = abs(b * turn)
        if steepest <= begin or b * (math.cos(q2 + turn) - math.cos(q2)) <= 0.0:
            return fastest
        between = steepest * (abs(turn) + 2.0) / (8.0 * _PIECES * _PIECES)
        for i in range(1, _PIECES):
            p = i / _PIECES
            f = (a + b * math.cos(q2 + p * turn)) * (1.0 - p) + between
            if f > fastest:
                fastest = f
        return fastest

    def room(self, y: Pair, joint: int) -> float:
        """Largest speed [rad/s] of a joint, 0 or 1, that straight braking from y stops in time."""
        way = self.up[joint] if y[joint] > 0.0 else self.down[joint]
        return way * _ROUNDING / (self.horizon + 0.5 * self.stopping_time(y))

    def stops(self, y: Pair) -> bool:
        """Whether straight braking from y stops before the position limits."""
        return all(abs(y[i]) <= self.room(y, i) or y[i] == 0.0 for i in (0, 1))

    def _parts(self, y: Pair) -> Pair:
        l1, l2, both = self.l1, self.l2, y[0] + y[1]
        a = l1 * l1 * y[0] * y[0] + l2 * l2 * both * both
        return a, 2.0 * l1 * l2 * y[0] * both


def kept_slow(arm: Moving, y: Pair, velocity: Pair) -> Pair:
    """Joint speeds near y from which straight braking stops in time with a slow tip.

    Slow is no faster than asked. An arm that cannot be that slow yet is no faster than straight
    braking makes it now, and stops no later.

    Args:
        arm: the arm.
        y: joint speeds wanted [rad/s], reachable.
        velocity: tip velocity asked for [m/s].

    Returns:
        y where it will do; else speeds between straight braking and y.
    """
    asked = (velocity[0] * velocity[0] + velocity[1] * velocity[1]) * _ROUNDING
    if not arm.stops(y):
        y = _shortened(arm, y)
    elif arm.fastest_squared(y) <= asked:
        return y
    brakes = arm.braked(arm.qd, arm.dt)
    slowed, stop = arm.tip_speed_squared(brakes) * _ROUNDING, arm.stopping_time(brakes)

    def will_do(speeds: Pair) -> bool:
        most = max(asked, slowed) if arm.stopping_time(speeds) <= stop * _ROUNDING else asked
        return arm.stops(speeds) and arm.fastest_squared(speeds) <= most

    if will_do(y):
        return y
    low, high, best = 0.0, 1.0, brakes
    for _ in range(_HALVINGS):
        part = 0.5 * (low + high)
        tried = _between(brakes, y, part)
        if will_do(tried):
            low, best = part, tried
        else:
            high = part
    return best


def plainly_slow(
    model: Model,
    q: Pair,
    elbow: Elbow,
    y1: float,
    y2: float,
    tip_squared: float,
    asked_squared: float,
    horizon: float,
) -> bool:
    """Whether y will do by a bound that needs no cosine: most cycles need no other.

    Args:
        model: arm and policy.
        q: joint angles [rad].
        elbow: the half turn the elbow stays in.
        y1: speed of the shoulder [rad/s].
        y2: speed of the elbow [rad/s].
        tip_squared: |J y|^2 [m^2/s^2] now.
        asked_squared: square of the commanded tip speed [m^2/s^2].
        horizon: time for which y holds [s].
    """
    if tip_squared > asked_squared * _ROUNDING:
        return False
    l1, l2, joint1, joint2, margin, _, _, period = model
    lower1, upper1, _, a1, _ = joint1
    _, lower2, upper2, _ = elbow
    fast1, fast2 = abs(y1), abs(y2)
    stop = fast1 / a1 if fast1 * joint2[3] > fast2 * a1 else fast2 / joint2[3]
    time = horizon + 0.5 * stop
    way1 = upper1 - q[0] if y1 > 0.0 else q[0] - lower1
    if fast1 * time + margin > way1:
        return False
    way2 = fast2 * time
    if way2 > (upper2 - q[1] if y2 > 0.0 else q[1] - lower2):
        return False
    if way2 + margin > (joint2[1] - q[1] if y2 > 0.0 else q[1] - joint2[0]):
        return False
    if stop <= period:
        return True
    part = 1.0 - period / stop
    square = part * part
    steepest = 2.0 * l1 * l2 * abs(y1 * (y1 + y2)) * fast2
    grown, least = tip_squared + steepest * horizon, tip_squared - steepest * horizon
    return grown * square <= asked_squared and 0.5 * steepest * stop * square <= least


def _between(begin: Pair, end: Pair, part: float) -> Pair:
    return begin[0] + part * (end[0] - begin[0]), begin[1] + part * (end[1] - begin[1])


def _shortened(arm: Moving, y: Pair) -> Pair:
    """Speeds with each joint as slow as its way needs, as far as it can brake this cycle."""
    slow = list(y)
    for i, acceleration in enumerate((arm.a1, arm.a2)):
        room = max(0.0, arm.room(y, i))
        if abs(y[i]) > room:
            least = abs(arm.qd[i]) - acceleration * arm.dt
            slow[i] = math.copysign(max(room, min(least, abs(y[i]))), y[i])
    return slow[0], slow[1]
