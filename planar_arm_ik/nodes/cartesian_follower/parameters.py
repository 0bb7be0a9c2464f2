"""Parameters of ``cartesian_follower``."""

from __future__ import annotations

import dataclasses

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.nodes.common.core_parameters import core_values, declared_in
from planar_arm_ik.nodes.common.parameters import parameter


@dataclasses.dataclass(frozen=True)
class FollowerParameters:
    """The node's parameters; most are settings of :class:`FollowerConfig`."""

    rate: float = parameter(
        100.0, "cycles per second [Hz]", lower=10.0, upper=1000.0, read_only=True
    )
    command_interface: str = parameter(
        "trajectory",
        "trajectory: one point on joint_trajectory; velocity: joint_velocity_commands",
        choices=["trajectory", "velocity"],
        read_only=True,
    )
    accept_cmd_vel: bool = parameter(
        False, "also listen to cmd_vel (geometry_msgs/Twist)", read_only=True
    )
    clock_timeout: float = parameter(
        0.25,
        "simulated time standing still for so long stops the arm [s]",
        lower=0.01,
        upper=10.0,
    )
    command_units: str = parameter(
        "speed",
        "speed: twists in m/s; unitless: -1 to 1, times linear_scale",
        choices=["speed", "unitless"],
    )
    linear_scale: float = parameter(
        0.25, "tip speed of a unitless command of 1 [m/s]", lower=1e-3, upper=10.0
    )
    stick_deadband: float = parameter(
        0.0, "unitless deflections up to this ask for nothing", lower=0.0, upper=0.9
    )
    stick_expo: float = parameter(
        0.0, "part of the cubic curve in a unitless command; 0 = linear", lower=0.0, upper=1.0
    )
    stamp_tolerance: float = parameter(
        1.0,
        "twists stamped farther than this from now are refused [s]; 0 = stamps are not looked at",
        lower=0.0,
        upper=3600.0,
    )
    limit_policy: str = declared_in(FollowerConfig, "limit_policy")
    damping_law: str = declared_in(FollowerConfig, "damping_law")
    damping: float = declared_in(FollowerConfig, "damping")
    singular_threshold: float = declared_in(FollowerConfig, "singular_threshold")
    preferred_branch: str = declared_in(FollowerConfig, "preferred_branch")
    position_margin: float = declared_in(FollowerConfig, "position_margin")
    max_tip_speed: float = declared_in(FollowerConfig, "max_tip_speed")
    command_timeout: float = declared_in(FollowerConfig, "command_timeout")
    cmd_vel_timeout: float = parameter(
        0.6, "the same for cmd_vel: a held key repeats late [s]", lower=0.002, upper=10.0
    )
    state_timeout: float = declared_in(FollowerConfig, "state_timeout")
    max_state_difference: float = declared_in(FollowerConfig, "max_state_difference")
    halt_messages: int = declared_in(FollowerConfig, "halt_messages")
    hold: bool = declared_in(FollowerConfig, "hold")
    settle_time: float = declared_in(FollowerConfig, "settle_time")
    resync_tolerance: float = declared_in(FollowerConfig, "resync_tolerance")
    path_policy: str = declared_in(FollowerConfig, "path_policy")

    def config(self, arm: PlanarArm) -> FollowerConfig:
        """Return the settings of the core for an arm.

        Raises:
            PlanarArmError: a value breaks a rule, or two do not fit each other.
        """
        if self.command_units == "unitless" and self.linear_scale > self.max_tip_speed:
            raise PlanarArmError(
                f"linear_scale = {self.linear_scale} m/s must not exceed max_tip_speed = "
                f"{self.max_tip_speed} m/s, or a full command could not be followed"
            )
        output = "velocity" if self.command_interface == "velocity" else "position"
        values = core_values(self, FollowerConfig)
        return FollowerConfig(arm=arm, period=1.0 / self.rate, output=output, **values)


def parameters_of(arm: PlanarArm) -> type[FollowerParameters]:
    """Return the table of parameters that also checks them against an arm."""

    @dataclasses.dataclass(frozen=True)
    class Checked(FollowerParameters):
        def __post_init__(self) -> None:
            self.config(arm)

    return Checked
