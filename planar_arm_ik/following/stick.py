r"""Unitless commands: the deflection of a stick becomes a tip velocity.

A stick delivers components from -1 to 1. With s = (x, y, z) and r = |s|:

1. clamp: where a component is beyond 1, s is divided by the largest |component|. The direction
   stays, which clamping each component alone would turn.
2. circle: a square stick reaches (1, 1), a round one only r = 1; r is taken as 1 at most, so that
   a full stick is equally fast in every direction.
3. deadband d: nothing up to r = d, then (r - d) / (1 - d), so that the speed begins at 0.
4. expo e: (1 - e) r + e r^3, fine near the middle, the same at the ends.
"""

from __future__ import annotations

import math
from typing import NamedTuple

Vector = tuple[float, float, float]


class StickCommand(NamedTuple):
    """What a deflection asks for.

    Args:
        velocity: tip velocity [m/s], in the stick's own frame.
        largest: largest |component| the stick gave; beyond 1 it was clamped.
    """

    velocity: Vector
    largest: float

    @property
    def clamped(self) -> bool:
        """Whether a component was beyond 1."""
        return self.largest > 1.0

    @property
    def note(self) -> str:
        """What to tell the user about the clamp; empty without one."""
        if not self.clamped:
            return ""
        return f"unitless {self.largest:.3g} is beyond 1 and taken as 1, in its direction"


def stick_velocity(
    deflection: Vector, scale: float, deadband: float = 0.0, expo: float = 0.0
) -> StickCommand:
    """Tip velocity of a stick's deflection.

    Args:
        deflection: components, from -1 to 1; finite.
        scale: tip speed of a full stick [m/s].
        deadband: deflections up to this ask for nothing, in [0, 1).
        expo: part of the cubic curve, in [0, 1].

    Returns:
        The velocity, never faster than `scale`, and whether a component was clamped.
    """
    largest = max(map(abs, deflection))
    within = [component / max(largest, 1.0) for component in deflection]
    length = math.hypot(*within)
    r = min(length, 1.0)
    if r <= deadband:
        return StickCommand((0.0, 0.0, 0.0), largest)
    r = (r - deadband) / (1.0 - deadband)
    factor = scale * ((1.0 - expo) * r + expo * r**3) / length
    x, y, z = (factor * component for component in within)
    return StickCommand((x, y, z), largest)
