"""A path as a picture: pieces coloured by elbow, and the jumps between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.scene.colours import Colour, branch_colour
from planar_arm_ik.status import Branch

#: A joint step above this is drawn as a jump [rad].
JUMP = 0.5


@dataclass(frozen=True, eq=False)
class Piece:
    """Neighbouring points of a path on one elbow.

    Args:
        branch: the elbow.
        points: tip positions (x, y) [m], shape (P, 2).
        colour: colour of the branch.
    """

    branch: Branch
    points: Array
    colour: Colour


@dataclass(frozen=True, eq=False)
class Jump:
    """A step of a path that the arm cannot follow along the path.

    Args:
        index: the jump lies between this point and the next.
        place: midway between both tips (x, y) [m], shape (2,).
        step: joint step [rad], shape (2,).
        text: both step angles in degrees.
    """

    index: int
    place: Array
    step: Array
    text: str


@dataclass(frozen=True, eq=False)
class PathPicture:
    """Pieces and jumps of one joint path."""

    pieces: tuple[Piece, ...]
    jumps: tuple[Jump, ...]


def path_picture(arm: PlanarArm, q: ArrayLike, branches: ArrayLike) -> PathPicture:
    """Cut a joint path where the elbow changes or a joint leaps.

    Args:
        arm: the arm.
        q: joint angles [rad], shape (M, 2).
        branches: elbow per row, shape (M,).

    Returns:
        The picture; empty for an empty path.
    """
    angles = np.asarray(q, dtype=np.float64).reshape(-1, 2)
    elbows = np.asarray(branches, dtype=np.int64)
    tips = arm.forward(angles)
    steps = np.abs(np.diff(angles, axis=0))
    leaps = (steps.max(axis=1, initial=0.0) > JUMP) | (np.diff(elbows) != 0)
    cuts = np.flatnonzero(leaps)
    bounds = (0, *(int(cut) + 1 for cut in cuts), len(angles))
    pieces = tuple(
        Piece(Branch(int(elbows[a])), tips[a:b], branch_colour(Branch(int(elbows[a]))))
        for a, b in pairwise(bounds)
        if b > a
    )
    jumps = tuple(
        Jump(int(i), 0.5 * (tips[i] + tips[i + 1]), steps[i], step_text(steps[i])) for i in cuts
    )
    return PathPicture(pieces, jumps)


def step_text(step: ArrayLike) -> str:
    """A joint step [rad] as 'jump of 82.2° and 194.4°'."""
    first, second = (math.degrees(float(angle)) for angle in np.asarray(step))
    return f"jump of {first:.1f}° and {second:.1f}°"
