"""A whole emulated arm: two servos of one family behind a pseudo-terminal.

A new family is a row of :data:`FAMILIES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.motor import Motor
from planar_arm_ik.servo.buses.smbus import EMULATED
from planar_arm_ik.servo.emulate.dxl import DxlBus, DxlServo
from planar_arm_ik.servo.emulate.family import Begin, Family
from planar_arm_ik.servo.emulate.faults import Faults
from planar_arm_ik.servo.emulate.i2c import Pca9685Chip
from planar_arm_ik.servo.emulate.sts import StsBus, StsServo
from planar_arm_ik.servo.emulate.wire import EmulatedWire

#: What a hobby servo does at most [us/s]: a sixth of a second for 60 degrees.
_HOBBY_SPEED = 4000.0


def _sts(begin: Begin, faults: Faults) -> StsBus:
    return StsBus([StsServo(k, at, begin.stale_goal) for k, at in begin.places.items()], faults)


def _dxl(begin: Begin, faults: Faults) -> DxlBus:
    return DxlBus([DxlServo(k, at, begin.stale_goal) for k, at in begin.places.items()], faults)


def _chip(begin: Begin, faults: Faults) -> Pca9685Chip:
    chip = Pca9685Chip(begin.oscillator_hz, faults=faults)
    chip.motors = {channel: Motor(at, _HOBBY_SPEED) for channel, at in begin.places.items()}
    return chip


#: Every family by the name that ``planar-arm emulate`` calls it.
FAMILIES: dict[str, Family] = {
    "sts": Family("feetech", _sts),
    "dxl": Family("dynamixel", _dxl),
    "pca9685": Family("pca9685", _chip, i2c=True),
}


class EmulatedArm:
    """Two servos to talk to, as a driver finds them after power-on.

    Args:
        family: a name of :data:`FAMILIES`.
        link: path of the pseudo-terminal.
        positions: where the shafts are [ticks; us for pca9685].
        stale_goal: goal left in bus servos from before [ticks].
        oscillator_hz: of the pulse chip [Hz].
        ids: servo ids, or channels.
    """

    def __init__(
        self,
        family: str,
        link: str | Path,
        positions: Sequence[int] = (2300, 1800),
        stale_goal: int = 100,
        oscillator_hz: float = 25.0e6,
        ids: Sequence[int] = (1, 2),
    ) -> None:
        if family not in FAMILIES:
            raise PlanarArmError(f"family {family!r} must be one of {', '.join(FAMILIES)}")
        self.family = family
        self.ids = tuple(ids)
        self.faults = Faults()
        places = dict(zip(self.ids, positions, strict=True))
        begin = Begin(places, stale_goal, oscillator_hz)
        self._bus = FAMILIES[family].make(begin, self.faults)
        self.wire = EmulatedWire(link, self._bus.answer, self._bus.tick, self.faults)

    def __enter__(self) -> EmulatedArm:
        self.wire.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.wire.stop()

    @property
    def bus_block(self) -> dict[str, Any]:
        """The ``bus`` block of a settings file that talks to this arm."""
        family = FAMILIES[self.family]
        if family.i2c:
            return {"backend": family.backend, "i2c_bus": EMULATED + self.wire.path}
        return {"backend": family.backend, "port": self.wire.path, "baud": 1_000_000}

    @property
    def chip(self) -> Pca9685Chip | None:
        """The pulse chip, where there is one."""
        return self._bus if isinstance(self._bus, Pca9685Chip) else None

    @property
    def servos(self) -> Sequence[Any]:
        """The servos that have registers of their own."""
        return getattr(self._bus, "servos", ())

    @property
    def motors(self) -> list[Motor]:
        """The shafts, in the order of the ids."""
        return self._bus.shafts()

    def restart(self, index: int) -> None:
        """Brown-out of one servo, or of the whole pulse chip."""
        self._bus.restart(index)

    def state(self) -> list[dict[str, Any]]:
        """Return id, place, goal and torque of every servo."""
        return [
            {
                "id": name,
                "position": round(motor.output, 1),
                "goal": round(motor.goal, 1),
                "torque": motor.torque,
            }
            for name, motor in zip(self.ids, self.motors, strict=True)
        ]
