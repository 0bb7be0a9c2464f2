"""The YAML file of a servo arm: what is accepted, and what is refused by name."""

import copy

import pytest
import yaml
from servo_support import joint_blocks, settings

from places import ROOT
from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.errors import ConfigError, PlanarArmError
from planar_arm_ik.servo.settings.backends import wire_warning
from planar_arm_ik.servo.settings.makers import REAL
from planar_arm_ik.servo.settings.settings import load_settings, parse_settings
from planar_arm_ik.servo.settings.simulated import simulated_settings

CONFIG = ROOT / "config"


def document(**bus):
    return {"bus": bus, "joints": joint_blocks()}


def test_an_empty_bus_block_is_a_simulated_one():
    assert parse_settings(document()).bus.backend == "sim"


@pytest.mark.parametrize("path", sorted(CONFIG.glob("servo*.yaml")), ids=lambda path: path.name)
def test_every_example_file_loads(path):
    loaded = load_settings(path)
    assert loaded.joint_names == ("joint1", "joint2")
    assert not wire_warning(loaded)


def test_there_is_an_example_for_every_backend():
    backends = {load_settings(path).bus.backend for path in CONFIG.glob("servo*.yaml")}
    assert backends == set(REAL)


def set_in(block, path, value):
    block = copy.deepcopy(block)
    place = block
    for key in path[:-1]:
        place = place[key]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return block


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (["bus", "bauds"], 1, "unknown keys"),
        (["joints", 0, "zeros"], 1, "unknown keys"),
        (["extra"], 1, "unknown keys"),
        (["joints", 0, "lower"], KeyError, "lacks"),
        (["joints", 0, "lower"], "low", "number"),
        (["joints", 0, "lower"], float("nan"), "finite"),
        (["joints", 0, "lower"], True, "number"),
        (["joints", 0, "id"], 1.5, "int"),
        (["joints", 0, "id"], True, "int"),
        (["joints", 0, "feedback"], 1, "bool"),
        (["joints", 0, "joint"], 7, "str"),
        (["joints", 0, "id"], 2, "differ"),
        (["joints", 0, "joint"], "joint2", "differ"),
        (["joints", 0, "points"], 3, "list"),
        (["joints", 0, "points"], [[1, 2], 3], "list"),
        (["joints"], [], "has 2"),
        (["joints"], "none", "list"),
        (["bus", "backend"], "lego", "one of"),
        (["bus", "backend"], "feetech", "port"),
        (["bus", "on_shutdown"], "drop", "one of"),
        (["bus", "rate"], 0, "rate"),
        (["bus", "misses"], 0, "misses"),
        (["bus", "i2c_address"], 40, "0x40"),
        (["bus", "oscillator_hz"], 25, "oscillator_hz"),
        (["bus", "sim"], {"lag": -1.0}, "lag"),
        (["bus", "sim"], {"jitter": 1.0}, "unknown keys"),
    ],
)
def test_a_wrong_key_or_value_is_refused_by_name(path, value, words):
    with pytest.raises(PlanarArmError, match=words):
        parse_settings(set_in(document(), path, value))


def test_a_key_that_stands_twice_is_refused(tmp_path):
    file = tmp_path / "servo.yaml"
    file.write_text(yaml.safe_dump(document()) + "bus: {}\n")
    with pytest.raises(ConfigError, match="'bus' stands twice"):
        load_settings(file)


@pytest.mark.parametrize("text", ["", "[]", "bus: [", "\x00", "joints: 3"])
def test_a_malformed_file_is_refused_with_its_name(tmp_path, text):
    file = tmp_path / "servo.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"servo\.yaml"):
        load_settings(file)


def test_a_missing_file_is_refused_with_its_name(tmp_path):
    with pytest.raises(ConfigError, match="nowhere"):
        load_settings(tmp_path / "nowhere.yaml")


def test_a_bus_servo_may_not_need_more_than_one_turn():
    with pytest.raises(PlanarArmError, match="one turn"):
        settings(bus={"backend": "feetech", "port": "/dev/x"}, raw_max=5000)


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"feedback": True}, "feedback"), ({"raw_max": 3500}, "3000"), ({"raw_min": 50}, "100")],
)
def test_a_pulse_chip_has_rules_of_its_own(changes, words):
    with pytest.raises(PlanarArmError, match=words):
        settings("pca9685", {"backend": "pca9685"}, **changes)


def test_joints_are_matched_by_name_and_prefixed():
    made = settings().for_joints(["joint2", "joint1"], "left_")
    assert made.joint_names == ("left_joint2", "left_joint1")
    with pytest.raises(PlanarArmError, match="shoulder"):
        settings().for_joints(["shoulder", "joint2"])


def test_a_slow_wire_is_named_with_both_times():
    slow = settings(bus={"backend": "dynamixel", "port": "/dev/x", "baud": 57600, "rate": 100.0})
    assert "12.2 ms" in wire_warning(slow)
    assert "10.0 ms" in wire_warning(slow)
    assert not wire_warning(settings(bus={"backend": "dynamixel", "port": "/dev/x"}))
    assert not wire_warning(settings())


def test_a_simulated_arm_takes_its_limits_from_the_description():
    arm = PlanarArm(0.5, 0.4, JointLimits(-1.0, 1.0, 2.0, 8.0), JointLimits(velocity=3.0))
    made = simulated_settings(arm, ("a", "b"), (0.5, 0.0))
    assert (made.joints[0].lower, made.joints[0].upper) == (-1.0, 1.0)
    assert made.joints[1].max_speed == 3.0
    with pytest.raises(PlanarArmError, match="rest"):
        simulated_settings(arm, ("a", "b"), (1.5, 0.0))
