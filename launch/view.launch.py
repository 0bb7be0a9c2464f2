"""The description alone: robot_state_publisher, a slider per joint, RViz."""

from launch import LaunchDescription

from planar_arm_ik.launching.arguments import declared, planned

ARGUMENTS = ("name", "config", "sliders", "rviz")


def generate_launch_description():
    """Describe what starts."""
    return LaunchDescription([*declared(ARGUMENTS, rviz="true"), planned(ARGUMENTS, view)])


def view(arm):
    """List the actions for one arm."""
    actions = [arm.state_publisher()]
    if arm.flag("sliders"):
        actions.append(arm.other_node("joint_state_publisher_gui", "joint_state_publisher_gui"))
    return actions + (arm.rviz() if arm.flag("rviz") else [])
