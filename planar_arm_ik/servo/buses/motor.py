"""How a servo moves: the model behind the simulated bus and behind the emulated wires."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class Motor:
    """One servo's shaft, in ticks.

    Args:
        position: where the motor is.
        top_speed: what the motor can do at most [ticks/s]; 0 for no limit.
        lag: time constant with which it follows its goal [s]; 0 for none.
        backlash: play between motor and output [ticks].
    """

    position: float
    top_speed: float = 3000.0
    lag: float = 0.0
    backlash: float = 0.0

    def __post_init__(self) -> None:
        self.output = self.position
        self.goal = self.position
        self.speed = 0.0
        self.torque = False
        self.jammed = False

    def advance(self, dt: float) -> None:
        """Move for `dt` seconds toward the goal; a limp or jammed motor stays."""
        if not self.torque or self.jammed or dt <= 0.0:
            return
        limit = min(self.speed or math.inf, self.top_speed or math.inf) * dt
        wanted = self.goal - self.position
        if self.lag > 0.0:
            wanted *= 1.0 - math.exp(-dt / self.lag)
        self.position += min(max(wanted, -limit), limit)
        play = 0.5 * self.backlash
        self.output = min(max(self.output, self.position - play), self.position + play)

    def place(self, position: float) -> None:
        """Turn the output by hand."""
        self.position = self.output = position
