"""What a servo arm reports after each bus cycle."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from planar_arm_ik.servo.buses.bus import ServoHealth


class ArmState(IntEnum):
    """What the driver does with the servos."""

    LIMP = 0
    ENABLED = 1
    HOMING = 2
    STOPPING = 3
    CLOSED = 4
    FAULT = -1


@dataclass(frozen=True)
class ArmReport:
    """What is known after one cycle.

    Args:
        state: of the driver.
        position: joint angles [rad]; None before the first reading and in a fault.
        fresh: whether `position` belongs to this cycle.
        measured: whether it was read, or only commanded (estimated).
        setpoint: last set point [rad].
        gate_open: whether commands are followed.
        misses: bad cycles in a row.
        total_misses: bad cycles since the start.
        reason: why it is in a fault, or what the last bad cycle said.
        ticks: goals last sent.
        health: of each servo, as last asked.
    """

    state: ArmState = ArmState.LIMP
    position: tuple[float, ...] | None = None
    fresh: bool = False
    measured: bool = True
    setpoint: tuple[float, ...] = ()
    gate_open: bool = False
    misses: int = 0
    total_misses: int = 0
    reason: str = ""
    ticks: tuple[int, ...] = ()
    health: tuple[ServoHealth, ...] = ()
