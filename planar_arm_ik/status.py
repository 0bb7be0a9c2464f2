"""The one vocabulary of outcomes, from the mathematics to the topics.

Negative means no answer, zero fine, positive an answer with a warning. The same numbers are the
constants of the messages in ``planar_arm_ik_interfaces``; a test compares the two.
"""

from __future__ import annotations

from enum import IntEnum


class IkStatus(IntEnum):
    """Outcome of an inverse-kinematics or path request."""

    OK = 0
    SINGULAR = 1
    TOO_FAR = -1
    TOO_CLOSE = -2
    JOINT_LIMIT = -3
    BRANCH_UNAVAILABLE = -4
    JOINT_STEP = -5
    INVALID_INPUT = -6
    FRAME = -7
    NO_STATE = -8
    COLLISION = -9
    LINE_TOLERANCE = -10
    BRANCH_SWITCH = -11
    CANCELED = -12
    PREEMPTED = -13
    PATH_TOLERANCE = -14
    GOAL_TOLERANCE = -15
    CONTROLLER = -16
    TIMING = -17


class FollowerState(IntEnum):
    """What the twist follower is doing, or why it does nothing."""

    OK = 0
    SLOWED = 1
    ESCAPING = 2
    AT_LIMIT = 3
    IDLE = 4
    NO_STATE = -1
    STALE_STATE = -2
    STALE_COMMAND = -3
    INVALID_INPUT = -4
    FRAME = -5
    STATE_JUMP = -6
    CLOCK = -7
    PAUSED = -8
    PATH_ACTIVE = -9


class Branch(IntEnum):
    """Elbow branch: the sign of sin(q2). NONE stands for no answer."""

    POSITIVE = 1
    NEGATIVE = -1
    NONE = 0

    @property
    def other(self) -> Branch:
        """The opposite elbow (NONE stays NONE)."""
        return Branch(-self.value)
