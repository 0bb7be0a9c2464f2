"""``planar-arm check``: the shipped files agree, and each contradiction is named."""

import json

import pytest
import yaml

from places import ROOT
from planar_arm_ik.cli import main

XACRO = ROOT / "urdf" / "planar_arm.urdf.xacro"
CONTROLLERS = ROOT / "config" / "controllers.yaml"
FEETECH = ROOT / "config" / "servo_feetech.yaml"
ARM = ROOT / "config" / "arm.yaml"


def check(capsys, *options):
    """Exit code, and messages of errors and warnings."""
    code = main(["check", "--config", str(ARM), "--json", *map(str, options)])
    findings = json.loads(capsys.readouterr().out)["findings"]
    return code, {
        level: " | ".join(f["message"] for f in findings if f["level"] == level)
        for level in ("error", "warning")
    }


@pytest.mark.parametrize("prefix", ["", "left_"])
def test_the_shipped_files_agree(prefix, capsys):
    pytest.importorskip("xacro")
    code, said = check(capsys, "--urdf", XACRO, "--controllers", CONTROLLERS, "--prefix", prefix)
    assert code == 0
    assert not said["error"]


@pytest.mark.parametrize("path", sorted(ROOT.glob("config/servo_*.yaml")), ids=lambda p: p.name)
def test_the_shipped_calibrations_agree_with_the_arm(path, capsys):
    code, said = check(capsys, "--calibration", path)
    assert code == 0
    assert not said["error"]
    assert "arm.yaml has 2.0" in said["warning"]


def changed_yaml(path, folder, change):
    document = yaml.safe_load(path.read_text())
    change(document)
    copy = folder / path.name
    copy.write_text(yaml.safe_dump(document))
    return copy


def set_at(*keys):
    *parents, last, value = keys

    def change(document):
        for key in parents:
            document = document[key]
        document[last] = value

    return change


MANAGER = ("/**/controller_manager", "ros__parameters")
CONTROLLER = ("/**/joint_trajectory_controller", "ros__parameters")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_at(*MANAGER, "enforce_command_limits", False), "enforce_command_limits"),
        (set_at(*MANAGER, "joint_state_broadcaster", None), "joint_state_broadcaster"),
        (set_at(*CONTROLLER, "joints", ["joint1", "elbow"]), "elbow"),
        (set_at(*CONTROLLER, "command_interfaces", ["position", "velocity"]), "command_interf"),
        (set_at(*CONTROLLER, "interpolate_from_desired_state", False), "interpolate_from"),
        (set_at(*CONTROLLER, "allow_nonzero_velocity_at_trajectory_end", True), "nonzero"),
        (set_at("/**/controller_manager", None), "controller_manager"),
    ],
)
def test_a_contradiction_of_the_controllers_is_named(change, words, capsys, tmp_path):
    code, said = check(capsys, "--controllers", changed_yaml(CONTROLLERS, tmp_path, change))
    assert code == 1
    assert words in said["error"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_at("joints", 0, "upper", 2.75), "hard range"),
        (set_at("joints", 0, "joint", "shoulder"), "shoulder"),
        (set_at("joints", 1, "max_speed", 5.0), "may not be faster"),
    ],
)
def test_a_contradiction_of_the_calibration_is_named(change, words, capsys, tmp_path):
    copy = changed_yaml(FEETECH, tmp_path, change)
    if words == "hard range":
        assert main(["check", "--calibration", str(copy)]) == 2
        assert words in capsys.readouterr().err
        return
    code, said = check(capsys, "--calibration", copy)
    assert code == 1
    assert words in said["error"]


def test_limits_beyond_the_arm_s_are_named(capsys, tmp_path):
    def widen(document):
        document["joints"][1] |= {"raw_min": 100.0, "raw_max": 4000.0, "upper": 2.9}

    code, said = check(capsys, "--calibration", changed_yaml(FEETECH, tmp_path, widen))
    assert code == 1
    assert "leaves the arm's" in said["error"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('upper="2.9670597283903604"', 'upper="3.0"', "upper is 3.0"),
        ('velocity="2.0"', 'velocity="2.5"', "velocity is 2.5"),
        ('type="revolute"', 'type="continuous"', "continuous, arm.yaml says revolute"),
        ('xyz="0.5 0.0 0.0"', 'xyz="0.6 0.0 0.0"', "0.6 m"),
        ('name="joint2"', 'name="elbow"', "joint2 is missing"),
        ("servo_driver/joint_commands", "/joint_commands", "joint_commands_topic"),
        (">-1<", ">0.001<", "trigger_joint_command_threshold"),
        ('<command_interface name="position">', '<command_interface name="velocity">', "commands"),
        (
            '<state_interface name="position">',
            '<state_interface name="position"><param name="initial_value">0.0</param>',
            "initial value",
        ),
        ("JointStateTopicSystem", "Joystick", "neither mock nor topic"),
    ],
)
def test_a_contradiction_of_the_description_is_named(old, new, words, capsys, tmp_path):
    xacro = pytest.importorskip("xacro")
    arguments = {"config": str(ARM), "ros2_control_hardware": "topic"}
    text = xacro.process_file(str(XACRO), mappings=arguments).toprettyxml(indent="  ")
    assert old in text
    file = tmp_path / "arm.urdf"
    file.write_text(text.replace(old, new))
    code, said = check(capsys, "--urdf", file)
    assert code == 1
    assert words in said["error"]


def test_every_argument_of_the_description_expands(tmp_path):
    xacro = pytest.importorskip("xacro")
    continuous = yaml.safe_load(ARM.read_text())
    continuous["/**"]["ros__parameters"]["arm"]["joint1"] = {
        "continuous": True, "velocity": 1.0, "acceleration": 2.0,
    }  # fmt: skip
    other = tmp_path / "turning arm.yaml"
    other.write_text(yaml.safe_dump(continuous))
    for config in (ARM, other):
        for prefix in ("", "left_"):
            for hardware in ("", "mock", "topic"):
                arguments = {
                    "config": str(config), "prefix": prefix, "ros2_control_hardware": hardware,
                }  # fmt: skip
                text = xacro.process_file(str(XACRO), mappings=arguments).toxml()
                assert ("<ros2_control" in text) == bool(hardware)
                assert "inf" not in text.replace("interface", "")
                assert ("initial_value" in text) == (hardware == "mock")
    with pytest.raises(Exception, match="mock or topic"):
        xacro.process_file(str(XACRO), mappings={"config": str(ARM), "ros2_control_hardware": "x"})


@pytest.mark.parametrize("option", ["--urdf", "--controllers", "--calibration", "--config"])
def test_a_missing_file_is_one_sentence(option, capsys, tmp_path):
    assert main(["check", option, str(tmp_path / "none.yaml")]) == 2
    error = capsys.readouterr().err
    assert "none.yaml" in error
    assert error.count("\n") == 1
