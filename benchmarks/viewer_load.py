"""What the browser page costs: CPU time of the viewer node while an arm moves, as part of a core.

    python benchmarks/viewer_load.py [--seconds 10]

A child process publishes joint_states of a swinging arm at 100 Hz; the viewer draws for a client
that reads everything and shows nothing (a browser's own cost is the browser's). CPU time is from
/proc, so other load on the machine changes little.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import viser
from websockets.sync.client import ClientConnection, connect

RATES = (1, 30, 60, 120)

ARM = """
import math, time, rclpy
from sensor_msgs.msg import JointState
rclpy.init()
node = rclpy.create_node("swinging_arm")
publisher = node.create_publisher(JointState, "joint_states", 10)
while True:
    now = time.monotonic()
    position = [0.5 + 0.4 * math.sin(now), 1.0 + 0.5 * math.cos(now)]
    publisher.publish(JointState(name=["joint1", "joint2"], position=position))
    time.sleep(0.01)
"""


def cpu_seconds(pid: int) -> float:
    """CPU time of a process so far [s]."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def client(port: int) -> ClientConnection:
    """Connect as a page does, once the viewer serves."""
    end = time.monotonic() + 60.0
    while True:
        try:
            return connect(
                f"ws://127.0.0.1:{port}",
                subprotocols=[f"viser-v{viser.__version__}"],
                max_size=None,
            )
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def read_for(connection: ClientConnection, seconds: float) -> tuple[int, int]:
    """Messages and bytes received within a time."""
    end, messages, size = time.monotonic() + seconds, 0, 0
    while (left := end - time.monotonic()) > 0.0:
        try:
            size += len(connection.recv(timeout=left))
            messages += 1
        except TimeoutError:
            break
    return messages, size


def measure(rate: int, seconds: float) -> tuple[float, float, float]:
    """Part of a core, windows of messages per second, bytes per second."""
    port = free_port()
    command = [
        sys.executable, "-m", "planar_arm_ik.nodes", "viewer",
        "--ros-args", "-p", f"port:={port}", "-p", f"rate:={rate}.0",
        "--log-level", "error",
    ]  # fmt: skip
    viewer = subprocess.Popen(command)
    try:
        with client(port) as connection:
            read_for(connection, 3.0)
            before = cpu_seconds(viewer.pid)
            begin = time.monotonic()
            messages, size = read_for(connection, seconds)
            elapsed = time.monotonic() - begin
            used = cpu_seconds(viewer.pid) - before
    finally:
        viewer.terminate()
        viewer.wait(timeout=10.0)
    return used / elapsed, messages / elapsed, size / elapsed


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="time per row [s]")
    seconds = parser.parse_args().seconds
    os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    os.environ.setdefault("ROS_DOMAIN_ID", "99")
    arm = subprocess.Popen([sys.executable, "-c", ARM])
    try:
        print("rate of drawing [Hz]   part of a core   windows a second   kB a second")
        for rate in RATES:
            part, windows, size = measure(rate, seconds)
            print(f"{rate:>20}   {part:14.1%}   {windows:16.1f}   {size / 1e3:11.1f}", flush=True)
    finally:
        arm.kill()
        arm.wait(timeout=15.0)


if __name__ == "__main__":
    main()
