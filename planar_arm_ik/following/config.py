"""What a twist follower is told once: the arm, its limits and its policies, checked together."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.fields import setting
from planar_arm_ik.following.braking import JointBounds
from planar_arm_ik.following.desired import Law
from planar_arm_ik.following.model import Model
from planar_arm_ik.status import Branch

#: A cycle that comes late moves the arm by at most so many periods: a stalled node must not leap.
LONGEST_STEP = 3.0

_NOT_NEGATIVE = (
    "damping",
    "singular_threshold",
    "position_margin",
    "settle_time",
    "resync_tolerance",
)
_POSITIVE = ("period", "max_tip_speed", "command_timeout", "state_timeout", "max_state_difference")


@dataclass(frozen=True)
class FollowerConfig:
    """Settings of a twist follower.

    Args:
        arm: geometry and limits; speed and acceleration limits must be finite.
        period: time between two cycles [s].
        output: "position" integrates the command; "velocity" is held by the hardware until the
            next cycle, so the follower brakes one period earlier.

    The other fields are settings, described where they stand.

    Raises:
        PlanarArmError: a value breaks its rule, or two values do not fit each other.
    """

    arm: PlanarArm
    period: float = 0.01
    output: str = setting("position", "what is commanded", choices=("position", "velocity"))
    limit_policy: str = setting(
        "scale",
        "scale keeps the tip's direction, project takes the least-squares answer within limits",
        choices=("scale", "project"),
    )
    damping_law: str = setting(
        "threshold",
        "threshold damps near singularities only, constant everywhere",
        choices=("threshold", "constant"),
    )
    damping: float = setting(
        0.0, "(largest) lambda [m/rad]; 0 = the singular threshold", lower=0.0, upper=10.0
    )
    singular_threshold: float = setting(
        0.0,
        "sigma_min below which it is singular [m/rad]; 0 = arm's own",
        lower=0.0,
        upper=10.0,
    )
    preferred_branch: Branch = setting(
        Branch.POSITIVE,
        "elbow to bend to when exactly straight or folded",
        choices=(Branch.POSITIVE, Branch.NEGATIVE),
    )
    position_margin: float = setting(
        0.01, "distance to a position limit at which the arm stops [rad]", lower=0.0, upper=1.0
    )
    max_tip_speed: float = setting(
        0.5, "longer commands are shortened to this [m/s]", lower=1e-3, upper=10.0
    )
    command_timeout: float = setting(
        0.25, "age of a twist after which the arm ramps down [s]", lower=0.002, upper=10.0
    )
    state_timeout: float = setting(
        0.25, "age of joint_states after which the arm ramps down [s]", lower=0.002, upper=10.0
    )
    max_state_difference: float = setting(
        0.3, "distance of measured from commanded that stops the arm [rad]", lower=1e-3, upper=10.0
    )
    halt_messages: int = setting(
        4, "commands sent at rest before falling silent", lower=1, upper=1000
    )
    hold: bool = setting(False, "keep sending the command at rest instead of falling silent")
    settle_time: float = setting(
        0.2, "at rest, a twist within this goes on from the own command [s]", lower=0.0, upper=10.0
    )
    resync_tolerance: float = setting(
        0.02, "a held command this close to the measured one is kept [rad]", lower=0.0, upper=1.0
    )
    path_policy: str = setting(
        "hold",
        "hold waits while a path is active, preempt takes the arm from it",
        choices=("hold", "preempt"),
    )

    def __post_init__(self) -> None:
        self._check_each()
        self._check_arm()
        self._check_together()

    def _check_each(self) -> None:
        for field in fields(self):
            value, choices = getattr(self, field.name), field.metadata.get("choices", ())
            if isinstance(field.default, str) and value not in choices:
                raise PlanarArmError(
                    f"{field.name} = {value!r} must be one of {', '.join(choices)}"
                )
            if field.name in _NOT_NEGATIVE and not 0.0 <= value < math.inf:
                raise PlanarArmError(f"{field.name} = {value} must be finite and not negative")
            if field.name in _POSITIVE and not 0.0 < value < math.inf:
                raise PlanarArmError(f"{field.name} = {value} must be finite and positive")
        if self.halt_messages < 1:
            raise PlanarArmError(f"halt_messages = {self.halt_messages} must be at least 1")
        if self.preferred_branch not in (Branch.POSITIVE, Branch.NEGATIVE):
            raise PlanarArmError(
                f"preferred_branch = {self.preferred_branch!r} must be POSITIVE or NEGATIVE"
            )

    def _check_arm(self) -> None:
        for number, joint in enumerate(self.arm.joints, 1):
            for name in ("velocity", "acceleration"):
                if getattr(joint, name) == math.inf:
                    raise PlanarArmError(
                        f"joint{number} has no {name} limit; following a twist needs a finite one"
                    )
            if not 2.0 * self.position_margin < joint.upper - joint.lower:
                raise PlanarArmError(
                    f"position_margin = {self.position_margin} rad leaves joint{number} no room "
                    f"in [{joint.lower}, {joint.upper}] rad"
                )

    def _check_together(self) -> None:
        eps, largest = self.eps, self.arm.largest_sigma_min
        if not eps < largest:
            raise PlanarArmError(
                f"singular_threshold = {eps} m/rad must be below the arm's largest sigma_min "
                f"{largest:.6g} m/rad, or it would be singular everywhere"
            )
        if self.damping_law == "threshold" and self.damping > 0.0 and self.damping < 0.5 * eps:
            raise PlanarArmError(
                f"damping = {self.damping} m/rad must be at least half the singular_threshold "
                f"{eps} m/rad, or joint speeds grow on the way into the singularity"
            )
        for name in ("command_timeout", "state_timeout"):
            if getattr(self, name) < 2.0 * self.period:
                raise PlanarArmError(
                    f"{name} = {getattr(self, name)} s must be at least two periods of "
                    f"{self.period} s"
                )

    @cached_property
    def eps(self) -> float:
        """Singular threshold in force [m/rad]."""
        return self.singular_threshold or self.arm.singular_threshold

    @cached_property
    def longest_step(self) -> float:
        """Longest time [s] one cycle may change the command by."""
        return LONGEST_STEP * self.period

    @cached_property
    def model(self) -> Model:
        """The same settings as one cycle of motion wants them."""
        arm = self.arm
        law = Law.of(arm, self.eps, self.damping or self.eps, self.damping_law == "constant")
        joint1, joint2 = (JointBounds.of(joint, self.longest_step) for joint in arm.joints)
        project = self.limit_policy == "project"
        margin = self.position_margin
        return Model(arm.l1, arm.l2, joint1, joint2, margin, law, project, self.period)
