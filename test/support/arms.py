"""Arms that every sweep goes over: longer first link, longer second link, equal links."""

from __future__ import annotations

from math import radians

from planar_arm_ik import JointLimits, PlanarArm

DEFAULT = PlanarArm(
    0.5,
    0.4,
    JointLimits(-radians(170.0), radians(170.0), 2.0, 8.0),
    JointLimits(-radians(150.0), radians(150.0), 2.0, 8.0),
)
LONG_FIRST = PlanarArm(0.3, 0.2)
LONG_SECOND = PlanarArm(0.25, 0.4)
EQUAL = PlanarArm(0.25, 0.25)
ALL = (DEFAULT, LONG_FIRST, LONG_SECOND, EQUAL)
