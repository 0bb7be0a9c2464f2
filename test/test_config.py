"""arm.yaml: read once, checked key by key."""

import copy

import pytest
import yaml

from arms import DEFAULT
from places import ROOT
from planar_arm_ik import ConfigError, load_arm
from planar_arm_ik.config import (
    installed_config,
    load_block,
    load_description,
    overlaid,
    parse_description,
)

SHIPPED = ROOT / "config" / "arm.yaml"
BLOCK = yaml.safe_load(SHIPPED.read_text())["/**"]["ros__parameters"]["arm"]


def test_the_shipped_file_is_the_default_arm():
    assert load_arm(SHIPPED) == DEFAULT
    description = load_description(SHIPPED)
    assert description.joint_names == ("joint1", "joint2")
    assert (description.base_frame, description.tip_frame) == ("base_link", "tip")
    assert description.efforts == (10.0, 10.0)


def test_the_package_finds_its_own_file():
    assert load_arm(installed_config()) == DEFAULT


def test_an_installation_by_pip_finds_its_file(monkeypatch, tmp_path):
    place = tmp_path / "share" / "planar_arm_ik" / "config" / "arm.yaml"
    place.parent.mkdir(parents=True)
    place.write_text(SHIPPED.read_text())
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    monkeypatch.setattr("planar_arm_ik.config.__file__", str(tmp_path / "lib" / "p" / "config.py"))
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    assert installed_config() == place


def changed(path, value):
    block = copy.deepcopy(BLOCK)
    *parents, leaf = path.split(".")
    place = block
    for parent in parents:
        place = place[parent]
    if value is None:
        del place[leaf]
    else:
        place[leaf] = value
    return block


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("l1", 0.0, "l1 = 0.0 m must be finite and positive"),
        ("l1", "1e-3", "decimal point"),
        ("l2", float("nan"), "must be finite"),
        ("l2", True, "must be a number"),
        ("l2", None, "lacks \\['l2'\\]"),
        ("l3", 0.1, "unknown keys \\['l3'\\]"),
        ("joint_names", ["a"], "two names"),
        ("joint_names", ["a", "a"], "must differ"),
        ("base_frame", "", "non-empty name"),
        ("joint1", [1.0], "block of keys"),
        ("joint1.velocity", 0.0, "velocity limit 0.0 must be greater than 0"),
        ("joint1.velocity", None, "lacks \\['velocity'\\]"),
        ("joint1.acceleration", -1.0, "greater than 0"),
        ("joint1.effort", 0.0, "effort = 0.0"),
        ("joint1.lower", 5.0, "lower must not exceed upper"),
        ("joint1.lower", float("-inf"), "must be finite"),
        ("joint1.upper", None, "lacks lower or upper"),
        ("joint1.continuous", 1, "true or false"),
        ("joint1.continuous", True, "has no bounds"),
        ("joint2.speed", 1.0, "unknown keys"),
    ],
)
def test_a_bad_value_is_refused_by_name(path, value, words):
    with pytest.raises(ConfigError, match=words):
        parse_description(changed(path, value))


def test_an_integer_is_a_length():
    assert parse_description(changed("l1", 1)).arm.l1 == 1.0


def test_a_continuous_joint_needs_no_bounds():
    block = changed("joint1", {"continuous": True, "velocity": 1.0, "acceleration": 2.0})
    assert parse_description(block).arm.joint1.continuous


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "lacks the block"),
        ("a: [", "not valid YAML"),
        ("- 1", "lacks the block"),
        ("/**: {ros__parameters: {}}", "lacks the block"),
        ("/**: {ros__parameters: {arm: 3}}", "block of keys"),
    ],
)
def test_a_malformed_file_is_refused_with_its_name(tmp_path, text, words):
    file = tmp_path / "arm.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=words) as caught:
        load_arm(file)
    assert str(file) in str(caught.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot read"):
        load_arm(tmp_path / "none.yaml")


def test_a_prefix_stands_before_the_names_of_joints_and_frames_and_changes_nothing_else():
    plain = load_description(SHIPPED)
    one = plain.prefixed("left_")
    assert one.joint_names == ("left_joint1", "left_joint2")
    assert (one.base_frame, one.tip_frame) == ("left_base_link", "left_tip")
    assert (one.arm, one.efforts, one.obstacles) == (plain.arm, plain.efforts, plain.obstacles)


def test_one_value_over_a_file_changes_that_value_alone():
    block = load_block(SHIPPED)
    made = parse_description(overlaid(block, {"l1": 0.3, "joint2": {"upper": 1.0}}))
    whole = parse_description(block)
    assert (made.arm.l1, made.arm.l2) == (0.3, whole.arm.l2)
    assert made.arm.joint2.upper == 1.0
    assert made.arm.joint2.lower == whole.arm.joint2.lower
    assert made.arm.joint1 == whole.arm.joint1
    assert load_block(SHIPPED) == block


def test_a_joint_that_is_made_continuous_loses_the_bounds_of_the_file():
    made = parse_description(overlaid(load_block(SHIPPED), {"joint1": {"continuous": True}}))
    assert made.arm.joint1.continuous
    assert made.arm.joint1.unbounded


@pytest.mark.parametrize(
    ("over", "words"),
    [
        ({"l3": 0.1}, "l3"),
        ({"joint1": 3.0}, "arm.joint1"),
        ({"joint1": {"velocty": 1.0}}, "velocty"),
        ({"l1": -1.0}, "l1"),
        ({"joint2": {"lower": 5.0}}, "lower"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_over_a_file_too(over, words):
    with pytest.raises(ConfigError, match=words):
        parse_description(overlaid(load_block(SHIPPED), over))
