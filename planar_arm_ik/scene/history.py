"""The last seconds of a few signals, for plots."""

from __future__ import annotations

import numpy as np

from planar_arm_ik.arm.planar_arm import Array


class History:
    """Ring buffer of samples of several signals over time.

    Args:
        signals: number of signals.
        seconds: how much time is kept [s].
        rate: highest sample rate [Hz]; samples that come faster are left out.
    """

    def __init__(self, signals: int, seconds: float = 15.0, rate: float = 20.0) -> None:
        self._period = (1.0 - 1e-6) / rate
        self._data = np.full((1 + signals, int(seconds * rate)), np.nan)
        self._count = 0
        self._last = -np.inf

    def add(self, time: float, values: tuple[float, ...]) -> bool:
        """Add a sample; True when it was kept. A time that runs back clears the buffer."""
        if time < self._last:
            self._count, self._last = 0, -np.inf
        if time - self._last < self._period:
            return False
        self._last = time
        size = self._data.shape[1]
        if self._count == size:
            self._data[:, :-1] = self._data[:, 1:]
            self._count -= 1
        self._data[:, self._count] = (time, *values)
        self._count += 1
        return True

    def columns(self) -> Array:
        """Times relative to the newest sample [s] and the signals, shape (1 + signals, n)."""
        columns: Array = self._data[:, : self._count].copy()
        if self._count:
            columns[0] -= columns[0, -1]
        return columns
