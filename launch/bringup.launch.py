"""One arm, ready to use: driver or controllers, solver, executor, follower, and views."""

from planar_arm_ik.launching.bringup import bringup_description


def generate_launch_description():
    """Describe what starts; ``ros2 launch planar_arm_ik bringup.launch.py -s`` lists arguments."""
    return bringup_description()
