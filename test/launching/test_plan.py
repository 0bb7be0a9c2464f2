import itertools

import pytest

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.launching.plan import (
    CONTROLS,
    DRIVEN,
    HARDWARE,
    bringup_plan,
    namespace_and_prefix,
    truth,
)
from planar_arm_ik.servo.settings.makers import MAKERS


def test_every_backend_can_be_launched():
    assert set(DRIVEN) == set(MAKERS)


@pytest.mark.parametrize("hardware", DRIVEN)
def test_standalone_has_a_driver_that_plays_trajectories_itself(hardware):
    plan = bringup_plan("standalone", hardware)
    assert (plan.driver, plan.controllers, plan.description_hardware) == (True, False, "")
    assert plan.trajectory_topic == plan.driver_interface == "joint_trajectory"


@pytest.mark.parametrize("hardware", DRIVEN)
def test_ros2_control_drives_servos_through_the_topic_system(hardware):
    plan = bringup_plan("ros2_control", hardware)
    assert (plan.driver, plan.controllers, plan.description_hardware) == (True, True, "topic")
    assert plan.driver_interface == "joint_commands"
    assert plan.trajectory_topic == "joint_trajectory_controller/joint_trajectory"


def test_mock_hardware_needs_no_driver():
    plan = bringup_plan("ros2_control", "mock")
    assert (plan.driver, plan.controllers, plan.description_hardware) == (False, True, "mock")


def test_exactly_one_known_combination_is_refused_and_told_what_would_do():
    refused = []
    for control, hardware in itertools.product(CONTROLS, HARDWARE):
        try:
            bringup_plan(control, hardware)
        except PlanarArmError as error:
            refused.append((control, hardware, str(error)))
    ((control, hardware, sentence),) = refused
    assert (control, hardware) == ("standalone", "mock")
    assert "control:=ros2_control" in sentence
    assert "hardware:=sim" in sentence


@pytest.mark.parametrize(("control", "hardware"), [("moveit", "sim"), ("standalone", "arduino"),
                                                   ("", "sim"), ("ros2_control", "")])  # fmt: skip
def test_anything_unknown_is_refused_with_what_is_known(control, hardware):
    with pytest.raises(PlanarArmError, match="must be one of"):
        bringup_plan(control, hardware)


def test_a_name_makes_namespace_and_prefix():
    assert namespace_and_prefix("") == ("", "")
    assert namespace_and_prefix("left") == ("left", "left_")
    assert namespace_and_prefix("arm_2") == ("arm_2", "arm_2_")


@pytest.mark.parametrize("name", ["2nd", "a b", "left/right", "a-b", "_x", "x_", "a__b", "ä"])
def test_a_name_that_cannot_stand_in_a_namespace_is_refused(name):
    with pytest.raises(PlanarArmError, match="name:="):
        namespace_and_prefix(name)


def test_true_and_false_are_read_as_launch_users_write_them():
    assert [truth("rviz", value) for value in ("true", "True", "1")] == [True] * 3
    assert [truth("rviz", value) for value in ("false", "FALSE", "0")] == [False] * 3
    with pytest.raises(PlanarArmError, match="rviz:=maybe"):
        truth("rviz", "maybe")
