"""Measured joint states, collected by name from messages that may be partial or in any order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planar_arm_ik.arm.planar_arm import LARGEST_ANGLE, Array, JointLimits

#: Measured this far outside its limits [rad] an angle is no state of the arm.
STATE_TOLERANCE = 0.1
#: Turns of a continuous joint beyond which a measured angle is no state of the arm.
MOST_TURNS = 100


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


def impossible(name: str, angle: float, limits: JointLimits) -> str:
    """Why a measured angle cannot be a state of the joint; "" when it can.

    Args:
        name: of the joint.
        angle: measured [rad].
        limits: of the joint; :data:`STATE_TOLERANCE` outside them an arm may still hang.
    """
    far = MOST_TURNS * 2.0 * math.pi
    lower, upper = max(limits.lower, -far), min(limits.upper, far)
    beyond = max(lower - angle, angle - upper)
    if beyond <= STATE_TOLERANCE:
        return ""
    cause = "is it another arm's, or a wrong zero?"
    if (
        not limits.continuous
        and abs(angle) > 2.0 * math.pi
        and lower <= math.radians(angle) <= upper
    ):
        cause = "degrees instead of radians?"
    elif abs(angle) > 4.0 * math.pi:
        cause = "raw counts instead of radians?"
    return (
        f"joint state ignored: {name} = {angle:.6g} rad is {beyond:.3g} rad outside "
        f"[{lower:.6g}, {upper:.6g}], more than {STATE_TOLERANCE} rad: {cause}"
    )


class JointStateMerger:
    """Merges joint-state messages into the state of two named joints.

    Positions that are not finite, or so large that a double no longer tells angles apart, are
    ignored; velocities that are not finite are normal and count as 0. A message whose arrays do
    not fit its names, or that names a joint twice, is ignored as a whole.

    Args:
        joint_names: the two joints.
        limits: of both joints, when a state that cannot be is to be refused.
    """

    def __init__(self, joint_names: tuple[str, str], limits: Sequence[JointLimits] = ()) -> None:
        self._limits = tuple(limits)
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
            Why the message, or a joint of it, was ignored; "" when it was not.
        """
        if len(positions) != len(names) or len(velocities) not in (0, len(names)):
            return (
                f"joint state ignored: {len(names)} names, {len(positions)} positions, "
                f"{len(velocities)} velocities; the lengths must agree"
            )
        if len(set(names)) != len(names):
            twice = next(name for name in names if list(names).count(name) > 1)
            return f"joint state ignored: it names {twice!r} twice"
        problem = ""
        for place, name in enumerate(names):
            index = self._index.get(name)
            if index is None or not abs(positions[place]) <= LARGEST_ANGLE:  # NaN, too
                continue
            if self._limits:
                unlikely = impossible(name, float(positions[place]), self._limits[index])
                if unlikely:
                    problem = unlikely
                    continue
            self._q[index] = float(positions[place])
            speed = float(velocities[place]) if velocities else 0.0
            self._qd[index] = speed if math.isfinite(speed) else 0.0
            self._received[index] = received
        return problem

    def missing(self) -> tuple[str, ...]:
        """Names of the joints that have not been heard of."""
        return tuple(name for name, index in self._index.items() if math.isnan(self._q[index]))

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
