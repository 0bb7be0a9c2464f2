"""A twist becomes joint velocities, cycle by cycle, within every limit.

May import: inverse, arm. Open ``cycle`` first (the steps), then ``policies``, ``follower``.
"""

from planar_arm_ik.following.differential import VelocityStep, damped_step

__all__ = ["VelocityStep", "damped_step"]
