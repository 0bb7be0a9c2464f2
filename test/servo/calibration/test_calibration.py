"""Angles to raw values and back, for linear and measured servos."""

import math
import random

import pytest

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.calibration.calibration import COUNTS_PER_RADIAN, JointCalibration


def calibration(**changes):
    values = {
        "joint": "joint1", "id": 1, "lower": -1.0, "upper": 1.0, "raw_min": 0.0,
        "raw_max": 4095.0, "max_speed": 1.0,
    } | changes  # fmt: skip
    return JointCalibration(**values)


CURVE = ((600.0, 1.2), (1000.0, 0.5), (1500.0, -0.1), (2300.0, -1.3))


def test_a_joint_angle_goes_through_sign_and_offset_and_back():
    joint = calibration(sign=-1, scale=1.0, zero=0.2, raw_min=-9.0, raw_max=9.0)
    assert joint.to_raw(0.5) == pytest.approx(-0.3)
    assert joint.to_angle(-0.3) == pytest.approx(0.5)
    assert sorted((joint.to_raw(-0.2), joint.to_raw(1.0))) == pytest.approx([-0.8, 0.4])


def test_a_bus_servo_has_4096_counts_a_turn():
    joint = calibration()
    assert joint.to_raw(math.pi / 4.0) == pytest.approx(2048 + 512)
    assert joint.raw_per_radian == pytest.approx(COUNTS_PER_RADIAN)


def test_every_angle_inside_the_limits_comes_back():
    rng = random.Random(1)
    for _ in range(300):
        lower = rng.uniform(-1.5, 0.0)
        joint = calibration(
            lower=lower, upper=lower + rng.uniform(0.1, 1.5), zero=rng.uniform(1800, 2200),
            sign=rng.choice((1, -1)), gear=rng.uniform(0.3, 1.7),
            hysteresis=rng.uniform(0.0, 30.0),
        )  # fmt: skip
        q = rng.uniform(joint.lower, joint.upper)
        for direction in (-1, 0, 1):
            raw = joint.to_raw(q, direction)
            assert joint.to_angle(raw, direction) == pytest.approx(q, abs=1e-12), joint


def test_measured_points_are_met_exactly_and_invert():
    joint = calibration(points=CURVE, raw_min=500.0, raw_max=2500.0)
    for raw, angle in CURVE:
        assert joint.to_angle(raw) == pytest.approx(angle)
    rng = random.Random(2)
    for _ in range(200):
        q = rng.uniform(-1.0, 1.0)
        assert joint.to_angle(joint.to_raw(q)) == pytest.approx(q, abs=1e-12)
    assert joint.raw_sign == -1
    assert joint.raw_per_radian == pytest.approx(500.0 / 0.6)


def test_measured_points_may_stand_in_any_order():
    shuffled = calibration(points=CURVE[::-1], raw_min=500.0, raw_max=2500.0)
    assert shuffled.points == CURVE


@pytest.mark.parametrize("q", [1e6, -1e6, 1.7976931348623157e308, 2.0, -2.0])
@pytest.mark.parametrize("direction", [-1, 0, 1])
def test_raw_never_leaves_the_hard_range(q, direction):
    for joint in (
        calibration(hysteresis=20.0),
        calibration(points=CURVE, raw_min=600.0, raw_max=2200.0, hysteresis=5.0),
    ):
        assert joint.raw_min <= joint.to_raw(q, direction) <= joint.raw_max


@pytest.mark.parametrize("q", [math.nan, math.inf, -math.inf])
def test_an_angle_that_is_not_finite_is_refused(q):
    with pytest.raises(PlanarArmError, match="finite"):
        calibration().to_raw(q)
    with pytest.raises(PlanarArmError, match="finite"):
        calibration().to_angle(q)


def test_play_is_added_by_the_direction_of_travel():
    joint = calibration(hysteresis=10.0)
    assert joint.to_raw(0.2, 1) - joint.to_raw(0.2, -1) == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"lower": math.nan}, "lower"),
        ({"upper": math.inf}, "upper"),
        ({"lower": 1.0}, "less than"),
        ({"raw_min": 4095.0}, "raw_min"),
        ({"scale": 0.0}, "scale"),
        ({"gear": -1.0}, "gear"),
        ({"max_speed": 0.0}, "max_speed"),
        ({"sign": 2}, "sign"),
        ({"hysteresis": -1.0}, "hysteresis"),
        ({"rest": 1.5}, "rest"),
        ({"upper": 4.0}, "hard range"),
        ({"zero": 4000.0}, "hard range"),
        ({"lower": -3.141, "upper": 3.141, "hysteresis": 4.0}, "hard range"),
        ({"points": ((1.0, 0.0),)}, "two or more"),
        ({"points": ((1.0, 0.0), (2.0, math.nan))}, "finite"),
        ({"points": ((1.0, 0.0), (2.0, 0.5), (3.0, 0.4))}, "monotone"),
        ({"points": ((1.0, 0.0), (1.0, 0.5))}, "monotone"),
        ({"points": ((1.0, 0.0), (2.0, 0.0))}, "monotone"),
    ],
)
def test_a_value_that_breaks_its_rule_is_refused_by_name(changes, words):
    with pytest.raises(PlanarArmError, match=words):
        calibration(**changes)


def test_the_rest_pose_is_the_middle_unless_given():
    assert calibration(lower=-0.5).rest_angle == pytest.approx(0.25)
    assert calibration(rest=0.1).rest_angle == 0.1
