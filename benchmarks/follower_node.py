"""CPU time and period of cartesian_follower against the floor: a bare rclpy node.

The floor takes the same two topics on the standard executor and publishes the same four at the
same rate from a timer, without computing anything. Both are fed by this process over DDS, one
after the other, in turns. Periods are the differences of the stamps in `~/state`.

    python benchmarks/follower_node.py [--seconds 8] [--repeats 3] [--rates 100 500 1000]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import rclpy
from geometry_msgs.msg import TwistStamped
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from planar_arm_ik.nodes.common.interfaces import FollowerState
from planar_arm_ik.nodes.common.paced_loop import PacedLoop, PolledSubscription

TICKS = os.sysconf("SC_CLK_TCK")


def run_floor(rate: float) -> None:
    """Be the bare node until killed."""
    rclpy.init()
    node = rclpy.create_node("cartesian_follower")
    newest: dict[str, object] = {}
    node.create_subscription(
        JointState, "joint_states", lambda m: newest.__setitem__("state", m), 1
    )
    node.create_subscription(TwistStamped, "~/twist", lambda m: newest.__setitem__("twist", m), 1)
    command = JointTrajectory(joint_names=["joint1", "joint2"], points=[JointTrajectoryPoint()])
    command.points[0].positions = [0.3, 1.2]
    outputs = [
        (node.create_publisher(JointTrajectory, "joint_trajectory", 10), command),
        (node.create_publisher(TwistStamped, "~/achieved", 10), TwistStamped()),
        (node.create_publisher(TwistStamped, "~/residual", 10), TwistStamped()),
        (node.create_publisher(FollowerState, "~/state", 10), FollowerState()),
    ]

    def cycle() -> None:
        stamp = node.get_clock().now().to_msg()
        for publisher, message in outputs:
            message.header.stamp = stamp
            publisher.publish(message)

    node.create_timer(1.0 / rate, cycle)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    executor.spin()


class Feeder:
    """Publishes states and twists from a steady loop, and keeps the stamps that come back."""

    def __init__(self) -> None:
        rclpy.init()
        self.node = rclpy.create_node("feeder")
        self._states = self.node.create_publisher(JointState, "joint_states", 10)
        self._twists = self.node.create_publisher(TwistStamped, "cartesian_follower/twist", 10)
        self._state = JointState(name=["joint1", "joint2"], position=[0.3, 1.2])
        self._twist = TwistStamped()
        self._count = 0
        # Readers that are never spun: the nodes have somebody to send to.
        for kind, topic in (
            (JointTrajectory, "joint_trajectory"),
            (TwistStamped, "cartesian_follower/achieved"),
            (TwistStamped, "cartesian_follower/residual"),
        ):
            PolledSubscription(self.node, kind, topic, QoSProfile(depth=1))
        qos = QoSProfile(depth=5_000, reliability=ReliabilityPolicy.BEST_EFFORT)
        self.answers = PolledSubscription(
            self.node, FollowerState, "cartesian_follower/state", qos
        )

    def feed(self, _elapsed: float) -> None:
        """Publish one state and one twist."""
        self._count += 1
        self._twist.twist.linear.x = 0.05 if self._count % 100 < 50 else -0.05
        self._states.publish(self._state)
        self._twists.publish(self._twist)


def cpu_seconds(pid: int) -> float:
    """CPU time a process has used in all its threads [s]."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measure(feeder: Feeder, command: list[str], rate: float, seconds: float) -> tuple:
    """(part of a core, CPU per cycle [us], median and p99 period [ms]) of one process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    loop = PacedLoop(1.0 / rate, feeder.feed, "feeder")
    loop.start()
    try:
        deadline = time.monotonic() + 30.0
        while not feeder.answers.take():
            if time.monotonic() > deadline:
                raise SystemExit(f"no answer from {command}")
            time.sleep(0.1)
        time.sleep(1.0)
        feeder.answers.take()
        before, began, messages = cpu_seconds(process.pid), time.monotonic(), []
        while time.monotonic() < began + seconds:  # a reader keeps 5,000 messages, no more
            time.sleep(0.5)
            messages += feeder.answers.take()
        used, wall = cpu_seconds(process.pid) - before, time.monotonic() - began
    finally:
        loop.stop()
        process.terminate()
        process.wait()
    stamps = [m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for m in messages]
    if len(stamps) < 2:
        raise SystemExit(f"{command} stopped answering")
    periods = 1e3 * np.diff(stamps)
    each = 1e6 * used / max(len(messages), 1)
    return used / wall, each, float(np.median(periods)), float(np.percentile(periods, 99))


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rates", type=float, nargs="+", default=[100.0, 500.0, 1000.0])
    parser.add_argument("--floor", type=float, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.floor:
        run_floor(arguments.floor)
        return
    os.environ.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    os.environ.setdefault("ROS_DOMAIN_ID", str(101 + os.getpid() % 100))
    feeder = Feeder()
    heads = f"{'CPU':>8}{'us/cycle':>10}{'period ms':>11}{'p99 ms':>9}"
    print(f"{'rate':>8}  {'node':<8}{heads}")
    for rate in arguments.rates:
        commands = {
            "floor": [sys.executable, __file__, "--floor", str(rate)],
            "ours": [
                *(sys.executable, "-m", "planar_arm_ik.nodes", "cartesian_follower"),
                *("--ros-args", "-p", f"rate:={rate}"),
            ],
        }
        found: dict[str, list[tuple]] = {name: [] for name in commands}
        for _ in range(arguments.repeats):
            for name, command in commands.items():
                found[name].append(measure(feeder, command, rate, arguments.seconds))
        medians = {
            name: [statistics.median(column) for column in zip(*rows, strict=True)]
            for name, rows in found.items()
        }
        for name, (cpu, each, period, p99) in medians.items():
            row = f"{100 * cpu:>7.1f}%{each:>10.0f}{period:>11.3f}{p99:>9.3f}"
            print(f"{rate:>6.0f}Hz  {name:<8}{row}")
        cpu, each, p99 = (medians["ours"][i] / medians["floor"][i] for i in (0, 1, 3))
        print(f"{'':>8}  ratio   {cpu:>8.2f}{each:>10.2f}{'':>11}{p99:>9.2f}")


if __name__ == "__main__":
    main()
