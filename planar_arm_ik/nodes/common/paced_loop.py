"""A loop at a steady rate that takes its messages itself, beside the executor.

An executor wakes, builds a wait set and dispatches for every message. A loop that sleeps to its
next period and then takes the newest messages straight from the subscription handles needs a
fraction of that time and keeps its period better. Services and parameters stay with the executor
in its own thread; a polled subscription sits in a callback group that never executes, because a
subscription that also spins yields nothing to a take. Where the handle's call is missing, polled
subscriptions fall back to ordinary callbacks of the executor.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from rclpy.qos import QoSProfile

from planar_arm_ik.clocks import STEADY, Clock
from planar_arm_ik.nodes.common.manual_group import ManualCallbackGroup


class PolledSubscription:
    """A subscription whose messages are taken when asked for.

    Args:
        node: the owner; destroy it only after the loop has ended.
        kind: message type.
        topic: topic name.
        qos: its depth is the most one :meth:`take` returns.
        raw: take the bytes of the messages.
    """

    def __init__(
        self, node: Node, kind: Any, topic: str, qos: QoSProfile, raw: bool = False
    ) -> None:
        self._kind = kind
        self._raw = raw
        self._depth = qos.depth
        self._pending: list[Any] = []
        group = ManualCallbackGroup()
        self._subscription = node.create_subscription(
            kind, topic, self._store, qos, callback_group=group, raw=raw
        )
        if not hasattr(self._subscription.handle, "take_message"):
            node.destroy_subscription(self._subscription)
            self._subscription = node.create_subscription(kind, topic, self._store, qos, raw=raw)
            self.take = self._take_stored  # type: ignore[method-assign]

    def take(self) -> list[Any]:
        """Messages that came since the last call, oldest first; the newest ones if too many."""
        handle, kind = self._subscription.handle, self._kind
        messages: list[Any] = []
        with handle:
            while len(messages) < self._depth:
                taken = handle.take_message(kind, self._raw)
                if taken is None:
                    break
                messages.append(taken[0])
        return messages

    def _store(self, message: Any) -> None:
        self._pending = [*self._pending, message][-self._depth :]

    def _take_stored(self) -> list[Any]:
        messages, self._pending = self._pending, []
        return messages


class PacedLoop:
    """Calls `work` once a period in a thread of its own.

    A late cycle is not made up for: the schedule moves on. An exception ends the loop and is kept
    in `failure`.

    Args:
        period: time between two calls [s].
        work: called with the time since its last call [s].
        name: of the thread.
        clock: what the periods are measured by.
    """

    def __init__(
        self, period: float, work: Callable[[float], None], name: str, clock: Clock = STEADY
    ) -> None:
        self._clock = clock
        self._period = period
        self._work = work
        self._stopping = False
        self._thread = threading.Thread(target=self.run, name=name, daemon=True)
        self.failure: Exception | None = None
        self.cycles = 0
        self.late = 0

    def start(self) -> None:
        """Start the thread.

        What exists by now is left out of later garbage collections: a full one would scan every
        imported module and cost many periods.
        """
        gc.collect()
        gc.freeze()
        self._thread.start()

    def stop(self) -> None:
        """End the loop after the cycle under way and wait for it."""
        self._stopping = True
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    def run(self) -> None:
        """Run the cycles in the calling thread until the loop is stopped from within one."""
        try:
            self._pace()
        except Exception as error:
            self.failure = error

    def _pace(self) -> None:
        clock = self._clock
        last = clock.now()
        due = last + self._period
        while not self._stopping:
            clock.wait_until(due)
            now = clock.now()
            self._work(now - last)
            self.cycles += 1
            last, due = now, due + self._period
            if due < now:
                self.late += 1
                due = now + self._period
