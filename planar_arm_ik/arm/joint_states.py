"""Measured joint states, collected by name from messages that may be partial or in any order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planar_arm_ik.arm.planar_arm import LARGEST_ANGLE, Array


@dataclass(frozen=True, eq=False)
class MeasuredState:
    """A full state of both joints.

    Args:
        q: joint angles [rad], shape (2,).
        qd: joint velocities [rad/s], shape (2,); 0 where they were not reported.
        received: receipt time of the older joint's value by the monotonic clock [s].
    """

    q: Array
    qd: Array
    received: float


def both_angles(
    joint_names: tuple[str, str], names: Sequence[str], positions: Sequence[float]
) -> tuple[float, float] | None:
    """Angles of both joints from one message, found by name.

    Args:
        joint_names: the two joints.
        names: joint names, in any order, others among them.
        positions: angles [rad], as many as names; those that are not finite or beyond
            LARGEST_ANGLE are ignored.

    Returns:
        (q1, q2) [rad], or None when one is missing or the lengths differ.
    """
    if len(positions) != len(names):
        return None
    first, second = joint_names
    q1 = q2 = None
    for name, value in zip(names, positions, strict=True):
        if not abs(value) <= LARGEST_ANGLE:  # NaN, too
            continue
        if name == first:
            q1 = value
        elif name == second:
            q2 = value
    return None if q1 is None or q2 is None else (q1, q2)


class JointStateMerger:
    """Merges joint-state messages into the state of two named joints.

    Positions that are not finite, or so large that a double no longer tells angles apart, are
    ignored; velocities that are not finite are normal and count as 0. A message whose arrays do
    not fit its names is ignored as a whole.
    """

    def __init__(self, joint_names: tuple[str, str]) -> None:
        self._index = {name: index for index, name in enumerate(joint_names)}
        self._q = [math.nan, math.nan]
        self._qd = [0.0, 0.0]
        self._received = [-math.inf, -math.inf]

    def update(
        self,
        names: Sequence[str],
        positions: Sequence[float],
        velocities: Sequence[float],
        received: float,
    ) -> str:
        """Take one message.

        Args:
            names: joint names, in any order, others among them.
            positions: angles [rad], as many as names.
            velocities: speeds [rad/s], as many as names, or none.
            received: receipt time by the monotonic clock [s].

        Returns:
            Why the message was ignored as a whole; "" when it was not.
        """
        if len(positions) != len(names) or len(velocities) not in (0, len(names)):
            return (
                f"joint state ignored: {len(names)} names, {len(positions)} positions, "
                f"{len(velocities)} velocities; the lengths must agree"
            )
        for place, name in enumerate(names):
            index = self._index.get(name)
            if index is None or not abs(positions[place]) <= LARGEST_ANGLE:  # NaN, too
                continue
            self._q[index] = float(positions[place])
            speed = float(velocities[place]) if velocities else 0.0
            self._qd[index] = speed if math.isfinite(speed) else 0.0
            self._received[index] = received
        return ""

    @property
    def received(self) -> float:
        """Receipt time of the older joint's value by the monotonic clock [s]; -inf before both."""
        return min(self._received)

    @property
    def position(self) -> tuple[float, float] | None:
        """Joint angles [rad] as plain floats once both joints have been heard of, else None."""
        q1, q2 = self._q
        return None if math.isnan(q1) or math.isnan(q2) else (q1, q2)

    @property
    def state(self) -> MeasuredState | None:
        """The state once both joints have been heard of, else None."""
        received = min(self._received)
        if received == -math.inf:
            return None
        return MeasuredState(np.array(self._q), np.array(self._qd), received)
