"""The arm of a node: its ``arm.*`` parameters, or the installed ``config/arm.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node

from planar_arm_ik.config import (
    ArmDescription,
    installed_config,
    load_block,
    load_description,
    overlaid,
    parse_description,
)
from planar_arm_ik.errors import ConfigError

#: Longest link a node accepts [m]; longer ones are millimetres.
LONGEST_LINK = 10.0


def declare_description(node: Node) -> ArmDescription:
    """Read the arm from the node's parameters and declare them read-only.

    Args:
        node: a node; its parameter ``prefix`` is put before joint and frame names.

    Returns:
        The description.

    Raises:
        ConfigError: a key is unknown or missing, or a value breaks its rule.
    """
    overrides = {
        name.removeprefix("arm."): parameter.value
        for name, parameter in node._parameter_overrides.items()
        if name.startswith("arm.")
    }
    description = _described(node, overrides)
    _check_lengths(description)
    for name, value in _flat(description).items():
        node.declare_parameter(
            f"arm.{name}", value, ParameterDescriptor(read_only=True), ignore_override=True
        )
    prefix = node.declare_parameter(
        "prefix",
        "",
        ParameterDescriptor(read_only=True, description="put before joint and frame names"),
    ).value
    return description.prefixed(prefix)


def _described(node: Node, overrides: Mapping[str, Any]) -> ArmDescription:
    """Build the arm from the parameters; those that are not a whole arm lie over the file's."""
    if not overrides:
        path = installed_config()
        node.get_logger().info(f"no arm.* parameters: reading {path}")
        return load_description(path)
    given = _nested(overrides)
    if {"l1", "l2", "joint1", "joint2"} <= set(given) and all(
        isinstance(given[joint], dict) and {"velocity", "acceleration"} <= set(given[joint])
        for joint in ("joint1", "joint2")
    ):
        return parse_description(given)
    path = installed_config()
    names = ", ".join(f"arm.{name} = {value}" for name, value in sorted(overrides.items()))
    node.get_logger().info(f"{names} from parameters, the rest of the arm from {path}")
    try:
        return parse_description(overlaid(load_block(path), given))
    except ConfigError as error:
        raise ConfigError(f"{error} (given: {names}; the rest from {path})") from None


def _check_lengths(description: ArmDescription) -> None:
    for name in ("l1", "l2"):
        length = getattr(description.arm, name)
        if length > LONGEST_LINK:
            raise ConfigError(
                f"arm.{name} = {length} m must be in (0, {LONGEST_LINK}]; "
                "lengths are in metres, is this in millimetres?"
            )


def _nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, value in flat.items():
        *parents, leaf = name.split(".")
        branch = tree
        for parent in parents:
            branch = branch.setdefault(parent, {})
        branch[leaf] = list(value) if isinstance(value, (list, tuple)) else value
    return tree


def _flat(description: ArmDescription) -> dict[str, Any]:
    arm = description.arm
    values: dict[str, Any] = {
        "l1": arm.l1,
        "l2": arm.l2,
        "base_frame": description.base_frame,
        "tip_frame": description.tip_frame,
        "joint_names": list(description.joint_names),
    }
    for name, joint, effort in zip(
        ("joint1", "joint2"), arm.joints, description.efforts, strict=True
    ):
        values[f"{name}.continuous"] = joint.continuous
        if not joint.unbounded:
            values[f"{name}.lower"], values[f"{name}.upper"] = joint.lower, joint.upper
        values[f"{name}.velocity"] = joint.velocity
        values[f"{name}.acceleration"] = joint.acceleration
        values[f"{name}.effort"] = effort
    if description.obstacles is not None:
        for name, value in description.obstacles.flat().items():
            values[f"obstacles.{name}"] = value
    return values
