"""Round trips of ~/solve and ~/solve_batch beside services of the same types that do nothing.

Run inside the environment with ``python benchmarks/ik_service.py`` (``make bench`` does). The
ik_server, both idle servers and this client are processes of their own on this host; calls take
turns, so that each finds its server as cold as the others, and medians of one run are compared.

An idle service is an ordinary one of rclpy's executor and answers at once: with a response as it
is made, all fields empty, or with one prepared beforehand, of the same content as ours. The
difference between the two is what carrying an answer costs, whoever works it out. Batches of both
are zeros, as long as ours.
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

from planar_arm_ik import PlanarArm, solve
from planar_arm_ik.nodes.common.interfaces import SolveIk, SolveIkBatch
from planar_arm_ik.nodes.common.runtime import ArmNode, run
from planar_arm_ik.nodes.entry import run_nodes
from planar_arm_ik.nodes.ik_server.messages import fill

JOINTS = ("joint1", "joint2")
NAMES = ("ik_server", "empty_server", "prepared_server")


class IdleServer(ArmNode):
    """Answers without any work: an empty or a prepared response, a batch of zeros."""

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(name, **options)
        answer = prepared()
        empty = name == "empty_server"
        self.create_service(SolveIk, "~/solve", lambda _, made: made if empty else answer)
        self.create_service(SolveIkBatch, "~/solve_batch", _zeros)


def prepared() -> SolveIk.Response:
    """Answer `solve_request` once for all."""
    request, response = solve_request(), SolveIk.Response()
    target = request.target.point.x, request.target.point.y
    answer = solve(PlanarArm(0.5, 0.4), target, request.seed.position)
    fill(response, answer, JOINTS, "seed from the request")
    return response


def _zeros(request: SolveIkBatch.Request, made: SolveIkBatch.Response) -> SolveIkBatch.Response:
    made.joint1, made.joint2 = request.x, request.y
    codes = bytes(len(request.x))
    made.statuses, made.branches = array.array("b", codes), array.array("b", codes)
    return made


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
    made = SolveIk.Request(seed=JointState(name=list(JOINTS), position=[-0.7, 1.7]))
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
    parser.add_argument("--serve", choices=NAMES)
    args = parser.parse_args()
    if args.serve:
        ours = args.serve == "ik_server"
        sys.exit(run_nodes([args.serve]) if ours else run([lambda: IdleServer(args.serve)]))
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
    """Compare the servers and print the table."""
    client = Client()
    print(f"{'median round trip':26}{'ours':>12}{'empty':>20}{'prepared':>20}")
    for kind, name, request, times, what in (
        (SolveIk, "solve", solve_request(), rounds, "~/solve"),
        (SolveIkBatch, "solve_batch", batch_request(1000), rounds // 4, "~/solve_batch, 1,000"),
        (SolveIkBatch, "solve_batch", batch_request(targets), 10, f"~/solve_batch, {targets:,}"),
    ):
        calls = {server: client.caller(kind, f"{server}/{name}", request) for server in NAMES}
        if calls["ik_server"]().status.code < 0:
            raise SystemExit(f"{what} has no answer")
        ours, *idle = compare(calls, times).values()
        others = "".join(f"{1e6 * other:9.0f} us ({ours / other:.2f})" for other in idle)
        print(f"{what:26}{1e6 * ours:9.0f} us{others}")


if __name__ == "__main__":
    main()
