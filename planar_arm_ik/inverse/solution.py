"""What inverse kinematics returns: plain values that do not change, with a status each.

Named tuples: a whole solution with frozen dataclasses took two fifths more time. Each is equal to
itself only, since arrays have no truth value.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeVar

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.status import Branch, IkStatus

_Class = TypeVar("_Class")


def _equal_to_itself_only(cls: type[_Class]) -> type[_Class]:
    """Let a tuple compare and hash as an object does."""
    for name in ("__eq__", "__ne__", "__hash__"):
        setattr(cls, name, getattr(object, name))
    return cls


@_equal_to_itself_only
class IkCandidate(NamedTuple):
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


@_equal_to_itself_only
class IkSolution(NamedTuple):
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
