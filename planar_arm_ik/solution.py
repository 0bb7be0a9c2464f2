"""What inverse kinematics returns: plain values, with a status each."""

from __future__ import annotations

from dataclasses import dataclass

from planar_arm_ik.arm import Array
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
    """

    branch: Branch
    q: Array
    status: IkStatus
    limiting_joint: str
    limit_margin: float
    distance: float
    position_error: float

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
        nearest_point: closest point of the reachable ring to the target (x, y) [m], or None when
            the target itself is within reach or invalid.
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
