"""The table of backends: one row for each maker of servos that the program can drive.

A new maker is a bus class and a row here; ``docs/new_servo.md`` builds one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from planar_arm_ik.servo.buses.bus import ServoBus
from planar_arm_ik.servo.buses.dynamixel import DynamixelBus
from planar_arm_ik.servo.buses.feetech import FeetechBus
from planar_arm_ik.servo.buses.pca9685 import Pca9685Bus
from planar_arm_ik.servo.buses.sim import SimBus


@dataclass(frozen=True)
class Maker:
    """What is known about a maker's servos before their bus is opened.

    Args:
        bus: bus class; takes the joints, then the values of `keys`.
        keys: keys of the ``bus`` block that the class takes, in this order.
        baud: bit rate from the factory; 0 where there is none.
        cycle_bytes: bytes on the wire in one cycle (goals out, request out, positions in), without
            and per servo; None where nobody counts them.
        counts: counts of one turn, which the hard range may not leave; 0 for no such rule.
        pulses: whether raw values are pulses [us] on channels that cannot be read.
    """

    bus: Callable[..., ServoBus]
    keys: tuple[str, ...] = ("port", "baud")
    baud: int = 0
    cycle_bytes: tuple[int, int] | None = None
    counts: int = 0
    pulses: bool = False

    @property
    def needs_port(self) -> bool:
        """Whether the servos are behind a serial port, which the settings must name."""
        return "port" in self.keys


#: Every backend by the name that a settings file calls it.
MAKERS: dict[str, Maker] = {
    "sim": Maker(SimBus, ("sim",)),
    "feetech": Maker(FeetechBus, baud=1_000_000, cycle_bytes=(16, 12), counts=4096),
    "dynamixel": Maker(DynamixelBus, baud=57_600, cycle_bytes=(28, 21), counts=4096),
    "pca9685": Maker(
        Pca9685Bus, ("i2c_bus", "i2c_address", "frequency", "oscillator_hz"), pulses=True
    ),
}
#: Names of the servos that stand on a bench: every backend but the simulated one.
REAL = tuple(name for name in MAKERS if name != "sim")
