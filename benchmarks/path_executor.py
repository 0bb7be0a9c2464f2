"""Time from a goal's acceptance to its first trajectory, over real DDS on this machine.

Run with ``python benchmarks/path_executor.py`` inside the environment (`make shell`). Driver,
executor and follower run in processes of their own (``--alone``: without the follower, who is told
first otherwise); every goal is the worked arc of 31 waypoints.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time

import numpy as np


def main() -> None:
    """Send goals one after the other and print the latencies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--goals", type=int, default=21)
    parser.add_argument("--domain", type=int, default=77, help="ROS domain id to use")
    parser.add_argument("--alone", action="store_true", help="without cartesian_follower")
    args = parser.parse_args()
    os.environ["ROS_DOMAIN_ID"] = str(args.domain)
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    command = [sys.executable, "-m", "planar_arm_ik.nodes"]
    names = ["servo_driver", "path_executor", *([] if args.alone else ["cartesian_follower"])]
    processes = [subprocess.Popen([*command, name]) for name in names]
    try:
        latencies = measure(args.goals)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()
    ms = sorted(1e3 * value for value in latencies)
    print(
        f"acceptance to first trajectory, {len(ms)} goals of 31 waypoints: median "
        f"{statistics.median(ms):.1f} ms, smallest {ms[0]:.1f} ms, largest {ms[-1]:.1f} ms"
    )


def measure(goals: int) -> list[float]:
    """Latency of each goal [s]."""
    import rclpy
    from rclpy.action import ActionClient
    from std_srvs.srv import SetBool
    from trajectory_msgs.msg import JointTrajectory

    from planar_arm_ik.nodes.common.interfaces import ExecutePath
    from planar_arm_ik.nodes.path_executor.client import path_message
    from planar_arm_ik.paths.waypoints import example_arc

    rclpy.init()
    node = rclpy.create_node("latency")
    arrivals: list[float] = []
    node.create_subscription(
        JointTrajectory, "joint_trajectory", lambda _: arrivals.append(time.perf_counter()), 10
    )
    enable = node.create_client(SetBool, "servo_driver/enable")
    enable.wait_for_service(timeout_sec=30.0)
    rclpy.spin_until_future_complete(node, enable.call_async(SetBool.Request(data=True)))
    client = ActionClient(node, ExecutePath, "path_executor/execute_path")
    client.wait_for_server(timeout_sec=30.0)
    latencies: list[float] = []
    arc = example_arc()
    while len(latencies) < goals:
        arrivals.clear()
        goal = ExecutePath.Goal(path=path_message(arc))
        sent = client.send_goal_async(goal)
        rclpy.spin_until_future_complete(node, sent)
        accepted = time.perf_counter()
        result = sent.result().get_result_async()
        rclpy.spin_until_future_complete(node, result)
        if result.result().result.status.code >= 0 and arrivals:
            latencies.append(arrivals[0] - accepted)
        arc = arc[::-1]
    node.destroy_node()
    rclpy.try_shutdown()
    assert np.isfinite(latencies).all()
    return latencies


if __name__ == "__main__":
    main()
