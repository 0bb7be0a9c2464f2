"""Signals set the event, however closely they follow each other."""

import os
import signal
import subprocess
import sys

from planar_arm_ik.nodes.common.stop_event import StopEvent

DEADLINE = 20.0
WAITER = """
from planar_arm_ik.nodes.common.stop_event import StopEvent
stop = StopEvent()
stop.install()
print("ready", flush=True)
stop.wait()
stop.ignore()
print("stopped", flush=True)
"""


def test_a_storm_of_signals_is_one_stop():
    for _ in range(3):
        waiter = subprocess.Popen(
            [sys.executable, "-c", WAITER], stdout=subprocess.PIPE, text=True
        )
        assert waiter.stdout.readline() == "ready\n"
        for _ in range(500):
            os.kill(waiter.pid, signal.SIGINT)
            os.kill(waiter.pid, signal.SIGTERM)
        out, _ = waiter.communicate(timeout=DEADLINE)
        assert (out, waiter.returncode) == ("stopped\n", 0)


def test_a_handler_interrupted_by_the_next_signal_does_not_wait_for_itself():
    stop = StopEvent()
    stop.install()
    try:
        for _ in range(70_000):  # more bytes than a pipe holds
            signal.raise_signal(signal.SIGTERM)
        assert stop.wait(DEADLINE)
        assert stop.is_set()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_it_is_not_set_before():
    assert not StopEvent().wait(0.0)
