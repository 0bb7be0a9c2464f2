"""What ``planar-arm check`` finds: where an arm, its URDF, controllers and servos disagree."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from planar_arm_ik.arm.planar_arm import JointLimits
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.servo.calibration.calibration import JointCalibration
from planar_arm_ik.servo.settings.backends import wire_warning
from planar_arm_ik.servo.settings.settings import ServoSettings

_ROUNDING = 1e-6
#: Limits that are narrower by this much are mentioned [rad].
_WORTH_SAYING = 0.01
_COMMANDS, _STATES = "servo_driver/joint_commands", "servo_driver/joint_states"
_TOPIC_SYSTEM = "joint_state_topic_hardware_interface/JointStateTopicSystem"
_MOCK_SYSTEM = "mock_components/GenericSystem"


@dataclass(frozen=True)
class Finding:
    """One thing that does not fit.

    Args:
        level: ``error`` for a contradiction, ``warning`` for what may be meant.
        where: the file.
        message: both values, and the rule.
    """

    level: str
    where: str
    message: str


def urdf_findings(root: ElementTree.Element, arm: ArmDescription, where: str) -> Iterator[Finding]:
    """Compare a robot description's chain and limits with the arm."""
    joints = {joint.get("name"): joint for joint in root.findall("joint")}
    for name, limits in zip(arm.joint_names, arm.arm.joints, strict=True):
        joint = joints.get(name)
        if joint is None:
            yield Finding(
                "error", where, f"joint {name} is missing; it has {sorted(map(str, joints))}"
            )
            continue
        wanted = "continuous" if limits.continuous else "revolute"
        if joint.get("type") != wanted:
            yield Finding("error", where, f"{name} is {joint.get('type')}, arm.yaml says {wanted}")
        for problem in _limit_problems(joint, limits):
            yield Finding("error", where, f"{name}: {problem}")
    tips = [joint for joint in joints.values() if _child(joint) == arm.tip_frame]
    last = tips[0].get("name", "") if tips else arm.tip_frame
    for name, length in ((arm.joint_names[1], arm.arm.l1), (last, arm.arm.l2)):
        found = joints.get(name)
        offset = math.nan if found is None else _offset(found)
        if not abs(offset - length) < _ROUNDING:
            yield Finding("error", where, f"{name} is {offset} m along its link, not {length}")


def control_findings(
    root: ElementTree.Element, arm: ArmDescription, where: str
) -> Iterator[Finding]:
    """Check ros2_control's part: plugin, topics, interfaces, initial values."""
    system = root.find("ros2_control")
    if system is None:
        yield Finding("error", where, "there is no ros2_control part")
        return
    plugin = system.findtext("hardware/plugin", "")
    parameters = {item.get("name"): item.text for item in system.findall("hardware/param")}
    topic = plugin == _TOPIC_SYSTEM
    if plugin not in (_TOPIC_SYSTEM, _MOCK_SYSTEM):
        yield Finding("error", where, f"plugin {plugin!r} is neither mock nor topic system")
    if topic:
        for key, value in (("joint_commands_topic", _COMMANDS), ("joint_states_topic", _STATES),
                           ("trigger_joint_command_threshold", "-1")):  # fmt: skip
            if parameters.get(key) != value:
                found = parameters.get(key)
                yield Finding("error", where, f"{key} is {found!r}, must be {value}")
    names = [joint.get("name") for joint in system.findall("joint")]
    if names != list(arm.joint_names):
        yield Finding("error", where, f"ros2_control names {names}, the arm {arm.joint_names}")
    for joint in system.findall("joint"):
        yield from (Finding("error", where, text) for text in _interface_problems(joint, topic))


def controller_findings(
    document: Any, arm: ArmDescription, prefix: str, where: str
) -> Iterator[Finding]:
    """Check the controllers' parameters against what the arm needs."""
    manager = _parameters(document, "controller_manager")
    controller = _parameters(document, "joint_trajectory_controller")
    if manager is None or controller is None:
        yield Finding(
            "error", where, "it must have /**/controller_manager and "
            "/**/joint_trajectory_controller, each with ros__parameters",
        )  # fmt: skip
        return
    for name in ("joint_state_broadcaster", "joint_trajectory_controller"):
        if not isinstance(manager.get(name), Mapping) or "type" not in manager[name]:
            yield Finding("error", where, f"controller_manager does not load {name}")
    if manager.get("enforce_command_limits") is not True:
        yield Finding("error", where, "enforce_command_limits must be set true (Jazzy: false)")
    joints = [str(name).replace("$(var prefix)", prefix) for name in controller.get("joints", [])]
    if joints != list(arm.joint_names):
        yield Finding(
            "error", where, f"the controller has joints {joints}, the arm {arm.joint_names}"
        )
    for key, value in (("command_interfaces", ["position"]),
                       ("interpolate_from_desired_state", True),
                       ("allow_nonzero_velocity_at_trajectory_end", False)):  # fmt: skip
        if controller.get(key) != value:
            yield Finding("error", where, f"{key} is {controller.get(key)!r}, must be {value}")


def calibration_findings(
    settings: ServoSettings, arm: ArmDescription, where: str
) -> Iterator[Finding]:
    """Compare servo limits and speeds with the arm's, and look for the port."""
    by_name = {joint.joint: joint for joint in settings.joints}
    if set(by_name) != set(arm.joint_names):
        yield Finding("error", where, f"joints {sorted(by_name)}, not {sorted(arm.joint_names)}")
        return
    for name, limits in zip(arm.joint_names, arm.arm.joints, strict=True):
        joint = by_name[name]
        yield from _range_findings(joint, limits, where)
        yield from _speed_findings(joint, limits, where)
    port = settings.bus.port
    if port and not os.path.exists(port):
        yield Finding("warning", where, f"port {port} does not exist here")
    slow = wire_warning(settings)
    if slow:
        yield Finding("warning", where, slow)


def expand_xacro(path: Path, **arguments: str) -> ElementTree.Element:
    """Expand a xacro file; a plain URDF comes back as it is."""
    if path.suffix != ".xacro":
        return ElementTree.parse(path).getroot()
    import xacro

    document = xacro.process_file(str(path), mappings=arguments)
    return ElementTree.fromstring(document.toxml())


def _limit_problems(joint: ElementTree.Element, limits: JointLimits) -> Iterator[str]:
    limit = joint.find("limit")
    wanted = {"velocity": limits.velocity}
    if not limits.continuous:
        wanted |= {"lower": limits.lower, "upper": limits.upper}
    for key, value in wanted.items():
        found = None if limit is None else limit.get(key)
        if found is None or not abs(float(found) - value) < _ROUNDING:
            yield f"{key} is {found}, arm.yaml says {value}"


def _interface_problems(joint: ElementTree.Element, topic: bool) -> Iterator[str]:
    commands = [item.get("name") for item in joint.findall("command_interface")]
    states = [item.get("name") for item in joint.findall("state_interface")]
    if commands != ["position"] or "position" not in states:
        yield (
            f"{joint.get('name')} has commands {commands}, states {states}; "
            "commands must be [position], states must hold position"
        )
    first = joint.find("state_interface/param[@name='initial_value']")
    if topic and first is not None:
        yield (
            f"{joint.get('name')} has an initial value: the arm would be "
            "driven there before anybody commands"
        )


def _range_findings(joint: JointCalibration, limits: JointLimits, where: str) -> Iterator[Finding]:
    own = f"{joint.joint}: [{joint.lower:.4f}, {joint.upper:.4f}] rad"
    beyond = max(limits.lower - joint.lower, joint.upper - limits.upper)
    short = max(joint.lower - limits.lower, limits.upper - joint.upper)
    if beyond > _ROUNDING:
        arms = f"[{limits.lower:.4f}, {limits.upper:.4f}]"
        yield Finding("error", where, f"{own} leaves the arm's {arms}")
    elif short > _WORTH_SAYING:
        text = f"{own} is narrower than arm.yaml's: planned there, clamped by the driver"
        yield Finding("warning", where, text)


def _speed_findings(joint: JointCalibration, limits: JointLimits, where: str) -> Iterator[Finding]:
    speeds = f"{joint.joint}: max_speed {joint.max_speed} rad/s, arm.yaml has {limits.velocity}"
    if joint.max_speed > limits.velocity + _ROUNDING:
        yield Finding("error", where, f"{speeds}: the servos may not be faster")
    elif joint.max_speed < limits.velocity - _ROUNDING:
        yield Finding("warning", where, f"{speeds}: fast paths will lag")


def _child(joint: ElementTree.Element) -> str | None:
    child = joint.find("child")
    return None if child is None else child.get("link")


def _offset(joint: ElementTree.Element) -> float:
    origin = joint.find("origin")
    return 0.0 if origin is None else float(origin.get("xyz", "0 0 0").split()[0])


def _parameters(document: Any, name: str) -> Mapping[str, Any] | None:
    if not isinstance(document, Mapping):
        return None
    block = document.get(f"/**/{name}")
    block = block.get("ros__parameters") if isinstance(block, Mapping) else None
    return block if isinstance(block, Mapping) else None
