"""Bring-up of one arm: driver or controllers first, then what commands them, then the views."""

from __future__ import annotations

from typing import Any

from launch import LaunchDescription
from launch.actions import RegisterEventHandler, SetLaunchConfiguration, Shutdown
from launch.event_handlers import OnProcessExit
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterFile

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.launching.arguments import declared, planned
from planar_arm_ik.launching.arm import LaunchedArm, installed, missing
from planar_arm_ik.launching.plan import BringupPlan, bringup_plan

ARGUMENTS = (
    "name",
    "config",
    "control",
    "hardware",
    "calibration",
    "serial_port",
    "rviz",
    "view",
    "view_port",
    "accept_cmd_vel",
)

_CONTROL_PACKAGES = (
    "controller_manager",
    "joint_state_broadcaster",
    "joint_trajectory_controller",
)


def bringup_description(*more: Any, **defaults: str) -> LaunchDescription:
    """The launch description of bring-up.

    Args:
        more: further actions.
        defaults: other defaults of arguments.
    """
    return LaunchDescription(
        [*declared(ARGUMENTS, **defaults), planned(ARGUMENTS, bringup_actions), *more]
    )


def bringup_actions(arm: LaunchedArm) -> list[Any]:
    """Everything bring-up starts, in order.

    Raises:
        PlanarArmError: the arguments do not go together.
    """
    plan = bringup_plan(arm.values["control"], arm.values["hardware"])
    first = [arm.state_publisher(plan.description_hardware)]
    last = _commanders(arm, plan) + _views(arm, plan)
    if not plan.controllers:
        return [*first, _driver(arm, plan), *last]
    return first + _controlled(arm, plan, last)


def _driver(arm: LaunchedArm, plan: BringupPlan) -> Node:
    """servo_driver; a simulated arm is enabled at once, a real one by a person."""
    hardware = arm.values["hardware"]
    return arm.node(
        "servo_driver",
        _remapped(plan) if plan.controllers else {},
        hardware=hardware,
        command_interface=plan.driver_interface,
        calibration=arm.values["calibration"],
        port=arm.values["serial_port"],
        enable_on_start=hardware == "sim",
    )


def _remapped(plan: BringupPlan) -> dict[str, str]:
    """Commands go where the plan says."""
    if plan.trajectory_topic == "joint_trajectory":
        return {}
    return {"joint_trajectory": plan.trajectory_topic}


def _commanders(arm: LaunchedArm, plan: BringupPlan) -> list[Any]:
    where, listens = _remapped(plan), arm.flag("accept_cmd_vel")
    settings = "teleop_keyboard.yaml" if listens else ""
    return [
        arm.node("ik_server"),
        arm.node("path_executor", where),
        arm.node("cartesian_follower", where, settings, accept_cmd_vel=listens),
    ]


def _views(arm: LaunchedArm, plan: BringupPlan) -> list[Any]:
    actions: list[Any] = []
    if arm.flag("view"):
        port = arm.values["view_port"]
        if not port.isdigit():
            raise PlanarArmError(f"view_port:={port} must be a port number")
        actions.append(arm.node("viewer", _remapped(plan), port=int(port)))
    return actions + (arm.rviz() if arm.flag("rviz") else [])


def _controlled(arm: LaunchedArm, plan: BringupPlan, last: list[Any]) -> list[Any]:
    """ros2_control: manager, broadcaster, driver; after the first state the controller, then all.

    The trajectory controller must not see the NaN that stands for "no state yet": fed then, it
    never recovers.
    """
    for package in _CONTROL_PACKAGES:
        if not installed(package):
            raise PlanarArmError(f"control:=ros2_control needs {missing(package)}")
    settings = ParameterFile(str(arm.share / "config" / "controllers.yaml"), allow_substs=True)
    manager = arm.other_node(
        "controller_manager",
        "ros2_control_node",
        parameters=[settings],
        remappings=[("~/robot_description", "robot_description")],
    )
    broadcaster = _spawner(arm, "joint_state_broadcaster")
    controller = _spawner(arm, "joint_trajectory_controller")
    waiting = arm.node("wait_for_state")
    driver = [_driver(arm, plan)] if plan.driver else []
    return [
        SetLaunchConfiguration("prefix", arm.prefix),  # for controllers.yaml
        manager,
        broadcaster,
        _after(broadcaster, [*driver, waiting]),
        _after(waiting, [controller]),
        _after(controller, last),
    ]


def _spawner(arm: LaunchedArm, controller: str) -> Any:
    return arm.other_node(
        "controller_manager", "spawner", arguments=[controller, "-c", "controller_manager"]
    )


def _after(process: Any, actions: list[Any]) -> RegisterEventHandler:
    """Start actions once a process has ended well; end the launch when it has not."""

    def ended(event: Any, _context: Any) -> list[Any]:
        if event.returncode == 0:
            return actions
        return [Shutdown(reason=f"{event.process_name} ended with code {event.returncode}")]

    return RegisterEventHandler(OnProcessExit(target_action=process, on_exit=ended))
