"""Joint states by name, in any order, in pieces."""

import math

import numpy as np
import pytest

from planar_arm_ik.arm.joint_states import JointStateMerger, both_angles
from planar_arm_ik.arm.planar_arm import JointLimits

NAMES = ("joint1", "joint2")


def test_no_state_before_both_joints_have_been_heard_of():
    merger = JointStateMerger(NAMES)
    assert merger.state is None
    merger.update(["joint2"], [0.5], [], 1.0)
    assert merger.state is None
    merger.update(["joint1"], [0.1], [], 2.0)
    np.testing.assert_array_equal(merger.state.q, [0.1, 0.5])
    assert merger.state.received == 1.0


def test_order_and_strangers_do_not_matter():
    merger = JointStateMerger(NAMES)
    merger.update(["gripper", "joint2", "joint1"], [9.0, 0.5, 0.1], [9.0, 2.0, 1.0], 1.0)
    np.testing.assert_array_equal(merger.state.q, [0.1, 0.5])
    np.testing.assert_array_equal(merger.state.qd, [1.0, 2.0])


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_position_that_is_not_finite_is_ignored_and_does_not_refresh(bad):
    merger = JointStateMerger(NAMES)
    merger.update(NAMES, [0.1, 0.5], [], 1.0)
    merger.update(NAMES, [0.2, bad], [], 2.0)
    np.testing.assert_array_equal(merger.state.q, [0.2, 0.5])
    assert merger.state.received == 1.0


def test_both_angles_are_found_by_name_in_one_message():
    assert both_angles(NAMES, ["gripper", "joint2", "joint1"], [9.0, 0.5, 0.1]) == (0.1, 0.5)


@pytest.mark.parametrize(
    ("names", "positions"),
    [
        ([], []),
        (["joint1"], [0.1]),
        (["joint1", "joint1"], [0.1, 0.2]),
        (NAMES, [0.1]),
        (["joint1"], [0.1, 0.2]),
        (NAMES, [0.1, math.nan]),
        (NAMES, [math.inf, 0.1]),
    ],
)
def test_half_a_pair_of_angles_is_none(names, positions):
    assert both_angles(NAMES, names, positions) is None


def test_a_velocity_of_nan_is_normal():
    merger = JointStateMerger(NAMES)
    assert merger.update(NAMES, [0.1, 0.5], [math.nan, 1.0], 1.0) == ""
    np.testing.assert_array_equal(merger.state.qd, [0.0, 1.0])


@pytest.mark.parametrize(
    ("names", "positions", "velocities"),
    [
        (NAMES, [0.1], []),
        (["joint1"], [0.1, 0.2], []),
        (NAMES, [0.1, 0.2], [1.0]),
        (NAMES, [], []),
    ],
)
def test_a_ragged_message_is_ignored_as_a_whole(names, positions, velocities):
    merger = JointStateMerger(NAMES)
    merger.update(NAMES, [0.1, 0.5], [], 1.0)
    assert "must agree" in merger.update(names, positions, velocities, 2.0)
    assert merger.state.received == 1.0


@pytest.mark.parametrize("huge", [1e7, -1e300])
def test_an_angle_too_large_to_be_told_from_others_is_none(huge):
    merger = JointStateMerger(NAMES)
    merger.update(NAMES, [huge, 0.5], [], 1.0)
    assert merger.state is None
    assert both_angles(NAMES, NAMES, [huge, 0.5]) is None


@pytest.mark.parametrize(
    ("angle", "words"),
    [
        (2045.0, "raw counts"),
        (90.0, "degrees"),
        (-4.0, "another arm"),
        (1e5, "raw counts"),
        (100.0, "degrees"),
        (3.2, "0.2"),
    ],
)
def test_a_state_that_cannot_be_is_refused_with_joint_value_limit_and_cause(angle, words):
    limits = (JointLimits(-3.0, 3.0), JointLimits(-2.0, 2.0))
    merger = JointStateMerger(NAMES, limits)
    problem = merger.update(NAMES, [angle, 0.5], [], 1.0)
    assert "joint1" in problem
    assert f"{angle:.6g} rad" in problem
    assert "[-3, 3]" in problem
    assert words in problem
    assert merger.state is None
    assert merger.missing() == ("joint1",)


def test_an_arm_that_hangs_a_little_outside_its_limits_may_move_back_in():
    merger = JointStateMerger(NAMES, (JointLimits(-3.0, 3.0), JointLimits(-2.0, 2.0)))
    assert merger.update(NAMES, [3.09, -2.09], [], 1.0) == ""
    assert merger.position == (3.09, -2.09)


def test_a_continuous_joint_may_have_turned_often_but_not_for_ever():
    merger = JointStateMerger(NAMES, (JointLimits(continuous=True), JointLimits(-2.0, 2.0)))
    assert merger.update(NAMES, [600.0, 0.5], [], 1.0) == ""
    assert "raw counts" in merger.update(NAMES, [700.0, 0.5], [], 2.0)
    assert merger.position == (600.0, 0.5)


def test_a_name_that_comes_twice_makes_the_message_unclear():
    merger = JointStateMerger(NAMES)
    assert "'joint1' twice" in merger.update(["joint1", "joint1"], [0.1, 0.2], [], 1.0)
    assert merger.missing() == NAMES
