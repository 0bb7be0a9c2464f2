"""Settings of a simulated arm without a file: calibration and limits straight from the arm."""

from __future__ import annotations

import math
from collections.abc import Sequence

from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.servo.buses.sim import SimOptions
from planar_arm_ik.servo.calibration.calibration import JointCalibration
from planar_arm_ik.servo.settings.settings import BusSettings, ServoSettings

#: Raw values of an ideal servo: microradians.
_SCALE = 1.0e6
#: Where a continuous joint ends here [rad]: a hundred turns and more.
_FAR = 1000.0


def simulated_settings(
    arm: PlanarArm,
    joint_names: Sequence[str],
    start: Sequence[float] = (0.0, 0.0),
    rate: float = 100.0,
) -> ServoSettings:
    """Settings of two ideal servos.

    Args:
        arm: limits of the joints.
        joint_names: names of shoulder and elbow joint.
        start: joint angles at start [rad].
        rate: cycles per second [Hz].

    Raises:
        PlanarArmError: the start is outside the limits.
    """
    joints = tuple(
        _joint(name, k, limits, start[k])
        for k, (name, limits) in enumerate(zip(joint_names, arm.joints, strict=True))
    )
    options = SimOptions(start=tuple(float(q) for q in start))
    return ServoSettings(BusSettings(rate=rate, sim=options), joints)


def _joint(name: str, number: int, limits: JointLimits, start: float) -> JointCalibration:
    lower, upper = max(limits.lower, -_FAR), min(limits.upper, _FAR)
    return JointCalibration(
        joint=name,
        id=number + 1,
        lower=lower,
        upper=upper,
        raw_min=math.floor(lower * _SCALE) - 1.0,
        raw_max=math.ceil(upper * _SCALE) + 1.0,
        max_speed=limits.velocity,
        zero=0.0,
        scale=_SCALE,
        rest=float(start),
    )
