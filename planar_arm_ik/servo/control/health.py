"""Asks the servos for voltage, temperature and torque, one after the other."""

from __future__ import annotations

import math

from planar_arm_ik.servo.buses.bus import ServoBus, ServoHealth

_PERIOD = 0.25


class HealthRound:
    """Asks one servo every quarter of a second.

    Args:
        bus: the servos.
        count: how many there are.
    """

    def __init__(self, bus: ServoBus, count: int) -> None:
        self._bus = bus
        self._next = 0
        self._due = -math.inf
        self.known = (ServoHealth(),) * count

    def turn(self, now: float, torque: bool) -> tuple[ServoHealth, ...]:
        """Ask the next servo when it is time.

        Args:
            now: time [s].
            torque: whether the servos ought to hold.

        Returns:
            What every servo said last.

        Raises:
            BusError: it did not answer, or it is not as it ought to be.
        """
        if now >= self._due:
            self._due = now + _PERIOD
            joint = self._next
            self._next = (joint + 1) % len(self.known)
            health = list(self.known)
            health[joint] = self._bus.check(joint, torque)
            self.known = tuple(health)
        return self.known
