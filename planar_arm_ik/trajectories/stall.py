"""Whether an arm stands still although its trajectory moves.

A controller that was deactivated, or motors that were switched off, still listen: nothing but the
arm itself tells. It may be late by up to `lag`, so it is measured against the least that the plan
moved in any window of the same length that ended within the last `lag`. An arm that has not begun
is left to the path tolerance: a start may be late for many reasons.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Planned motion in the window below which nothing can be told [rad].
_LEAST = 0.01

#: An arm that moves by less than this part of the plan stands still.
_PART = 0.1

#: Windows of the last `lag` that are looked at.
_LOOKS = 8


class StallWatch:
    """Compares how far the arm and its plan moved lately.

    Args:
        trajectory: what the arm is to follow; its time 0 is the time 0 of :meth:`missed`.

    Attributes:
        begun: whether the arm has moved since the first state.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self._states: deque[tuple[float, Array]] = deque()
        self._first: Array | None = None
        self.begun = False

    def missed(self, received: float, q: Array, lag: float, window: float) -> float:
        """Motion that the plan made and the arm did not [rad], 0 while it moves.

        Args:
            received: time at which the state came in [s].
            q: measured joint angles [rad], shape (2,).
            lag: how late the arm may be [s].
            window: time over which both are compared [s].
        """
        if self._first is None:
            self._first = q
        self.begun = self.begun or float(np.abs(q - self._first).max()) > _LEAST
        states = self._states
        if not states or received > states[-1][0]:
            states.append((received, q))
        while len(states) > 1 and states[1][0] <= received - window:
            states.popleft()
        begin, before = states[0]
        if not self.begun or received - begin < window:
            return 0.0
        late = np.linspace(0.0, lag, _LOOKS)
        then, _, _ = self._trajectory.states(begin - late)
        now, _, _ = self._trajectory.states(received - late)
        planned = float(np.abs(now - then).max(axis=1).min())
        moved = float(np.abs(q - before).max())
        return planned if planned > _LEAST and moved < _PART * planned else 0.0
