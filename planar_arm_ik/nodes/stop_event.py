"""The event that SIGINT and SIGTERM set. No ROS here: it is installed before ROS is imported."""

from __future__ import annotations

import signal
import threading
from types import FrameType


class StopEvent(threading.Event):
    """An event that SIGINT and SIGTERM set, however often they come."""

    def install(self) -> None:
        """Take over both signals; only the main thread may call this."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.set()
