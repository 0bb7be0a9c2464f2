"""Arms that every sweep goes over: longer first link, longer second link, equal links."""

from __future__ import annotations

from math import radians

from planar_arm_ik import JointLimits, PlanarArm
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle, Polygon

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

#: Keep-out shapes within the reach of the default arm.
SHAPES = Obstacles(
    (
        Circle("post", 0.3, 0.2, 0.05),
        Polygon("box", ((-0.3, 0.1), (-0.1, 0.1), (-0.1, 0.2))),
        Polygon("far", ((-0.5, -0.3), (-0.4, -0.6), (-0.2, -0.35), (-0.3, -0.2))),
    ),
    0.02,
)
