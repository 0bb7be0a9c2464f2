"""Angles that turn: nearest representation, limits, margins."""

import math

import numpy as np
import pytest

from planar_arm_ik.arm.angles import LIMIT_TOLERANCE, TURN, margin, nearest_turn, within_limits
from planar_arm_ik.arm.planar_arm import JointLimits

FREE = JointLimits(continuous=True)
HALF_TURN = JointLimits(-math.pi, math.pi)


def test_without_a_reference_angles_lie_in_the_half_open_turn():
    assert nearest_turn(math.pi, 0.0) == math.pi
    assert nearest_turn(-math.pi, 0.0) == math.pi
    assert nearest_turn(3.5, 0.0) == pytest.approx(3.5 - TURN, abs=1e-15)


def test_the_nearest_turn_is_within_half_a_turn_and_the_same_direction():
    rng = np.random.default_rng(1)
    for angle, reference in rng.uniform(-100.0, 100.0, (2000, 2)):
        q = nearest_turn(angle, reference)
        assert abs(q - reference) <= math.pi + 1e-12
        assert math.remainder(q - angle, TURN) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("angle", "reference", "expected"),
    [(-3.10, 3.10, -3.10 + TURN), (1.2, 20.0, 1.2 + 3 * TURN), (1.2, -20.0, 1.2 - 3 * TURN)],
)
def test_a_continuous_joint_follows_the_seed_over_turns(angle, reference, expected):
    assert within_limits(angle, reference, FREE) == pytest.approx(expected, abs=1e-12)


def test_a_bounded_joint_stays_inside_although_the_way_is_long():
    assert within_limits(-3.10, 3.10, HALF_TURN) == -3.10


def test_a_joint_wider_than_a_turn_uses_the_turn_nearest_the_seed():
    wide = JointLimits(-4.0, 9.0)
    assert within_limits(-1.0, 6.0, wide) == pytest.approx(-1.0 + TURN)
    assert within_limits(-1.0, 100.0, wide) == pytest.approx(-1.0 + TURN)
    assert within_limits(-1.0, -100.0, wide) == -1.0


def test_an_answer_is_the_nearest_representation_inside_or_the_least_far_outside():
    rng = np.random.default_rng(2)
    for _ in range(2000):
        lower = rng.uniform(-8.0, 4.0)
        limits = JointLimits(lower, lower + rng.uniform(0.0, 14.0))
        angle, reference = rng.uniform(-math.pi, math.pi), rng.uniform(-20.0, 20.0)
        turns = [angle + k * TURN for k in range(-6, 7)]
        inside = [q for q in turns if margin(q, limits) >= 0.0]
        q = within_limits(angle, reference, limits)
        if inside:
            assert limits.lower <= q <= limits.upper
            assert abs(q - reference) <= min(abs(p - reference) for p in inside) + 1e-9
        else:
            assert margin(q, limits) == pytest.approx(max(margin(p, limits) for p in turns))


def test_rounding_at_a_limit_is_set_on_the_limit():
    limits = JointLimits(-1.0, 2.0)
    assert within_limits(2.0 + 0.5 * LIMIT_TOLERANCE, 0.0, limits) == 2.0
    assert within_limits(-1.0 - 0.5 * LIMIT_TOLERANCE, 0.0, limits) == -1.0
    assert margin(within_limits(2.0 + 1e-9, 0.0, limits), limits) < 0.0


def test_margin_is_the_distance_to_the_nearer_limit():
    limits = JointLimits(-1.0, 2.0)
    assert margin(1.5, limits) == 0.5
    assert margin(-0.75, limits) == 0.25
    assert margin(2.5, limits) == -0.5
    assert margin(123.0, FREE) == math.inf
