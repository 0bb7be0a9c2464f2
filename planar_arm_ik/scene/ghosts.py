"""Both elbows of a target as ghosts: two poses with colour, strength and a reason."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.inverse.solution import IkSolution
from planar_arm_ik.scene.colours import Colour, Palette, branch_colour
from planar_arm_ik.scene.texts import candidate_refusal
from planar_arm_ik.status import Branch


@dataclass(frozen=True, eq=False)
class Ghost:
    """One elbow of a target, ready to draw.

    Args:
        branch: the elbow.
        q: joint angles [rad], shape (2,).
        chosen: whether the rule chose this one.
        usable: whether a rule could choose it.
        colour: blue or orange by branch, grey when not usable.
        opacity: 0 to 1; the chosen one is the strongest.
        reason: in a few words why it is not usable, "" when it is.
    """

    branch: Branch
    q: Array
    chosen: bool
    usable: bool
    colour: Colour
    opacity: float
    reason: str = ""


def ghosts(solution: IkSolution) -> tuple[Ghost, ...]:
    """Both elbows of a solution; empty when the target is out of reach or invalid."""
    drawn = []
    for candidate in solution.candidates:
        chosen = solution.ok and candidate.branch is solution.branch
        usable = candidate.usable
        drawn.append(
            Ghost(
                candidate.branch,
                candidate.q,
                chosen,
                usable,
                branch_colour(candidate.branch) if usable else Palette.UNUSED,
                0.7 if chosen else 0.45 if usable else 0.2,
                "" if usable else f"✕ {candidate_refusal(candidate)}",
            )
        )
    return tuple(drawn)


def arm_points(arm: PlanarArm, q: Array) -> Array:
    """Shoulder, elbow and tip in the base frame [m]: q (..., 2) to (..., 3, 2)."""
    elbow, tip = arm.elbow(q), arm.forward(q)
    return np.stack((np.zeros_like(elbow), elbow, tip), axis=-2)
