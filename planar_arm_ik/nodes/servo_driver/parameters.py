"""Parameters of ``servo_driver``."""

from __future__ import annotations

import dataclasses

from planar_arm_ik.nodes.common.parameters import parameter
from planar_arm_ik.servo.settings.settings import BACKENDS, ON_SHUTDOWN


@dataclasses.dataclass(frozen=True)
class ServoDriverConfig:
    """Parameters of the node."""

    hardware: str = parameter(
        "sim", "what drives the joints", choices=list(BACKENDS), read_only=True
    )
    calibration: str = parameter(
        "", "YAML file of bus and joints; sim runs without one", read_only=True
    )
    port: str = parameter("", "serial port instead of the file's", read_only=True)
    rate: float = parameter(
        0.0,
        "bus cycles and joint_states [Hz]; 0 = the file's, or 100 of an ideal sim",
        lower=0.0,
        upper=500.0,
        read_only=True,
    )
    command_interface: str = parameter(
        "joint_trajectory",
        "joint_trajectory, or joint_commands of ros2_control's topic-based system",
        choices=["joint_trajectory", "joint_commands"],
        read_only=True,
    )
    on_shutdown: str = parameter(
        "", "instead of the file's", choices=["", *ON_SHUTDOWN], read_only=True
    )
    initial_position: tuple[float, float] = parameter(
        (0.0, 0.0), "joint angles of an ideal sim at start [rad]", read_only=True
    )
    enable_on_start: bool = parameter(
        False, "hold and follow commands without a call of ~/enable", read_only=True
    )
