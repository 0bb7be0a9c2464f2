"""Child processes that never outlive their parent."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1
_prctl = getattr(ctypes.CDLL(None, use_errno=True), "prctl", None)
#: Nodes stop within this time [s]; then they are killed.
_PATIENCE = 5.0


def die_with_parent(parent: int) -> None:
    """Let the kernel send SIGTERM to this process when its parent ends (Linux).

    Args:
        parent: process id of the parent, to see an end that came before this call.
    """
    if _prctl is None:
        return
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


def _in_child(parent: int) -> None:
    """Between fork and exec: the parent's handlers would swallow the signal here."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    die_with_parent(parent)


class Children:
    """A group of child processes; leaving the ``with`` block ends them all."""

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Children:
        return self

    def start_nodes(self, names: Sequence[str], ros_arguments: Sequence[str] = ()) -> None:
        """Start nodes in one process of their own."""
        command = [sys.executable, "-m", "planar_arm_ik.nodes", *names]
        if ros_arguments:
            command += ["--ros-args", *ros_arguments]
        parent = os.getpid()
        self._running.append(
            subprocess.Popen(
                command,
                preexec_fn=lambda: _in_child(parent),
                # Ctrl-C reaches the whole group; only this process shall stop the children.
                start_new_session=True,
            )
        )

    def failure(self) -> str:
        """Say which child has ended on its own; "" when all run."""
        for child in self._running:
            if child.poll() is not None:
                return f"{child.args!r} ended with code {child.returncode}"
        return ""

    def __exit__(self, *_: object) -> None:
        for child in self._running:
            if child.poll() is None:
                child.send_signal(signal.SIGINT)
        deadline = time.monotonic() + _PATIENCE
        for child in self._running:
            try:
                child.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
