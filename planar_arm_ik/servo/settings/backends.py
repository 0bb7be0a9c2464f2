"""Makes the bus that the settings name."""

from __future__ import annotations

from planar_arm_ik.servo.buses.bus import ServoBus
from planar_arm_ik.servo.buses.sim import SimBus
from planar_arm_ik.servo.settings.settings import ServoSettings

#: Bit rate from the factory.
DEFAULT_BAUD = {"feetech": 1_000_000, "dynamixel": 57_600}


def make_bus(settings: ServoSettings) -> ServoBus:
    """Make the bus of a servo arm, not yet open.

    Raises:
        PlanarArmError: the backend's package is not installed.
    """
    bus, joints = settings.bus, settings.joints
    baud = bus.baud or DEFAULT_BAUD.get(bus.backend, 0)
    if bus.backend == "feetech":
        from planar_arm_ik.servo.buses.feetech import FeetechBus

        return FeetechBus(joints, bus.port, baud)
    if bus.backend == "dynamixel":
        from planar_arm_ik.servo.buses.dynamixel import DynamixelBus

        return DynamixelBus(joints, bus.port, baud)
    if bus.backend == "pca9685":
        from planar_arm_ik.servo.buses.pca9685 import Pca9685Bus

        return Pca9685Bus(joints, bus.i2c_bus, bus.i2c_address, bus.frequency, bus.oscillator_hz)
    return SimBus(joints, bus.sim)


#: Bytes of one cycle (goals out, request out, positions in) without and per servo.
_CYCLE_BYTES = {"feetech": (16, 12), "dynamixel": (28, 21)}
_BITS = 10
#: Part of the period that the wire may fill; the rest is for answers that come late.
_FILL = 0.7


def wire_warning(settings: ServoSettings) -> str:
    """Say when the bit rate is too slow for the cycle rate; "" when it fits."""
    bus = settings.bus
    if bus.backend not in _CYCLE_BYTES:
        return ""
    fixed, each = _CYCLE_BYTES[bus.backend]
    baud = bus.baud or DEFAULT_BAUD[bus.backend]
    needed = _BITS * (fixed + each * len(settings.joints)) / baud
    if needed <= _FILL / bus.rate:
        return ""
    return (
        f"one cycle needs {1e3 * needed:.1f} ms on the wire at {baud} baud, the rate of "
        f"{bus.rate:g} Hz leaves {1e3 / bus.rate:.1f} ms: lower bus.rate or raise bus.baud"
    )
