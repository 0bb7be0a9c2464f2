"""Waiting for conditions inside coroutines, on the thread of the executor."""

from __future__ import annotations

import threading
from collections.abc import Callable

from rclpy.node import Node
from rclpy.task import Future

from planar_arm_ik.nodes.common.clocks import steady_timer

#: Time between two looks at what is waited for [s].
_LOOK = 0.004

#: Longest wait for a turn of the executor [s].
_LONGEST_TURN = 0.2


class Waiting:
    """Conditions that coroutines of a node await; a timer looks at them while there are any.

    Args:
        node: the node.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._pending: list[tuple[Callable[[], bool], Future]] = []
        self._timer = steady_timer(node, _LOOK, self._look, autostart=False)

    def until(self, condition: Callable[[], bool]) -> Future:
        """Future that is done once the condition holds."""
        future = Future(executor=self._node.executor)
        self._pending.append((condition, future))
        self._timer.reset()
        return future

    def _look(self) -> None:
        """Resolve the futures whose conditions hold."""
        pending, self._pending = self._pending, []
        for condition, future in pending:
            if condition():
                future.set_result(None)
            else:
                self._pending.append((condition, future))
        if not self._pending:
            self._timer.cancel()


def let_turn(node: Node, turns: int) -> None:
    """Wait, in another thread, until the executor of a node has turned so many times."""
    for _ in range(turns):
        turned = threading.Event()
        if node.executor is not None:
            node.executor.create_task(turned.set)
        turned.wait(_LONGEST_TURN)
