"""The demo as a user runs it: real processes, and nothing left behind however it ends."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rclpy")
from planar_arm_ik.cli.demo_report import on_path
from ros_support import DEADLINE

pytestmark = pytest.mark.node

COMMAND = [
    sys.executable,
    "-c",
    "import sys; from planar_arm_ik.cli import main; sys.exit(main())",
]


def demo(*arguments):
    return subprocess.Popen(
        [*COMMAND, "demo", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def descendants(pid):
    """Process ids of the children of a process."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def wait(done, what):
    end = time.monotonic() + DEADLINE
    while not done():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.01)


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_arc_is_traced_within_a_tenth_of_a_millimetre():
    process = demo("--once", "--json")
    out, errors = process.communicate(timeout=2 * DEADLINE)
    assert process.returncode == 0, errors
    document = json.loads(out)
    assert document["waypoints"] == 31
    assert document["samples"] > 50
    assert document["largest_distance"] < 1e-4
    assert "Traceback" not in errors


def test_a_track_with_few_states_begins_on_the_path_and_one_beside_it_is_kept():
    path = np.array([(0.5, 0.0), (0.5, 0.1)])
    approach = [(0.4, 0.0), (0.497, -0.001)]
    traced = [(0.5, 0.02), (0.502, 0.05), (0.5, 0.1)]
    np.testing.assert_array_equal(on_path(np.array(approach + traced), path), traced)
    beside = np.array(approach)
    np.testing.assert_array_equal(on_path(beside, path), beside[1:])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_however_it_is_ended_nothing_stays_behind(number):
    process = demo("--port", "0")
    wait(lambda: len(descendants(process.pid)) == 4, "the nodes")
    children = descendants(process.pid)
    os.kill(process.pid, number)
    process.communicate(timeout=DEADLINE)
    wait(lambda: not any(alive(child) for child in children), "the end of the nodes")
    if number != signal.SIGKILL:
        assert process.returncode == 0


@pytest.mark.faults
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_whenever_it_is_ended_nothing_stays_behind(number):
    rng = random.Random(int(number))
    for _ in range(15):
        mark = f"demo-{rng.random()}"
        environment = {**os.environ, "PLANAR_ARM_TEST_MARK": mark}
        process = subprocess.Popen(
            [*COMMAND, "demo"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0.0, 3.0))
        process.send_signal(number)
        process.wait(timeout=DEADLINE)
        wait(lambda mark=mark: not marked(mark), f"the end of {mark}")


def marked(mark):
    """Process ids that carry a mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found
