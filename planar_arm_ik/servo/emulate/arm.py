"""A whole emulated arm: two servos of one family behind a pseudo-terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.motor import Motor
from planar_arm_ik.servo.buses.smbus import EMULATED
from planar_arm_ik.servo.emulate.dxl import DxlBus, DxlServo
from planar_arm_ik.servo.emulate.faults import Faults
from planar_arm_ik.servo.emulate.i2c import Pca9685Chip
from planar_arm_ik.servo.emulate.sts import StsBus, StsServo
from planar_arm_ik.servo.emulate.wire import EmulatedWire

FAMILIES = ("sts", "dxl", "pca9685")
BACKEND = {"sts": "feetech", "dxl": "dynamixel", "pca9685": "pca9685"}

#: What a hobby servo does at most [us/s]: a sixth of a second for 60 degrees.
_HOBBY_SPEED = 4000.0


class EmulatedArm:
    """Two servos to talk to, as a driver finds them after power-on.

    Args:
        family: ``sts``, ``dxl`` or ``pca9685``.
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
        self.chip: Pca9685Chip | None = None
        self.servos: Sequence[StsServo | DxlServo] = ()
        bus = self._make_bus(positions, stale_goal, oscillator_hz)
        self.wire = EmulatedWire(link, bus.answer, bus.tick, self.faults)

    def __enter__(self) -> EmulatedArm:
        self.wire.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.wire.stop()

    @property
    def bus_block(self) -> dict[str, Any]:
        """The ``bus`` block of a settings file that talks to this arm."""
        block: dict[str, Any] = {"backend": BACKEND[self.family]}
        if self.family == "pca9685":
            block["i2c_bus"] = EMULATED + self.wire.path
        else:
            block |= {"port": self.wire.path, "baud": 1_000_000}
        return block

    @property
    def motors(self) -> list[Motor]:
        """The shafts, in the order of the ids."""
        if self.chip is not None:
            return [self.chip.motors[channel] for channel in self.ids]
        return [servo.motor for servo in self.servos]

    def restart(self, index: int) -> None:
        """Brown-out of one servo, or of the whole pulse chip."""
        if self.chip is not None:
            self.chip.restart()
        else:
            self.servos[index].restart()

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

    def _make_bus(
        self, positions: Sequence[int], stale_goal: int, oscillator_hz: float
    ) -> StsBus | DxlBus | Pca9685Chip:
        pairs = list(zip(self.ids, positions, strict=True))
        if self.family == "sts":
            sts = [StsServo(name, place, stale_goal) for name, place in pairs]
            self.servos = sts
            return StsBus(sts, self.faults)
        if self.family == "dxl":
            dxl = [DxlServo(name, place, stale_goal) for name, place in pairs]
            self.servos = dxl
            return DxlBus(dxl, self.faults)
        self.chip = Pca9685Chip(oscillator_hz, faults=self.faults)
        self.chip.motors = {name: Motor(place, _HOBBY_SPEED) for name, place in pairs}
        return self.chip
