"""What every servo bus can do, and how it says that something is wrong.

All positions on a bus are whole ticks. One tick is ``resolution`` raw units of the calibration: 1
for servos that count, the time of one chip count [us] for pulses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


class BusError(Exception):
    """The hardware did not do what was asked.

    Args:
        address: port, or I2C bus and chip address.
        reason: what happened, naming the servo where one is known.
        errno: the system's error number, where there is one.
        hint: what a person should look at.
        fatal: true when another try on the same open bus is pointless (unplugged, overload).
    """

    def __init__(
        self, address: str, reason: str, *, errno: int | None = None, hint: str = "",
        fatal: bool = False,
    ) -> None:  # fmt: skip
        self.address = address
        self.reason = reason
        self.errno = errno
        self.hint = hint
        self.fatal = fatal
        number = f" (errno {errno})" if errno is not None else ""
        super().__init__(f"{address}: {reason}{number}{'; ' + hint if hint else ''}")


_ATTEMPTS = 3


def insist(action: Callable[[], object]) -> None:
    """Do something that may be done again, up to three times while errors are not fatal.

    For what happens once and not every cycle: finding servos, torque on and off.

    Raises:
        BusError: the last attempt failed, or the bus is gone.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            action()
        except BusError as error:
            if error.fatal or attempt == _ATTEMPTS:
                raise
        else:
            return


@dataclass(frozen=True)
class ServoHealth:
    """What one servo says about itself; None where it cannot say.

    Args:
        voltage: supply [V].
        temperature: [deg C].
        torque: whether it holds its position.
    """

    voltage: float | None = None
    temperature: float | None = None
    torque: bool | None = None


class ServoBus(Protocol):
    """The servos of one arm, addressed by joint index (0 shoulder, 1 elbow).

    Every method but :meth:`close` raises :class:`BusError`. None of them is safe to call from two
    threads at once: one loop owns the bus.
    """

    @property
    def address(self) -> str:
        """Port or chip, for messages."""

    @property
    def feedback(self) -> bool:
        """Whether positions can be read."""

    @property
    def resolution(self) -> float:
        """Raw units per tick, valid once open."""

    @property
    def turn(self) -> int | None:
        """Ticks after which a reading wraps, or None."""

    def open(self) -> None:
        """Open for this program alone, and find every servo; moves nothing."""

    def close(self) -> None:
        """Let the port go; never raises."""

    def read(self) -> list[int] | None:
        """Position of every joint [ticks].

        A bus without feedback answers with the goals of a chip that is already driving its
        servos, and None when it drives none.
        """

    def energise(self, joint: int, ticks: int, speed: float) -> None:
        """Speed limit [ticks/s], goal, then torque: in this order."""

    def start_watchdog(self, seconds: float) -> None:
        """Let the servos stop by themselves when the bus falls silent; nothing where none is."""

    def write(self, ticks: Sequence[int]) -> None:
        """Send a goal to every joint."""

    def relax(self) -> None:
        """Torque or pulses off, on every joint."""

    def check(self, joint: int, torque: bool) -> ServoHealth:
        """Ask one servo how it is.

        Args:
            joint: index of the joint.
            torque: whether it ought to hold; a servo that lost torque raises.
        """
