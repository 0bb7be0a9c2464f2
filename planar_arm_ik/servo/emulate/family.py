"""What every family of emulated servos provides, and how its servos are at power-on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from planar_arm_ik.servo.buses.motor import Motor
from planar_arm_ik.servo.emulate.faults import Faults


class Emulated(Protocol):
    """What stands behind the terminal: servos of any family."""

    def answer(self, received: bytes) -> tuple[bytes, list[bytes]]:
        """Work through received bytes; returns what is not yet whole, and the answers."""

    def tick(self, dt: float) -> None:
        """Let the shafts turn for `dt` seconds."""

    def shafts(self) -> list[Motor]:
        """Return the motors, in the order of the ids."""

    def restart(self, index: int) -> None:
        """Brown-out of one servo."""


@dataclass(frozen=True)
class Begin:
    """How the servos of an arm are at power-on.

    Args:
        places: where each shaft is [ticks, or us], by id or channel.
        stale_goal: goal left in bus servos from before [ticks].
        oscillator_hz: of the pulse chip [Hz].
    """

    places: Mapping[int, int]
    stale_goal: int
    oscillator_hz: float


@dataclass(frozen=True)
class Family:
    """How a family is emulated.

    Args:
        backend: the backend that drives it.
        make: makes its servos.
        i2c: whether it is reached over I2C and not over a serial port.
    """

    backend: str
    make: Callable[[Begin, Faults], Emulated]
    i2c: bool = False
