"""What inverse kinematics returns: plain values, with a status each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.status import Branch, IkStatus


@dataclass(frozen=True, eq=False, slots=True)
class IkCandidate:
    """One elbow branch for one target.

    Args:
        branch: which elbow, by the sign of sin(q2).
        q: joint angles [rad], shape (2,), in the representation nearest the seed. For JOINT_LIMIT
            these are the angles the target wants, outside the limits.
        status: OK or SINGULAR when usable, else why not.
        limiting_joint: "joint1" or "joint2" for JOINT_LIMIT, else "".
        limit_margin: distance to the nearest joint limit [rad]; negative when beyond it, inf for
            unbounded joints.
        distance: weighted joint distance to the seed, or to (0, 0) without one.
        position_error: distance between forward(q) and the target [m].
        clearance: signed distance from the nearest keep-out shape [m]; inf without shapes.
        obstacle: name of that shape, "" without shapes.
    """

    branch: Branch
    q: Array
    status: IkStatus
    limiting_joint: str
    limit_margin: float
    distance: float
    position_error: float
    clearance: float = math.inf
    obstacle: str = ""

    @property
    def usable(self) -> bool:
        """Whether a rule may choose this candidate."""
        return self.status >= 0


@dataclass(frozen=True, eq=False, slots=True)
class IkSolution:
    """Answer for one target.

    Args:
        status: outcome; negative means there is no answer.
        q: chosen joint angles [rad], shape (2,), or None.
        branch: elbow of `q`; NONE without an answer.
        candidates: both elbows, positive first; empty when the target is out of reach or invalid.
        shortfall: metres missing: positive too far, negative too close, 0 within reach.
        nearest_point: the point nearest to the target that the arm reaches within its joint
            limits (x, y) [m]; None when the target is an answer, is refused for another reason
            than reach or limits, or is invalid.
        sigma_min: smallest singular value of the Jacobian at the target [m/rad]; the same for
            both elbows. 0 without candidates.
        message: one sentence; empty when the status is OK.
    """

    status: IkStatus
    q: Array | None
    branch: Branch
    candidates: tuple[IkCandidate, ...]
    shortfall: float
    nearest_point: tuple[float, float] | None
    sigma_min: float
    message: str

    @property
    def ok(self) -> bool:
        """Whether there is an answer (OK or SINGULAR)."""
        return self.status >= 0


class _CandidateDraft:
    __slots__ = IkCandidate.__slots__


class _SolutionDraft:
    __slots__ = IkSolution.__slots__


def candidate(
    branch: Branch,
    q: Array,
    status: IkStatus,
    limiting_joint: str,
    limit_margin: float,
    distance: float,
    position_error: float,
) -> IkCandidate:
    """Make an IkCandidate, four times faster than its constructor.

    A frozen dataclass sets each field through ``object.__setattr__``, which took a quarter of the
    time of a whole solution. A class with the same slots is filled instead, and becomes frozen.
    """
    draft: Any = _CandidateDraft()
    draft.branch = branch
    draft.q = q
    draft.status = status
    draft.limiting_joint = limiting_joint
    draft.limit_margin = limit_margin
    draft.distance = distance
    draft.position_error = position_error
    draft.clearance = math.inf
    draft.obstacle = ""
    draft.__class__ = IkCandidate
    made: IkCandidate = draft
    return made


def answer(
    chosen: IkCandidate,
    candidates: tuple[IkCandidate, ...],
    sigma_min: float,
    message: str,
) -> IkSolution:
    """Make the IkSolution that answers with one of its candidates; see :func:`candidate`."""
    draft: Any = _SolutionDraft()
    draft.status = chosen.status
    draft.q = chosen.q
    draft.branch = chosen.branch
    draft.candidates = candidates
    draft.shortfall = 0.0
    draft.nearest_point = None
    draft.sigma_min = sigma_min
    draft.message = message
    draft.__class__ = IkSolution
    made: IkSolution = draft
    return made
