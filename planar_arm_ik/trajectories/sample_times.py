"""When a trajectory has its points: evenly, and where the acceleration switches.

A controller runs a cubic between two points. Across a switch of the acceleration it would
overshoot it by up to one half, so a point stands on every switch.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from planar_arm_ik.arm.planar_arm import Array

#: Largest time between two trajectory points [s].
SPACING = 0.02

#: Shortest time between two trajectory points [s].
SHORTEST = 0.001

#: Switches closer than this to another or to an end get no point of their own [s].
NEAR = 0.004


def sample_times(switches: Array, end: float, spacing: float = SPACING) -> Array:
    """Choose times from 0 to `end`.

    Args:
        switches: times that get a point, increasing [s].
        end: last time [s]; positive.
        spacing: largest time between two points [s].

    Returns:
        Increasing times from 0 to `end` [s].
    """
    marks = [0.0]
    for t in switches.tolist():
        if t - marks[-1] >= NEAR and end - t >= NEAR:
            marks.append(t)
    marks.append(end)
    parts = [
        np.linspace(a, b, max(1, math.ceil((b - a) / spacing - 1e-9)), endpoint=False)
        for a, b in pairwise(marks)
    ]
    return np.concatenate((*parts, [end]))
