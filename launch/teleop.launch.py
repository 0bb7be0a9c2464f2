"""Bring-up with a follower that also listens to ``cmd_vel``, for keyboards and joysticks."""

from planar_arm_ik.launching.bringup import bringup_description


def generate_launch_description():
    """Describe what starts: as bringup, with other defaults."""
    return bringup_description(accept_cmd_vel="true", view="true")
