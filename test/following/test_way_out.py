"""Straight braking as a way out: the bound of the tip's speed, and speeds that keep below it."""

import math
import random

import pytest

from arms import DEFAULT
from planar_arm_ik import PlanarArm
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.desired import Elbow
from planar_arm_ik.following.way_out import Moving, kept_slow, plainly_slow

PERIOD = 0.01
FAR = (100.0, 100.0)


def moving(rng, qd=(0.0, 0.0), up=FAR):
    l1, l2 = rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6)
    q2, a1, a2 = rng.uniform(0.6, 2.5), rng.uniform(1.0, 20.0), rng.uniform(1.0, 20.0)
    dt = PERIOD * rng.uniform(0.1, 3.0)
    return Moving(l1, l2, q2, a1, a2, FAR, up, qd, dt, dt, PERIOD)


def speeds(rng, size=2.0):
    return rng.uniform(-size, size), rng.uniform(-size, size)


def test_the_tip_speed_is_that_of_the_jacobian_whatever_the_shoulder():
    rng = random.Random(1)
    for _ in range(100):
        arm, y = moving(rng), speeds(rng)
        jacobian = PlanarArm(arm.l1, arm.l2).jacobian((rng.uniform(-3.0, 3.0), arm.q2))
        tip = math.hypot(*(jacobian @ y))
        assert math.sqrt(arm.tip_speed_squared(y)) == pytest.approx(tip)


def braking(arm, y, periods):
    """Tip speeds [m/s] of the cycles that brake straight to rest, and the way of the joints."""
    q1, q2, time, tips = 0.0, arm.q2, arm.horizon, []
    while y != (0.0, 0.0):
        tips.append(math.sqrt(arm._replace(q2=q2).tip_speed_squared(y)))
        q1, q2, time = q1 + y[0] * time, q2 + y[1] * time, PERIOD * next(periods)
        y = arm.braked(y, time)
    return tips, (q1, q2 - arm.q2)


def test_no_cycle_of_braking_makes_the_tip_faster_than_its_bound():
    rng, close = random.Random(2), 0
    for _ in range(2000):
        arm, y = moving(rng), speeds(rng)
        bound = math.sqrt(arm.fastest_squared(y))
        tips, _ = braking(arm, y, iter(lambda: rng.uniform(1.0, 3.0), None))
        if 0.0 < arm.q2 + y[1] * (arm.horizon + 0.5 * arm.stopping_time(y)) < math.pi:
            assert max(tips) <= bound * (1.0 + 1e-9)
            close += max(tips) > 0.9 * bound
    assert close > 1000


def test_braking_stops_before_the_limits_it_was_promised():
    rng, stops = random.Random(3), 0
    for _ in range(2000):
        arm, y = moving(rng, up=(0.2, 0.1)), speeds(rng)
        if not arm.stops(y):
            continue
        stops += 1
        _, ways = braking(arm, y, iter(lambda: rng.uniform(0.05, 3.0), None))
        assert all(way <= room + 1e-12 for way, room in zip(ways, arm.up, strict=True))
    assert stops > 100


def test_speeds_that_will_do_stay_as_they_are_and_others_become_slow():
    rng, kept, changed = random.Random(4), 0, 0
    for _ in range(1000):
        arm, y, v = moving(rng), speeds(rng), (rng.uniform(0.01, 1.0), 0.0)
        slow = kept_slow(arm, y, v)
        kept += slow == y
        changed += slow != y
        assert (slow == y) == (arm.fastest_squared(y) <= v[0] ** 2 * (1.0 + 1e-12))
        assert arm.fastest_squared(slow) <= v[0] ** 2 * (1.0 + 1e-9)
    assert min(kept, changed) > 50


def test_an_arm_that_is_too_fast_brakes_straight_at_full_acceleration():
    rng = random.Random(5)
    for _ in range(200):
        qd = speeds(rng)
        arm = moving(rng, qd)
        slow = kept_slow(arm, qd, (0.0, 0.0))
        brakes = arm.braked(qd, arm.dt)
        assert arm.tip_speed_squared(slow) <= arm.tip_speed_squared(brakes) * (1.0 + 1e-9)


def test_what_is_plainly_slow_is_slow():
    rng, plain = random.Random(6), 0
    config = FollowerConfig(DEFAULT, position_margin=0.05)
    for _ in range(2000):
        q, y = (rng.uniform(-2.9, 2.9), rng.uniform(-2.5, 2.5)), speeds(rng, 1.0)
        elbow = Elbow.of(1 if q[1] > 0.0 else -1, q[1], config.model.joint2)
        arm = Moving.of(config.model, q, (0.0, 0.0), elbow, 0.02, 0.02)
        v, tip = rng.uniform(0.01, 1.0), arm.tip_speed_squared(y)
        if plainly_slow(config.model, q, elbow, *y, tip, v * v, 0.02):
            plain += 1
            assert kept_slow(arm, y, (v, 0.0)) == y
    assert plain > 500
