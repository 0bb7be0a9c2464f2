"""Parameters of ``cartesian_follower``."""

from __future__ import annotations

import dataclasses

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.nodes.common.parameters import parameter
from planar_arm_ik.status import Branch


@dataclasses.dataclass(frozen=True)
class FollowerParameters:
    """The node's parameters; most are fields of :class:`FollowerConfig` under the same name."""

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
    stamp_tolerance: float = parameter(
        1.0,
        "twists stamped farther than this from now are refused [s]; 0 = stamps are not looked at",
        lower=0.0,
        upper=3600.0,
    )
    limit_policy: str = parameter(
        "scale",
        "scale keeps the tip's direction, project takes the least-squares answer within limits",
        choices=["scale", "project"],
    )
    damping_law: str = parameter(
        "threshold",
        "threshold damps near singularities only, constant everywhere",
        choices=["threshold", "constant"],
    )
    damping: float = parameter(
        0.0, "(largest) lambda [m/rad]; 0 = the singular threshold", lower=0.0, upper=10.0
    )
    singular_threshold: float = parameter(
        0.0,
        "sigma_min below which it is singular [m/rad]; 0 = arm's own",
        lower=0.0,
        upper=10.0,
    )
    preferred_branch: str = parameter(
        "positive",
        "elbow to bend to when exactly straight or folded",
        choices=["positive", "negative"],
    )
    position_margin: float = parameter(
        0.01, "distance to a position limit at which the arm stops [rad]", lower=0.0, upper=1.0
    )
    max_tip_speed: float = parameter(
        0.5, "longer commands are shortened to this [m/s]", lower=1e-3, upper=10.0
    )
    command_timeout: float = parameter(
        0.25, "age of a twist after which the arm ramps down [s]", lower=0.002, upper=10.0
    )
    cmd_vel_timeout: float = parameter(
        0.6, "the same for cmd_vel: a held key repeats late [s]", lower=0.002, upper=10.0
    )
    state_timeout: float = parameter(
        0.25, "age of joint_states after which the arm ramps down [s]", lower=0.002, upper=10.0
    )
    max_state_difference: float = parameter(
        0.3, "distance of measured from commanded that stops the arm [rad]", lower=1e-3, upper=10.0
    )
    halt_messages: int = parameter(
        4, "commands sent at rest before falling silent", lower=1, upper=1000
    )
    hold: bool = parameter(False, "keep sending the command at rest instead of falling silent")
    settle_time: float = parameter(
        0.2, "at rest, a twist within this goes on from the own command [s]", lower=0.0, upper=10.0
    )
    resync_tolerance: float = parameter(
        0.02, "a held command this close to the measured one is kept [rad]", lower=0.0, upper=1.0
    )
    path_policy: str = parameter(
        "hold",
        "hold waits while a path is active, preempt takes the arm from it",
        choices=["hold", "preempt"],
    )

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
        shared = {field.name for field in dataclasses.fields(FollowerConfig)}
        mine = {field.name for field in dataclasses.fields(self)}
        values = {name: getattr(self, name) for name in shared & mine}
        values["preferred_branch"] = Branch[self.preferred_branch.upper()]
        output = "velocity" if self.command_interface == "velocity" else "position"
        return FollowerConfig(arm=arm, period=1.0 / self.rate, output=output, **values)


def parameters_of(arm: PlanarArm) -> type[FollowerParameters]:
    """Return the table of parameters that also checks them against an arm."""

    @dataclasses.dataclass(frozen=True)
    class Checked(FollowerParameters):
        def __post_init__(self) -> None:
            self.config(arm)

    return Checked
