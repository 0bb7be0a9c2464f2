"""Shapes in the plane that the links must not touch, and whether they do.

May import: arm. Open ``obstacles`` first, then ``collision`` (motions) and ``shapes``.
"""

from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle, Polygon

__all__ = ["Circle", "Obstacles", "Polygon"]
