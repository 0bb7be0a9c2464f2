"""The arguments of the launch files: one table, so that each is described once."""

from __future__ import annotations

from typing import Any

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.launch_context import LaunchContext

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.launching.arm import LaunchedArm
from planar_arm_ik.launching.plan import CONTROLS, HARDWARE

#: Argument: default, description.
_TABLE = {
    "name": ("", "name of the arm: its namespace, and with _ the prefix of joints and links"),
    "config": ("", "YAML file of the arm; empty for the installed config/arm.yaml"),
    "control": ("standalone", f"who plays trajectories: {', '.join(CONTROLS)}"),
    "hardware": ("sim", f"what moves the joints: {', '.join(HARDWARE)}"),
    "calibration": ("", "YAML file of the servos, for hardware that is not sim or mock"),
    "serial_port": ("", "serial port of the servos instead of the calibration's"),
    "rviz": ("false", "open RViz"),
    "view": ("false", "serve the browser page"),
    "view_port": ("8080", "first port to try for the browser page"),
    "accept_cmd_vel": ("false", "the follower also listens to cmd_vel (geometry_msgs/Twist)"),
    "sliders": ("true", "open a window with a slider per joint"),
}


def declared(names: tuple[str, ...], **defaults: str) -> list[DeclareLaunchArgument]:
    """Declare arguments by name, some with another default."""
    return [
        DeclareLaunchArgument(
            name, default_value=defaults.get(name, _TABLE[name][0]), description=_TABLE[name][1]
        )
        for name in names
    ]


def planned(names: tuple[str, ...], build: Any) -> OpaqueFunction:
    """Call ``build(arm)`` with the arguments' values when the launch runs.

    A value that breaks a rule ends the launch with one sentence.
    """

    def evaluate(context: LaunchContext) -> list[Any]:
        values = {name: context.launch_configurations[name] for name in names}
        try:
            actions: list[Any] = build(LaunchedArm(values))
        except PlanarArmError as error:
            raise RuntimeError(str(error)) from None
        return actions

    return OpaqueFunction(function=evaluate)
