"""Round trips of ~/solve and ~/solve_batch beside empty services of the same types.

Run inside the environment with ``python benchmarks/ik_service.py`` (``make bench`` does). The
ik_server, the empty services and this client are three processes on this host; calls alternate,
and the medians of one run are compared.
"""

from __future__ import annotations

import argparse
import array
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import JointState

from planar_arm_ik.nodes.entry import run_nodes
from planar_arm_ik.nodes.interfaces import SolveIk, SolveIkBatch
from planar_arm_ik.nodes.runtime import ArmNode, run

NAMES = {"ours": "ik_server", "empty": "empty_server"}


class EmptyServer(ArmNode):
    """Answers without any work: an empty response, or for a batch arrays as long as ours."""

    def __init__(self, **options: Any) -> None:
        super().__init__("empty_server", **options)
        self.create_service(SolveIk, "~/solve", lambda _, response: response)
        self.create_service(SolveIkBatch, "~/solve_batch", _echo)


def _echo(request: SolveIkBatch.Request, response: SolveIkBatch.Response) -> SolveIkBatch.Response:
    response.joint1, response.joint2 = request.x, request.y
    codes = bytes(len(request.x))
    response.statuses, response.branches = array.array("b", codes), array.array("b", codes)
    return response


class Client:
    """Calls services one after another."""

    def __init__(self) -> None:
        rclpy.init()
        self._node = Node("client")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)

    def caller(self, kind: Any, name: str, request: Any) -> Callable[[], Any]:
        """Return a function that calls the service and waits for the answer."""
        client = self._node.create_client(kind, name)
        if not client.wait_for_service(timeout_sec=30.0):
            raise SystemExit(f"service {name} does not answer")

        def call() -> Any:
            future = client.call_async(request)
            self._executor.spin_until_future_complete(future, timeout_sec=60.0)
            return future.result()

        return call


def solve_request() -> SolveIk.Request:
    """A target with a seed."""
    made = SolveIk.Request(seed=JointState(name=["joint1", "joint2"], position=[-0.7, 1.7]))
    made.target.point.x, made.target.point.y = 0.6, 0.05
    return made


def batch_request(n: int) -> SolveIkBatch.Request:
    """Many reachable targets with one seed."""
    rng = np.random.default_rng(0)
    bearing, r = rng.uniform(-2.0, 2.0, n), rng.uniform(0.3, 0.85, n)
    made = SolveIkBatch.Request(seed=solve_request().seed)
    made.x = array.array("d", (r * np.cos(bearing)).tobytes())
    made.y = array.array("d", (r * np.sin(bearing)).tobytes())
    return made


def compare(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Median round trip of each [s], calls alternating, the first tenth not counted."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for index in range(rounds + rounds // 10):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            if index >= rounds // 10:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> None:
    """Start both servers, call them, print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--targets", type=int, default=1_000_000)
    parser.add_argument("--serve", choices=list(NAMES))
    args = parser.parse_args()
    if args.serve:
        sys.exit(run([EmptyServer]) if args.serve == "empty" else run_nodes(["ik_server"]))
    os.environ.setdefault("ROS_DOMAIN_ID", str(os.getpid() % 100 + 1))
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    servers = [
        subprocess.Popen([sys.executable, __file__, "--serve", name], stderr=subprocess.DEVNULL)
        for name in NAMES
    ]
    try:
        measure(args.rounds, args.targets)
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait()


def measure(rounds: int, targets: int) -> None:
    """Compare both servers and print the table."""
    client = Client()
    print(f"{'':34}{'ours':>12}{'empty':>12}{'ratio':>8}")
    for kind, name, request, times, what in (
        (SolveIk, "solve", solve_request(), rounds, "~/solve"),
        (SolveIkBatch, "solve_batch", batch_request(1000), rounds // 4, "~/solve_batch, 1000"),
        (SolveIkBatch, "solve_batch", batch_request(targets), 10, f"~/solve_batch, {targets}"),
    ):
        calls = {
            side: client.caller(kind, f"{node}/{name}", request) for side, node in NAMES.items()
        }
        if calls["ours"]().status.code < 0:
            raise SystemExit(f"{what} has no answer")
        median = compare(calls, times)
        print(
            f"{what + ', median round trip':34}{1e6 * median['ours']:9.0f} us"
            f"{1e6 * median['empty']:9.0f} us{median['ours'] / median['empty']:8.2f}"
        )


if __name__ == "__main__":
    main()
