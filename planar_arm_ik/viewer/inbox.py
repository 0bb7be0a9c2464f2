"""What people do on the page, handed over from viser's threads to one worker by a queue."""

from __future__ import annotations

import queue
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Act(str, Enum):
    """Kinds of things a person can do."""

    TARGET = "target"  # value: (x, y) [m]
    RULE = "rule"  # value: name
    SEARCH = "search"  # value: name
    JOINTS = "joints"  # value: (q1, q2) [rad]
    GO = "go"  # move the tip to the target on a line
    MOVE_JOINTS = "move joints"  # move to the pose of the chosen ghost, joint by joint
    JOG = "jog"  # value: tip velocity (vx, vy) [m/s]
    DRAW = "draw"  # value: one more drawn point (x, y) [m]; None begins anew
    EXAMPLE = "example"  # value: name
    PLAN = "plan"
    EXECUTE = "execute"
    CANCEL = "cancel"
    CLEAR = "clear"
    STOP = "stop"
    PAUSE = "pause"  # value: bool
    ENABLE = "enable"  # value: bool
    STUDY = "study"  # value: bool, play or end


@dataclass(frozen=True)
class Event:
    """One thing a person did; see :class:`Act` for its value."""

    act: Act
    value: Any = None


def on_loop(action: Callable[[Any], None]) -> Callable[[Any], Awaitable[None]]:
    """Make a viser callback of an action on its event.

    viser runs coroutines on its event loop in the order of the events, plain functions in a pool
    of threads in any order.
    """

    async def callback(event: Any) -> None:
        action(event)

    return callback


#: Of these only the newest matters.
_NEWEST_ONLY = frozenset({Act.TARGET, Act.JOINTS, Act.JOG})


class Inbox:
    """Queue of events that any thread may fill and one worker empties.

    Args:
        view_only: drop every event.
    """

    def __init__(self, view_only: bool = False) -> None:
        self.view_only = view_only
        self._queue: queue.SimpleQueue[Event] = queue.SimpleQueue()

    def put(self, act: Act, value: Any = None) -> None:
        """Add an event; in a page for viewing only it is dropped."""
        if not self.view_only:
            self._queue.put(Event(act, value))

    def drain(self) -> list[Event]:
        """Take all events out, in order; of a run of targets, poses or jogs only the newest."""
        events: list[Event] = []
        while True:
            try:
                event = self._queue.get_nowait()
            except queue.Empty:
                return events
            if events and event.act is events[-1].act and event.act in _NEWEST_ONLY:
                events.pop()
            events.append(event)
