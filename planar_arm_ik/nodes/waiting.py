"""Waiting for conditions inside coroutines, on the thread of the executor."""

from __future__ import annotations

from collections.abc import Callable

from rclpy.node import Node
from rclpy.task import Future


class Waiting:
    """Conditions that coroutines of a node await; a timer of the node looks at them.

    Args:
        node: the node.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._pending: list[tuple[Callable[[], bool], Future]] = []

    def until(self, condition: Callable[[], bool]) -> Future:
        """Future that is done once the condition holds."""
        future = Future(executor=self._node.executor)
        self._pending.append((condition, future))
        return future

    def look(self) -> None:
        """Resolve the futures whose conditions hold."""
        pending, self._pending = self._pending, []
        for condition, future in pending:
            if condition():
                future.set_result(None)
            else:
                self._pending.append((condition, future))
