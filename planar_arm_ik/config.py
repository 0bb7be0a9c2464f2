"""Reading ``config/arm.yaml``: the one place where the arm is described.

The same block is a ROS parameter file, so nodes hand in their ``arm.*`` parameters as a nested
mapping to :func:`parse_description` and get the same checks.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.door import FILE, takes
from planar_arm_ik.errors import ConfigError, PlanarArmError
from planar_arm_ik.keep_out.obstacles import Obstacles


@dataclass(frozen=True)
class ArmDescription:
    """An arm with its names.

    Args:
        arm: geometry and joint limits.
        joint_names: names of shoulder and elbow joint in messages.
        base_frame: frame of the shoulder.
        tip_frame: frame of the tip.
        efforts: largest joint efforts [N m], for the URDF.
        obstacles: keep-out shapes, None when there are none.
    """

    arm: PlanarArm
    joint_names: tuple[str, str] = ("joint1", "joint2")
    base_frame: str = "base_link"
    tip_frame: str = "tip"
    efforts: tuple[float, float] = (10.0, 10.0)
    obstacles: Obstacles | None = None

    def prefixed(self, prefix: str) -> ArmDescription:
        """The same arm with a prefix before the names of its joints and frames."""
        first, second = self.joint_names
        return replace(
            self,
            joint_names=(prefix + first, prefix + second),
            base_frame=prefix + self.base_frame,
            tip_frame=prefix + self.tip_frame,
        )


_ARM_REQUIRED = {"l1", "l2", "joint1", "joint2"}
_ARM_KEYS = _ARM_REQUIRED | {"base_frame", "tip_frame", "joint_names", "obstacles"}
_JOINT_KEYS = {"continuous", "lower", "upper", "velocity", "acceleration", "effort"}


def installed_config() -> Path:
    """Path of the package's ``config/arm.yaml``: installed, else in the source tree.

    Raises:
        ConfigError: it is in neither place.
    """
    prefixes = [Path(p) for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p]
    places = [prefix / "share" / "planar_arm_ik" for prefix in prefixes]
    # pip, without colcon, installs below the interpreter's own prefix.
    by_pip = Path(sys.prefix) / "share" / "planar_arm_ik"
    for place in (*places, Path(__file__).resolve().parents[1], by_pip):
        path = place / "config" / "arm.yaml"
        if path.is_file():
            return path
    raise ConfigError("config/arm.yaml is not installed; run colcon build, or name a file")


@takes(path=FILE)
def load_arm(path: str | Path) -> PlanarArm:
    """Read the arm from a YAML file.

    Args:
        path: file with the block ``/**: ros__parameters: arm:``.

    Returns:
        The arm.

    Raises:
        ConfigError: the file is missing or malformed, a key is unknown or missing, or a value
            breaks its rule.
    """
    return load_description(path).arm


def load_description(path: str | Path) -> ArmDescription:
    """Read the arm with joint and frame names from a YAML file; see :func:`load_arm`."""
    try:
        return parse_description(load_block(path))
    except PlanarArmError as error:
        named = str(error).startswith((str(path), f"cannot read {path}"))
        raise ConfigError(str(error) if named else f"{path}: {error}") from None


def load_block(path: str | Path) -> Mapping[str, Any]:
    """Read the ``arm`` block of a YAML file as it stands there.

    Raises:
        ConfigError: the file is missing or malformed, or has no such block.
    """
    try:
        document = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        first_line = " ".join(str(error).split())
        raise ConfigError(f"{path} is not valid YAML: {first_line}") from None
    block = document
    for key in ("/**", "ros__parameters", "arm"):
        if not isinstance(block, Mapping) or key not in block:
            raise ConfigError(f"{path} lacks the block '/**: ros__parameters: arm:'")
        block = block[key]
    if not isinstance(block, Mapping):
        raise ConfigError(f"arm must be a block of keys, got {block!r}")
    return block


def overlaid(block: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Lay the values of one ``arm`` block over those of another, key by key at every depth.

    A joint that is made continuous loses the bounds it had below.
    """
    result = dict(block)
    for key, value in over.items():
        below = result.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            result[key] = overlaid(below, value)
        else:
            result[key] = value
    if over.get("continuous") is True:
        for bound in ("lower", "upper"):
            if bound not in over:
                result.pop(bound, None)
    return result


def parse_description(block: Any) -> ArmDescription:
    """Build a description from the nested ``arm`` block.

    Raises:
        ConfigError: a key is unknown or missing, or a value breaks its rule.
    """
    if not isinstance(block, Mapping):
        raise ConfigError(f"arm must be a block of keys, got {block!r}")
    _check_keys("arm", block, known=_ARM_KEYS, required=_ARM_REQUIRED)
    joint1, effort1 = _joint("arm.joint1", block["joint1"])
    joint2, effort2 = _joint("arm.joint2", block["joint2"])
    try:
        arm = PlanarArm(
            _number("arm.l1", block["l1"]), _number("arm.l2", block["l2"]), joint1, joint2
        )
    except ConfigError:
        raise
    except PlanarArmError as error:
        raise ConfigError(f"arm: {error}") from None
    return ArmDescription(
        arm,
        _joint_names(block.get("joint_names", ["joint1", "joint2"])),
        _name("arm.base_frame", block.get("base_frame", "base_link")),
        _name("arm.tip_frame", block.get("tip_frame", "tip")),
        (effort1, effort2),
        _obstacles(block.get("obstacles")),
    )


def _obstacles(block: Any) -> Obstacles | None:
    if block is None:
        return None
    if not isinstance(block, Mapping):
        raise ConfigError(f"arm.obstacles must be a block of keys, got {block!r}")
    return Obstacles.from_config(block)


def _check_keys(where: str, block: Mapping[str, Any], known: set[str], required: set[str]) -> None:
    unknown = sorted(str(key) for key in set(block) - known)
    if unknown:
        raise ConfigError(f"{where} has unknown keys {unknown}; known are {sorted(known)}")
    missing = sorted(required - set(block))
    if missing:
        raise ConfigError(f"{where} lacks {missing}")


def _number(where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        hint = " (YAML wants a decimal point before the exponent: 1.0e-3)"
        raise ConfigError(
            f"{where} = {value!r} must be a number{hint if isinstance(value, str) else ''}"
        )
    if not math.isfinite(value):
        raise ConfigError(f"{where} = {value} must be finite")
    return float(value)


def _name(where: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{where} = {value!r} must be a non-empty name")
    return value


def _joint_names(value: Any) -> tuple[str, str]:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ConfigError(f"arm.joint_names = {value!r} must be two names")
    first, second = (_name("arm.joint_names", name) for name in value)
    if first == second:
        raise ConfigError(f"arm.joint_names = {value!r} must differ")
    return first, second


def _joint(where: str, block: Any) -> tuple[JointLimits, float]:
    if not isinstance(block, Mapping):
        raise ConfigError(f"{where} must be a block of keys, got {block!r}")
    _check_keys(where, block, known=_JOINT_KEYS, required={"velocity", "acceleration"})
    continuous = block.get("continuous", False)
    if not isinstance(continuous, bool):
        raise ConfigError(f"{where}.continuous = {continuous!r} must be true or false")
    if not continuous and not {"lower", "upper"} <= set(block):
        raise ConfigError(f"{where} lacks lower or upper; a joint without bounds is continuous")
    values = {
        key: _number(f"{where}.{key}", value)
        for key, value in block.items()
        if key != "continuous"
    }
    effort = values.pop("effort", 10.0)
    if effort <= 0.0:
        raise ConfigError(f"{where}.effort = {effort} must be greater than 0")
    try:
        return JointLimits(**values, continuous=continuous), effort
    except PlanarArmError as error:
        raise ConfigError(f"{where}: {error}") from None
