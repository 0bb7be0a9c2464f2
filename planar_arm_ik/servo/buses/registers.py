"""Which register of a bus servo holds what: one table for each family of servos."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Registers:
    """Where a family keeps what, and in which units; an address is that of the first byte.

    Args:
        id: id on the bus.
        unlock: register and value that let the id be written.
        lock: register and value that protect it again, where there is such a thing.
        mode: operating mode.
        position_mode: its value when goals are positions.
        torque: 1 to hold.
        speed: speed limit.
        speed_bytes: its width.
        speed_unit: one count of it [ticks/s].
        largest_speed: largest count of it.
        goal: goal position.
        position: present position.
        position_bytes: width of both.
        health: supply voltage [0.1 V], then temperature [deg C].
        voltage_bytes: width of the voltage.
    """

    id: int
    unlock: tuple[int, int]
    lock: tuple[int, int] | None
    mode: int
    position_mode: int
    torque: int
    speed: int
    speed_bytes: int
    speed_unit: float
    largest_speed: int
    goal: int
    position: int
    position_bytes: int
    health: int
    voltage_bytes: int
