"""A pseudo-terminal that behaves as a serial adapter with servos behind it."""

from __future__ import annotations

import os
import select
import threading
import tty
from collections.abc import Callable
from pathlib import Path

from planar_arm_ik.clocks import STEADY
from planar_arm_ik.servo.emulate.faults import Faults

_POLL = 0.002
_CHUNK = 4096


class EmulatedWire:
    """Serves requests on a pseudo-terminal, under a path that survives unplugging.

    Args:
        link: path to make a link to the terminal at.
        answer: takes received bytes, returns (rest not yet whole, answers).
        tick: called between requests with the time since the last call [s].
        faults: what goes wrong.
    """

    def __init__(
        self,
        link: str | Path,
        answer: Callable[[bytes], tuple[bytes, list[bytes]]],
        tick: Callable[[float], None],
        faults: Faults,
    ) -> None:
        self.path = str(link)
        self._answer = answer
        self._tick = tick
        self._faults = faults
        self._master: int | None = None
        self._slave: int | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="emulated wire", daemon=True)
        self.plug()

    def start(self) -> None:
        """Start serving in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop serving and remove the link.

        Raises:
            RuntimeError: the emulation itself had failed.
        """
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self.unplug()
        if self._failure is not None:
            raise RuntimeError(f"the emulated wire failed: {self._failure!r}") from self._failure

    def plug(self) -> None:
        """Make a new terminal and point the link at it."""
        master, slave = os.openpty()
        tty.setraw(master)
        tty.setraw(slave)
        os.set_blocking(master, False)
        Path(self.path).unlink(missing_ok=True)
        os.symlink(os.ttyname(slave), self.path)
        with self._lock:
            self._master, self._slave = master, slave

    def unplug(self) -> None:
        """Take the terminal away: whoever has it open sees a hang-up."""
        with self._lock:
            held = (self._master, self._slave)
            self._master = self._slave = None
        for descriptor in held:
            if descriptor is not None:
                os.close(descriptor)
        Path(self.path).unlink(missing_ok=True)

    def _run(self) -> None:
        try:
            self._serve()
        except Exception as error:  # raised again by stop, in the thread of the user
            self._failure = error

    def _serve(self) -> None:
        rest = b""
        last = STEADY.now()
        while not self._stop.is_set():
            received = self._receive()
            now = STEADY.now()
            self._tick(now - last)
            last = now
            if received:
                rest, answers = self._answer(rest + received)
                sent = [received] if self._faults.echo else []
                if self._faults.late and answers:
                    self._stop.wait(self._faults.late)
                self._send(sent + [self._faults.spoil(packet) for packet in answers])

    def _receive(self) -> bytes:
        """What came in; the lock is held so that unplugging takes effect at once."""
        with self._lock:
            if self._master is not None:
                try:
                    ready, _, _ = select.select([self._master], [], [], _POLL)
                    return os.read(self._master, _CHUNK) if ready else b""
                except OSError:
                    pass
        self._stop.wait(_POLL)
        return b""

    def _send(self, packets: list[bytes]) -> None:
        with self._lock:
            if self._master is None:
                return
            try:
                os.write(self._master, b"".join(packets))
            except OSError:
                return
