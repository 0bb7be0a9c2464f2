"""A clock that stands still until somebody waits, and what is to happen at which time."""

from __future__ import annotations

import heapq
from collections.abc import Callable


class MadeClock:
    """Implements :class:`planar_arm_ik.clocks.Clock` without any real time.

    Waiting moves the time; what was booked with :meth:`at` or :meth:`every` happens on the way,
    in order of time and of booking, in the same thread.
    """

    def __init__(self, start: float = 1000.0) -> None:
        self._now = start
        self._booked: list[tuple[float, int, Callable[[], object]]] = []
        self._number = 0

    def now(self) -> float:
        return self._now

    def wait_until(self, moment: float) -> None:
        while self._booked and self._booked[0][0] <= moment:
            due, _, action = heapq.heappop(self._booked)
            self._now = max(self._now, due)
            action()
        self._now = max(self._now, moment)

    def wait(self, seconds: float) -> None:
        self.wait_until(self._now + seconds)

    def at(self, moment: float, action: Callable[[], object]) -> None:
        """Do something at a time [s]."""
        heapq.heappush(self._booked, (moment, self._number, action))
        self._number += 1

    def after(self, seconds: float, action: Callable[[], object]) -> None:
        """Do something so many seconds from now."""
        self.at(self._now + seconds, action)

    def every(self, period: float, action: Callable[[], object], first: float = 0.0) -> None:
        """Do something again and again, from `first` seconds on."""

        def again(due: float) -> None:
            action()
            self.at(due + period, lambda: again(due + period))

        self.after(first, lambda due=self._now + first: again(due))
