"""The event that SIGINT and SIGTERM set. No ROS here: it is installed before ROS is imported.

``threading.Event`` will not do: its lock is not reentrant, and a second signal that interrupts
the handler of the first one would wait for itself for ever. A byte in a pipe needs no lock. The
interpreter's own C handler writes it: one in Python would run too late for a signal that comes
just before the wait.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
from types import FrameType


class StopEvent:
    """An event that SIGINT and SIGTERM set, however often and closely they come."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)

    def install(self) -> None:
        """Take over both signals; only the main thread may call this."""
        signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    @staticmethod
    def ignore() -> None:
        """Let late signals not spoil the exit code: the interpreter drops handlers as it ends."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        """Nothing to do: the byte is in the pipe already."""

    def set(self) -> None:
        """Set the event; safe in signal handlers and from any thread."""
        with contextlib.suppress(BlockingIOError):  # full: it is set many times over
            os.write(self._write, b"\0")

    def is_set(self) -> bool:
        """Whether the event has been set."""
        return self.wait(0.0)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the event, at most `timeout` [s]; whether it is set."""
        return bool(select.select([self._read], [], [], timeout)[0])
