"""The arm itself: links, limits, forward kinematics, angles, reach and singularity.

May import: errors. Open ``planar_arm`` first. The ground floor of everything else.
"""

from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm

__all__ = ["JointLimits", "PlanarArm"]
