"""Reads joint angles from the servos, and sends them goals that keep every limit.

A goal that is sent is a whole tick inside the hard range, never farther from the last one than the
joint's speed allows, and it is sent only when a tick changed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from planar_arm_ik.servo.buses.bus import ServoBus
from planar_arm_ik.servo.calibration.calibration import JointCalibration

#: A servo's own speed limit is this much above the joint's, so that it can keep up.
_SPEED_MARGIN = 1.5


class Axes:
    """The joints of an arm on a bus.

    Args:
        bus: the servos.
        joints: calibration of every joint.
    """

    def __init__(self, bus: ServoBus, joints: Sequence[JointCalibration]) -> None:
        self._bus = bus
        self._joints = joints
        self._direction = [0] * len(joints)
        self._seen: list[int] | None = None
        self.sent: list[int] = []

    @property
    def driven(self) -> bool:
        """Whether the servos' places are known: read, or given by pulses that already run."""
        return self._seen is not None

    def forget(self) -> None:
        """Drop all that was read and sent: the bus was closed."""
        self._seen = None
        self.sent = []

    def read(self) -> list[float] | None:
        """Joint angles [rad]: measured, or those of running pulses; None when nobody knows.

        Raises:
            BusError: the bus failed.
        """
        ticks = self._bus.read()
        if ticks is None:
            self._seen = None
            return None
        self._seen = [self._unwrap(k, value) for k, value in enumerate(ticks)]
        resolution = self._bus.resolution
        return [
            joint.to_angle(value * resolution, direction)
            for joint, value, direction in zip(
                self._joints, self._seen, self._direction, strict=True
            )
        ]

    def outside(self, position: Sequence[float]) -> str:
        """Say which joint is measured outside its limits, if any; angles [rad]."""
        for joint, q in zip(self._joints, position, strict=True):
            if self._bus.feedback and not joint.lower <= q <= joint.upper:
                return (
                    f"{joint.joint} is at {q:.4f} rad, outside [{joint.lower:.4f}, "
                    f"{joint.upper:.4f}]: move it inside by hand, then enable"
                )
        return ""

    def hold_here(self, position: Sequence[float]) -> None:
        """Make the present place the next goal: exactly as read, else of an assumed pose.

        Args:
            position: assumed joint angles [rad].
        """
        self._direction = [0] * len(self._joints)
        if self._seen is not None:
            self.sent = [self._clip(k, value) for k, value in enumerate(self._seen)]
        else:
            self.sent = [self._ticks(k, q) for k, q in enumerate(position)]

    def energise(self, joint: int) -> None:
        """Switch one joint on, at the goal of :meth:`hold_here`."""
        one = self._joints[joint]
        self._bus.energise(joint, self.sent[joint], _SPEED_MARGIN * self._tick_speed(one))

    def send(self, position: Sequence[float], velocity: Sequence[float], dt: float) -> None:
        """Send the goals of a set point.

        Args:
            position: set point [rad].
            velocity: its velocity [rad/s]; the sign picks the side of the play.
            dt: time since the last one [s].
        """
        goals = []
        for k, (joint, q) in enumerate(zip(self._joints, position, strict=True)):
            if velocity[k] != 0.0:
                self._direction[k] = joint.raw_sign * int(math.copysign(1.0, velocity[k]))
            reach = math.ceil(self._tick_speed(joint) * dt)
            last = self.sent[k]
            goals.append(min(max(self._ticks(k, q), last - reach), last + reach))
        if goals != self.sent:
            self._bus.write(goals)
            self.sent = goals

    def _tick_speed(self, joint: JointCalibration) -> float:
        return joint.max_speed * joint.raw_per_radian / self._bus.resolution

    def _ticks(self, joint: int, q: float) -> int:
        raw = self._joints[joint].to_raw(q, self._direction[joint])
        return self._clip(joint, round(raw / self._bus.resolution))

    def _clip(self, joint: int, ticks: int) -> int:
        """The hard clamp, last: whole ticks inside the hard range."""
        one, resolution = self._joints[joint], self._bus.resolution
        low, high = math.ceil(one.raw_min / resolution), math.floor(one.raw_max / resolution)
        return min(max(ticks, low), high)

    def _unwrap(self, joint: int, ticks: int) -> int:
        """Reading plus whole turns, nearest to the last one; at first to the range's middle."""
        turn = self._bus.turn
        if turn is None:
            return ticks
        one = self._joints[joint]
        near = 0.5 * (one.raw_min + one.raw_max) / self._bus.resolution
        if self._seen is not None:
            near = self._seen[joint]
        return ticks + turn * math.floor((near - ticks) / turn + 0.5)
