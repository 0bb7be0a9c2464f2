"""The words of a view: what the arm can do at a target, said honestly and in few words."""

from __future__ import annotations

import math
from dataclasses import dataclass

from planar_arm_ik.inverse.solution import IkCandidate, IkSolution
from planar_arm_ik.scene.colours import Colour, Palette
from planar_arm_ik.status import Branch, IkStatus


@dataclass(frozen=True)
class StatusText:
    """What to print about a target or a motion.

    Args:
        mark: one character that tells the kind without colour.
        title: a few words.
        detail: one sentence, may be empty.
        colour: colour of mark and title.
    """

    mark: str
    title: str
    detail: str
    colour: Colour

    @property
    def line(self) -> str:
        """Mark and title in one line."""
        return f"{self.mark} {self.title}"


def good(title: str, detail: str = "") -> StatusText:
    """Text about something that works."""
    return StatusText("✓", title, detail, Palette.GOOD)


def warning(title: str, detail: str = "") -> StatusText:
    """Text about something that works with a reservation."""
    return StatusText("!", title, detail, Palette.WARNING)


def refused(title: str, detail: str = "") -> StatusText:
    """Text about something that does not work."""
    return StatusText("✕", title, detail, Palette.REFUSED)


_REFUSALS = {
    IkStatus.JOINT_LIMIT: "beyond a joint limit",
    IkStatus.BRANCH_UNAVAILABLE: "not with this elbow",
    IkStatus.JOINT_STEP: "too large a joint step",
    IkStatus.INVALID_INPUT: "not a valid request",
}


def solution_text(solution: IkSolution) -> StatusText:
    """Say what inverse kinematics found for a target.

    A collision names the shape and how deep the shallower elbow is in it. Too far and too close
    come with the missing metres; a target that is out of reach is never said to be short by
    0.000 m.
    """
    if solution.status is IkStatus.TOO_FAR:
        return refused(f"too far by {millimetres(solution.shortfall)}", solution.message)
    if solution.status is IkStatus.TOO_CLOSE:
        return refused(f"too close by {millimetres(-solution.shortfall)}", solution.message)
    if solution.status is IkStatus.COLLISION:
        touching = [c for c in solution.candidates if c.status is IkStatus.COLLISION]
        nearest = max(touching, key=lambda candidate: candidate.clearance)
        return refused(candidate_refusal(nearest), solution.message)
    if not solution.ok:
        return refused(_refusal(solution.status), solution.message)
    elbow = elbow_name(solution.branch)
    if solution.status is IkStatus.SINGULAR:
        return warning(f"reached, nearly singular ({elbow})", solution.message)
    return good(f"reached, {elbow}", both_angles(solution))


def candidate_refusal(candidate: IkCandidate) -> str:
    """Why an elbow that is not usable is not, in a few words."""
    if candidate.status is IkStatus.COLLISION:
        return f"touches {candidate.obstacle}, {millimetres(-candidate.clearance)} deep"
    return _refusal(candidate.status)


def _refusal(status: IkStatus) -> str:
    return _REFUSALS.get(status, status.name.lower().replace("_", " "))


def millimetres(missing: float) -> str:
    """A missing distance [m], positive, to the millimetre; a smaller one is said to be smaller."""
    return "less than 0.001 m" if missing < 0.001 else f"{missing:.3f} m"


def elbow_name(branch: Branch) -> str:
    """The elbow in words."""
    if branch is Branch.NONE:
        return "arm straight or folded"
    return f"{branch.name.lower()} elbow"


def both_angles(solution: IkSolution) -> str:
    """The chosen joint angles in degrees, and what became of the other elbow."""
    if solution.q is None:
        return ""
    text = f"q = {degrees_text(solution.q[0])}, {degrees_text(solution.q[1])}"
    for candidate in solution.candidates:
        if candidate.branch is not solution.branch and not candidate.usable:
            text += f"; {elbow_name(candidate.branch)}: {candidate_refusal(candidate)}"
    return text


def degrees_text(angle: float) -> str:
    """An angle [rad] in degrees with one decimal, never minus zero."""
    return f"{round(math.degrees(angle), 1) + 0.0:.1f}°"
