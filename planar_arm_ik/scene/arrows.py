"""Commanded, achieved and residual tip velocity as arrows from the tip."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.scene.colours import Colour, Palette


@dataclass(frozen=True, eq=False)
class Arrow:
    """One arrow in the base frame.

    Args:
        name: commanded, achieved or residual.
        start: tail (x, y) [m], shape (2,).
        end: head (x, y) [m], shape (2,).
        colour: colour by name.
        visible: whether it is long enough to draw.
    """

    name: str
    start: Array
    end: Array
    colour: Colour
    visible: bool


def velocity_arrows(
    tip: ArrayLike,
    commanded: ArrayLike,
    achieved: ArrayLike,
    residual: ArrayLike,
    seconds: float = 1.0,
    longest: float = math.inf,
    shortest: float = 1e-3,
) -> tuple[Arrow, ...]:
    """Draw velocities as the way the tip would go in a time.

    Commanded and achieved start at the tip; the residual starts at the head of the achieved one,
    so that the three close a triangle (commanded = achieved + residual).

    Args:
        tip: tip position (x, y) [m].
        commanded: commanded tip velocity [m/s], (2,).
        achieved: achieved tip velocity [m/s], (2,).
        residual: the difference [m/s], (2,).
        seconds: length of an arrow per speed [s].
        longest: all three shrink together so that none is longer [m].
        shortest: shorter arrows are not visible [m].

    Returns:
        The three arrows, always in this order.
    """
    origin = np.asarray(tip, dtype=np.float64)
    vectors = seconds * np.array([commanded, achieved, residual], dtype=np.float64)
    length = float(np.hypot(*vectors.T).max())
    if length > longest:
        vectors *= longest / length
    starts = (origin, origin, origin + vectors[1])
    colours = (Palette.COMMANDED, Palette.ACHIEVED, Palette.RESIDUAL)
    return tuple(
        Arrow(name, start, start + vector, colour, bool(np.hypot(*vector) >= shortest))
        for name, start, vector, colour in zip(
            ("commanded", "achieved", "residual"), starts, vectors, colours, strict=True
        )
    )
