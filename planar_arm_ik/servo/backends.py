"""Makes the bus that the settings name."""

from __future__ import annotations

from planar_arm_ik.servo.bus import ServoBus
from planar_arm_ik.servo.settings import ServoSettings
from planar_arm_ik.servo.sim import SimBus


def make_bus(settings: ServoSettings) -> ServoBus:
    """Make the bus of a servo arm, not yet open.

    Raises:
        PlanarArmError: the backend's package is not installed.
    """
    bus, joints = settings.bus, settings.joints
    if bus.backend == "feetech":
        from planar_arm_ik.servo.feetech import FeetechBus

        return FeetechBus(joints, bus.port, bus.baud or 1_000_000)
    if bus.backend == "dynamixel":
        from planar_arm_ik.servo.dynamixel import DynamixelBus

        return DynamixelBus(joints, bus.port, bus.baud or 57_600)
    if bus.backend == "pca9685":
        from planar_arm_ik.servo.pca9685 import Pca9685Bus

        return Pca9685Bus(joints, bus.i2c_bus, bus.i2c_address, bus.frequency, bus.oscillator_hz)
    return SimBus(joints, bus.sim)
