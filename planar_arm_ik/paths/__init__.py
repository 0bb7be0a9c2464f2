"""Waypoints: a coherent branch along them; jumps found, avoided or refused.

May import: batch, inverse and below. Open ``planner`` first: it is the list of steps.
"""

from planar_arm_ik.paths.plan import PathPlan
from planar_arm_ik.paths.planner import plan_path

__all__ = ["PathPlan", "plan_path"]
