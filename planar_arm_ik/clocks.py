"""Time as an argument: the one clock that whatever decides by time is given.

The steady clock is the default everywhere; tests and simulations give a made one and so run
minutes of motion in a moment, the same in every run. Nothing below the nodes asks for the time in
another way.
"""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds that only go forward."""

    def now(self) -> float:
        """Time [s], from any zero."""

    def wait_until(self, moment: float) -> None:
        """Return when it is `moment` [s], at once when that is past."""


class SteadyClock:
    """The machine's monotonic clock."""

    def now(self) -> float:
        """Time [s] since some moment before the program."""
        return time.monotonic()

    def wait_until(self, moment: float) -> None:
        """Sleep until `moment` [s]."""
        left = moment - time.monotonic()
        if left > 0.0:
            time.sleep(left)


#: The default of everything that takes a clock.
STEADY: Clock = SteadyClock()
