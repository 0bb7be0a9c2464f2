"""Real nodes in processes of their own, and a node in the test that talks to them."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import rclpy
from action_msgs.srv import CancelGoal
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

from planar_arm_ik.nodes.path_executor.client import cancel_nothing

#: Deadline for anything that has to happen [s]; generous, for busy machines.
DEADLINE = 30.0

#: For path_executor. A busy machine is late; what that means is tested on a made-up clock.
PATIENT = ("-p", "path_lag:=3.0")


@contextmanager
def nodes(names: Sequence[str], *ros_arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run nodes in one process; at the end it is stopped and must leave with code 0."""
    process = start(names, *ros_arguments)
    try:
        yield process
        if process.poll() is None:
            process.terminate()
        _, errors = process.communicate(timeout=DEADLINE)
        assert "Traceback" not in errors, errors
        assert process.returncode == 0, errors
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def start(names: Sequence[str], *ros_arguments: str) -> subprocess.Popen[str]:
    """Start nodes in one process; the caller ends it."""
    command = [sys.executable, "-m", "planar_arm_ik.nodes", *names]
    if ros_arguments:
        command += ["--ros-args", *ros_arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Peer:
    """A node of the test, spun only while the test waits for something."""

    def __init__(self, namespace: str = "") -> None:
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node: Node = rclpy.create_node("peer", context=self.context, namespace=namespace)
        self._executor = SingleThreadedExecutor(context=self.context)
        self._executor.add_node(self.node)

    def until(self, done: Callable[[], bool], what: str, deadline: float = DEADLINE) -> None:
        """Spin until `done`, or fail naming `what`."""
        end = time.monotonic() + deadline
        while not done():
            assert time.monotonic() < end, f"waited {deadline} s in vain for {what}"
            self._executor.spin_once(timeout_sec=0.05)

    def call(self, kind: Any, name: str, request: Any) -> Any:
        """Call a service and return its answer.

        A server that has not found this client yet loses its answer: it is asked again.
        """
        client = self.node.create_client(kind, name)
        self.until(client.service_is_ready, f"service {name}")
        futures: list[Any] = []
        asked = -math.inf

        def answered() -> bool:
            nonlocal asked
            if time.monotonic() - asked > DEADLINE / 4:
                futures.append(client.call_async(request))
                asked = time.monotonic()
            return any(future.done() for future in futures)

        self.until(answered, f"an answer of {name}")
        self.node.destroy_client(client)
        return next(future.result() for future in futures if future.done())

    def caller(self, kind: Any, name: str) -> Callable[[Any], Any]:
        """Return a function that calls a service again and again over one client."""
        client = self.node.create_client(kind, name)
        self.until(client.service_is_ready, f"service {name}")

        def call(request: Any) -> Any:
            future = client.call_async(request)
            self.until(future.done, f"an answer of {name}")
            return future.result()

        return call

    def action(self, kind: Any, name: str) -> ActionClient:
        """Return the client of an action whose server has found it, too.

        Until then its answers are lost. A goal that does not exist is canceled to know.
        """
        client = ActionClient(self.node, kind, name)
        self.call(CancelGoal, f"{name}/_action/cancel_goal", cancel_nothing())
        self.until(client.server_is_ready, f"action {name}")
        return client

    def collect(self, kind: Any, topic: str, qos: Any = 10) -> list[Any]:
        """Subscribe; the list grows while the peer spins."""
        messages: list[Any] = []
        self.node.create_subscription(kind, topic, messages.append, qos)
        return messages

    def connected(self, publisher: Any) -> None:
        """Wait until a publisher has a subscriber."""
        self.until(lambda: publisher.get_subscription_count() > 0, publisher.topic_name)

    def close(self) -> None:
        """Leave ROS."""
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.try_shutdown(context=self.context)


@contextmanager
def peer(namespace: str = "") -> Iterator[Peer]:
    """Yield a peer in a namespace and close it."""
    made = Peer(namespace)
    try:
        yield made
    finally:
        made.close()
