"""Unitless commands: clamp, circle, deadband, expo."""

import math
import random

import pytest

from planar_arm_ik.following.stick import stick_velocity


def test_a_component_beyond_one_is_taken_as_one():
    command = stick_velocity((2.0, 0.0, 0.0), 0.2)
    assert command.velocity == pytest.approx((0.2, 0.0, 0.0))
    assert command.clamped
    assert "2 is beyond 1" in command.note


def test_within_one_nothing_changes_and_nothing_is_said():
    command = stick_velocity((0.5, -0.25, 0.1), 0.2)
    assert command.velocity == pytest.approx((0.1, -0.05, 0.02))
    assert not command.clamped
    assert command.note == ""


def test_the_clamp_keeps_the_direction():
    x, y, _ = stick_velocity((2.0, 0.5, 0.0), 0.2).velocity
    assert y / x == pytest.approx(0.25)
    assert math.hypot(x, y) == pytest.approx(0.2)


def test_the_diagonal_of_a_square_stick_is_no_faster_than_its_side():
    command = stick_velocity((1.0, 1.0, 0.0), 0.2)
    assert command.velocity == pytest.approx((0.2 / math.sqrt(2.0), 0.2 / math.sqrt(2.0), 0.0))
    assert not command.clamped


def test_no_deflection_is_faster_than_the_scale_or_turns():
    rng = random.Random(1)
    for _ in range(500):
        stick = tuple(rng.uniform(-3.0, 3.0) for _ in range(3))
        velocity = stick_velocity(stick, 0.25, rng.uniform(0.0, 0.5), rng.random()).velocity
        speed, length = math.hypot(*velocity), math.hypot(*stick)
        assert speed <= 0.25 * (1.0 + 1e-12)
        along = sum(a * b for a, b in zip(stick, velocity, strict=True))
        assert along == pytest.approx(speed * length)


def test_a_deadband_begins_at_rest_and_ends_at_full_speed():
    assert stick_velocity((0.1, 0.0, 0.0), 1.0, deadband=0.1).velocity == (0.0, 0.0, 0.0)
    assert stick_velocity((0.0, 0.0, 0.0), 1.0).velocity == (0.0, 0.0, 0.0)
    assert stick_velocity((0.1001, 0.0, 0.0), 1.0, deadband=0.1).velocity[0] < 1e-3
    assert stick_velocity((-1.0, 0.0, 0.0), 1.0, deadband=0.1).velocity[0] == pytest.approx(-1.0)


def test_expo_is_fine_in_the_middle_and_the_same_at_the_end():
    assert stick_velocity((0.5, 0.0, 0.0), 1.0, expo=1.0).velocity[0] == pytest.approx(0.125)
    assert stick_velocity((1.0, 0.0, 0.0), 1.0, expo=0.7).velocity[0] == pytest.approx(1.0)
