"""The settings of one cycle: the arm, its joint limits, its damping law and its limit policy."""

from __future__ import annotations

from typing import NamedTuple

from planar_arm_ik.following.braking import JointBounds
from planar_arm_ik.following.desired import Law


class Model(NamedTuple):
    """What a cycle needs to know about arm and policy; made once by the follower's configuration.

    Args:
        l1: length of link 1 [m].
        l2: length of link 2 [m].
        joint1: limits of the shoulder.
        joint2: limits of the elbow.
        margin: distance [rad] to a position limit at which the arm is to stop.
        law: the damping law.
        project: take the least-squares answer in the box instead of keeping the direction.
        period: time between two cycles [s].
    """

    l1: float
    l2: float
    joint1: JointBounds
    joint2: JointBounds
    margin: float
    law: Law
    project: bool
    period: float
