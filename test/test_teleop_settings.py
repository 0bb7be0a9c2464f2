"""The settings for keyboard and joystick: names and rules of the nodes they are for."""

import pytest
import yaml

from places import ROOT

CONFIG = ROOT / "config"
KEYBOARD = yaml.safe_load((CONFIG / "teleop_keyboard.yaml").read_text())
JOYSTICK = yaml.safe_load((CONFIG / "teleop_joy.yaml").read_text())

#: Parameters of teleop_twist_joy (teleop_twist_joy.cpp) and of joy_node (joy.cpp).
TWIST_JOY = {
    "require_enable_button",
    "enable_button",
    "enable_turbo_button",
    "axis_linear",
    "scale_linear",
    "scale_linear_turbo",
    "axis_angular",
    "scale_angular",
    "scale_angular_turbo",
    "inverted_reverse",
    "publish_stamped_twist",
    "frame",
}
JOY = {
    "device_id",
    "device_name",
    "deadzone",
    "autorepeat_rate",
    "sticky_buttons",
    "coalesce_interval_ms",
}


def of(settings, node):
    return settings[f"/**/{node}"]["ros__parameters"]


def test_the_keyboard_node_starts_with_its_settings():
    keyboard = of(KEYBOARD, "teleop_twist_keyboard")
    assert set(keyboard) <= {"stamped", "frame_id", "key_mappings_file"}
    # It refuses a frame without a stamp.
    assert keyboard["stamped"] or not keyboard.get("frame_id")


def test_the_joystick_nodes_know_their_settings():
    assert set(of(JOYSTICK, "joy_node")) <= JOY
    joystick = of(JOYSTICK, "teleop_twist_joy_node")
    assert set(joystick) <= TWIST_JOY
    assert set(joystick["axis_linear"]) == set(joystick["scale_linear"]) == {"x", "y"}
    assert joystick["axis_angular"] == {"yaw": -1}  # none: a trigger is the default


@pytest.mark.parametrize("settings", [KEYBOARD, JOYSTICK], ids=["keyboard", "joystick"])
def test_the_follower_takes_its_part(settings):
    pytest.importorskip("rclpy")
    import dataclasses

    from arms import DEFAULT
    from planar_arm_ik.nodes.cartesian_follower.parameters import parameters_of
    from planar_arm_ik.nodes.common.parameters import check

    fields = {field.name: field for field in dataclasses.fields(parameters_of(DEFAULT))}
    for name, value in of(settings, "cartesian_follower").items():
        check(fields[name], value)
