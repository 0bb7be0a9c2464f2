"""Gate, clamp and slew: what may be sent next."""

import math
import random
from itertools import pairwise

import pytest
from servo_support import SPEED, settings

from planar_arm_ik.servo.control.setpoints import Setpoints

DT = 0.02


def held(position=(0.5, -0.5), max_jump=0.2):
    made = Setpoints(settings().joints, max_jump)
    made.start(position)
    return made


def test_it_holds_until_a_command_lies_near_the_arm():
    points = held()
    far = points.aim((0.0, -0.5))
    assert not far.accepted
    assert "joint1" in far.message
    assert "jump of 0.500" in far.message
    assert points.step(DT) == [0.5, -0.5]
    assert points.aim((0.45, -0.6)).accepted
    assert points.gate_open
    assert points.aim((-1.0, -1.0)).accepted


def test_a_far_command_is_fine_when_the_arm_has_time_to_get_there():
    assert held().admit((1.4, -0.5), time=1.0).accepted
    assert not held().admit((1.4, -0.5), time=0.5).accepted


def test_starting_again_closes_the_gate():
    points = held()
    points.aim((0.5, -0.5))
    points.start((0.0, 0.0))
    assert not points.gate_open
    assert not points.aim((0.5, -0.5)).accepted


@pytest.mark.parametrize(
    "target",
    [(math.nan, math.nan), (math.nan, 0.3), (math.inf, 0.0), (), (0.5,), (0.5, -0.5, 0.0)],
)
def test_bad_numbers_change_nothing_and_do_not_open_the_gate(target):
    points = held()
    assert not points.aim(target).accepted
    assert not points.gate_open
    points.aim((0.5, -0.4))
    before = points.step(DT)
    assert not points.aim(target).accepted
    after = points.step(DT)
    assert after[1] > before[1]


def test_a_command_beyond_the_limits_is_clamped_and_names_the_joint():
    points = held()
    points.aim((0.5, -0.5))
    verdict = points.aim((0.5, -2.0))
    assert verdict.accepted
    assert "joint2" in verdict.message
    for _ in range(200):
        last = points.step(DT)
    assert last == [0.5, -1.5]


def test_no_step_is_longer_than_the_speed_allows_whatever_is_commanded():
    rng = random.Random(3)
    points = held()
    points.aim((0.5, -0.5))
    before = list(points.position)
    for _ in range(3000):
        if rng.random() < 0.3:
            values = [rng.choice((rng.uniform(-9, 9), math.nan, 1e300)) for _ in range(2)]
            points.aim(values)
        dt = rng.choice((0.0, 0.001, DT, 0.05))
        after = points.brake(dt) if rng.random() < 0.1 else points.step(dt)
        for old, new in zip(before, after, strict=True):
            assert abs(new - old) <= SPEED * dt + 1e-12
            assert -1.5 <= new <= 1.5
        before = list(after)


def test_both_joints_slew_along_a_straight_line():
    points = held((0.0, 0.0))
    points.aim((0.0, 0.0))
    points.aim((1.0, 0.25))
    for _ in range(20):
        q1, q2 = points.step(DT)
        assert q2 == pytest.approx(0.25 * q1)
    for _ in range(40):
        q1, q2 = points.step(DT)
    assert (q1, q2) == (1.0, 0.25)


def test_a_stop_runs_out_in_a_quarter_of_a_second():
    points = held((0.0, 0.0))
    points.aim((0.0, 0.0))
    points.aim((1.0, 0.0))
    for _ in range(10):
        points.step(DT)
    steps, places = 0, [points.position[0]]
    while not points.at_rest:
        places.append(points.brake(DT)[0])
        steps += 1
    assert steps * DT <= 0.25 + DT
    moves = [b - a for a, b in pairwise(places)]
    assert moves == sorted(moves, reverse=True)
