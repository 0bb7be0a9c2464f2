"""Makes the bus that the settings name."""

from __future__ import annotations

from planar_arm_ik.servo.buses.bus import ServoBus
from planar_arm_ik.servo.settings.makers import MAKERS
from planar_arm_ik.servo.settings.settings import ServoSettings

#: Bit rate from the factory; 0 where there is none.
DEFAULT_BAUD = {name: maker.baud for name, maker in MAKERS.items()}


def make_bus(settings: ServoSettings) -> ServoBus:
    """Make the bus of a servo arm, not yet open.

    Raises:
        PlanarArmError: the backend's package is not installed.
    """
    maker = MAKERS[settings.bus.backend]
    values = {**vars(settings.bus), "baud": settings.bus.baud or maker.baud}
    return maker.bus(settings.joints, *(values[key] for key in maker.keys))


_BITS = 10
#: Part of the period that the wire may fill; the rest is for answers that come late.
_FILL = 0.7


def wire_warning(settings: ServoSettings) -> str:
    """Say when the bit rate is too slow for the cycle rate; "" when it fits."""
    bus = settings.bus
    maker = MAKERS[bus.backend]
    if maker.cycle_bytes is None:
        return ""
    fixed, each = maker.cycle_bytes
    baud = bus.baud or maker.baud
    needed = _BITS * (fixed + each * len(settings.joints)) / baud
    if needed <= _FILL / bus.rate:
        return ""
    return (
        f"one cycle needs {1e3 * needed:.1f} ms on the wire at {baud} baud, the rate of "
        f"{bus.rate:g} Hz leaves {1e3 / bus.rate:.1f} ms: lower bus.rate or raise bus.baud"
    )
