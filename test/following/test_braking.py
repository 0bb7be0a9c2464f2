import math
import random

import pytest

from planar_arm_ik import JointLimits
from planar_arm_ik.following.braking import (
    JointBounds,
    braking_speed,
    keep_margin,
    reachable_speeds,
)

JOINT = JointBounds.of(JointLimits(-1.0, 1.0, 2.0, 8.0), 0.03)


def test_the_braking_speed_uses_up_exactly_the_way_left():
    rng = random.Random(1)
    for _ in range(1000):
        d, a, h = 10 ** rng.uniform(-9, 1), 10 ** rng.uniform(-1, 2), 10 ** rng.uniform(-4, 0)
        b = braking_speed(d, a, h)
        assert b * h + b * b / (2.0 * a) == pytest.approx(d, rel=1e-9)


@pytest.mark.parametrize(
    ("distance", "acceleration", "horizon", "speed"),
    [
        (0.0, 8.0, 0.01, 0.0),
        (-0.1, 8.0, 0.01, 0.0),
        (math.inf, 8.0, 0.01, math.inf),
        (0.1, math.inf, 0.01, 10.0),
        (0.25, 8.0, 0.0, 2.0),
    ],
)
def test_the_braking_speed_at_its_edges(distance, acceleration, horizon, speed):
    assert braking_speed(distance, acceleration, horizon) == pytest.approx(speed)


def test_the_box_is_never_empty_whatever_the_state():
    rng = random.Random(2)
    for _ in range(5000):
        q, qd, dt = rng.uniform(-1.5, 1.5), rng.uniform(-4.0, 4.0), rng.uniform(0.0, 0.05)
        low, high = reachable_speeds(JOINT, q, qd, dt, dt)
        assert low <= high


def test_a_joint_at_full_speed_never_passes_its_limit_whatever_the_steps():
    rng = random.Random(3)
    for _ in range(60):
        q, qd = rng.uniform(-1.0, 0.5), 0.0
        for _ in range(300):
            dt = 0.01 * rng.choice((0.05, 1.0, rng.uniform(0.05, 3.0)))
            before = qd
            _, qd = reachable_speeds(JOINT, q, qd, dt, dt)
            q += qd * dt
            assert q <= 1.0 + 1e-12
            assert abs(qd - before) <= 8.0 * dt + 1e-12
        assert q == pytest.approx(1.0, abs=1e-3)


def test_a_state_beyond_saving_brakes_at_full_acceleration():
    low, high = reachable_speeds(JOINT, 0.999, 2.0, 0.01, 0.01)
    assert low <= high == pytest.approx(2.0 - 8.0 * 0.01)


def test_outside_a_limit_only_the_way_back_is_open():
    low, high = reachable_speeds(JOINT, 1.2, 0.0, 0.01, 0.01)
    assert high == 0.0
    assert low == pytest.approx(-0.08)


def test_the_margin_stops_a_joint_before_its_limit_and_gives_way_to_what_it_can_reach():
    rng = random.Random(4)
    held = 0
    for _ in range(5000):
        q, qd, dt = rng.uniform(-1.2, 1.2), rng.uniform(-2.0, 2.0), rng.uniform(0.0, 0.03)
        x, margin = rng.uniform(-3.0, 3.0), rng.uniform(0.0, 0.2)
        low, high = reachable_speeds(JOINT, q, qd, dt, dt)
        up = braking_speed(JOINT.upper - margin - q, 8.0, dt)
        down = -braking_speed(q - JOINT.lower - margin, 8.0, dt)
        inner = min(max(down, low), high), max(min(up, high), low)
        got = keep_margin(JOINT, q, x, low, high, margin, dt)
        assert got[:2] == inner
        assert got[0] <= got[1]
        assert got[2] or down <= min(max(x, -2.0), 2.0) <= up
        held += got[2]
    assert 500 < held < 4500


def test_no_time_means_no_change_of_speed():
    assert reachable_speeds(JOINT, 0.0, 0.7, 0.0, 0.0) == (0.7, 0.7)


def test_joint_bounds_are_cut_down_to_a_range():
    cut = JOINT.within(-0.5, 3.0)
    assert (cut.lower, cut.upper, cut.velocity) == (-0.5, 1.0, 2.0)
