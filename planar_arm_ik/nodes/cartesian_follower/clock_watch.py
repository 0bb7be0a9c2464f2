"""Whether simulated time runs, and how much of it went by."""

from __future__ import annotations


class ClockWatch:
    """Watches a simulated clock against the monotonic one.

    Real time always runs. Simulated time does not run before its first tick, when it has not
    advanced for `timeout`, and for `timeout` after it jumped back.

    Args:
        timeout: time without an advance after which the clock counts as stopped [s].
    """

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._time = 0
        self._advanced = 0.0
        self._barred_until = 0.0
        self._seen = False

    def elapsed(
        self, wall: float, now: int, monotonic: float, simulated: bool
    ) -> tuple[float, bool]:
        """Time since the last call and whether the clock runs.

        Args:
            wall: real time since the last call [s].
            now: the node's clock [ns].
            monotonic: the monotonic clock [s].
            simulated: the node's clock is simulated now.

        Returns:
            (elapsed, runs): elapsed simulated time while it runs, real time when it does not, so
            that a stop can ramp down.
        """
        if not simulated:
            self._seen = False
            return wall, True
        step, self._time = now - self._time, now
        if step > 0 and now > 0:
            self._advanced = monotonic
            if not self._seen:
                self._seen, step = True, 0
        elif step < 0:
            self._barred_until = monotonic + self.timeout
        fresh = self._seen and monotonic - self._advanced <= self.timeout
        if not fresh or monotonic < self._barred_until:
            return wall, False
        return 1e-9 * step, True
