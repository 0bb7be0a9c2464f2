"""Settings of the servo arm: the calibration file, and parameters that overrule it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from planar_arm_ik.config import ArmDescription
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.servo_driver.parameters import ServoDriverConfig
from planar_arm_ik.servo.settings.settings import ServoSettings, load_settings
from planar_arm_ik.servo.settings.simulated import simulated_settings

_SIM_RATE = 100.0
#: Soft limits may leave the arm's by rounding [rad].
_ROUNDING = 1e-6


def settings_of(
    config: ServoDriverConfig, description: ArmDescription, prefix: str
) -> ServoSettings:
    """Settings of the driver.

    Args:
        config: the node's parameters.
        description: the arm, with prefixed names.
        prefix: put before the file's joint names.

    Raises:
        PlanarArmError: no file where one is needed, or it contradicts the arm.
    """
    if not config.calibration:
        if config.hardware != "sim":
            raise PlanarArmError(
                f"hardware {config.hardware} needs a calibration file: -p calibration:=FILE; "
                "planar-arm servo calibrate makes one"
            )
        settings = simulated_settings(
            description.arm, description.joint_names, config.initial_position, _SIM_RATE
        )
    else:
        names = [name.removeprefix(prefix) for name in description.joint_names]
        settings = load_settings(config.calibration).for_joints(names, prefix)
        _compare(settings, description)
    changes: dict[str, Any] = {"backend": config.hardware}
    for name in ("port", "rate", "on_shutdown"):
        if getattr(config, name):
            changes[name] = getattr(config, name)
    return replace(settings, bus=replace(settings.bus, **changes))


def _compare(settings: ServoSettings, description: ArmDescription) -> None:
    for joint, limits in zip(settings.joints, description.arm.joints, strict=True):
        if joint.lower < limits.lower - _ROUNDING or joint.upper > limits.upper + _ROUNDING:
            raise PlanarArmError(
                f"{joint.joint}: the calibration's limits [{joint.lower:.4f}, {joint.upper:.4f}] "
                f"rad leave the arm's [{limits.lower:.4f}, {limits.upper:.4f}]"
            )
