"""Which combinations of control and hardware there are, and what each needs. No `launch` here."""

from __future__ import annotations

import re
from dataclasses import dataclass

from planar_arm_ik.errors import PlanarArmError

CONTROLS = ("standalone", "ros2_control")
#: What drives joints through servo_driver.
DRIVEN = ("sim", "pca9685", "dynamixel", "feetech")
HARDWARE = (*DRIVEN, "mock")

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class BringupPlan:
    """What one accepted combination starts.

    Args:
        driver: whether servo_driver runs.
        controllers: whether ros2_control's controllers run.
        description_hardware: argument ``ros2_control_hardware`` of the description.
        trajectory_topic: where commands go.
        driver_interface: parameter ``command_interface`` of servo_driver.
    """

    driver: bool
    controllers: bool
    description_hardware: str
    trajectory_topic: str
    driver_interface: str


def bringup_plan(control: str, hardware: str) -> BringupPlan:
    """What `control` and `hardware` start together.

    Raises:
        PlanarArmError: the combination is not accepted; the sentence names one that is.
    """
    if control not in CONTROLS:
        raise PlanarArmError(f"control:={control} must be one of {', '.join(CONTROLS)}")
    if hardware not in HARDWARE:
        raise PlanarArmError(f"hardware:={hardware} must be one of {', '.join(HARDWARE)}")
    if control == "standalone":
        if hardware == "mock":
            raise PlanarArmError(
                "hardware:=mock is a part of ros2_control: add control:=ros2_control, "
                "or take hardware:=sim"
            )
        return BringupPlan(True, False, "", "joint_trajectory", "joint_trajectory")
    topic = "joint_trajectory_controller/joint_trajectory"
    if hardware == "mock":
        return BringupPlan(False, True, "mock", topic, "")
    return BringupPlan(True, True, "topic", topic, "joint_commands")


def namespace_and_prefix(name: str) -> tuple[str, str]:
    """Namespace and prefix of joints and links of the arm called `name`; both empty for "".

    Raises:
        PlanarArmError: the name cannot stand in a namespace.
    """
    if not name:
        return "", ""
    if not _NAME.fullmatch(name) or name.endswith("_") or "__" in name:
        raise PlanarArmError(
            f"name:={name} must be letters, digits and single _, beginning with a letter"
        )
    return name, f"{name}_"


def truth(argument: str, value: str) -> bool:
    """Value of an argument that is true or false.

    Raises:
        PlanarArmError: it is neither.
    """
    if value.lower() in ("true", "1"):
        return True
    if value.lower() in ("false", "0"):
        return False
    raise PlanarArmError(f"{argument}:={value} must be true or false")
