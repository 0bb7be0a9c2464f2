"""Moving both joints at once on a timed straight line in joint space, and braking that motion."""

from __future__ import annotations

import math

import numpy as np
from rclpy.node import Node
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.clocks import STEADY, Clock
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.keep_out.collision import first_touch
from planar_arm_ik.nodes.common.trajectory_messages import to_message
from planar_arm_ik.trajectories.stopping import stop_along
from planar_arm_ik.trajectories.timing import joint_limits, time_path
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Part of the joint speed limits that a motion uses.
_SPEED = 0.5


class JointMotion:
    """Sends motions to ``joint_trajectory``.

    Args:
        node: the node to talk through.
        description: the arm.
    """

    def __init__(self, node: Node, description: ArmDescription, steady: Clock = STEADY) -> None:
        self._steady = steady
        self._description = description
        self._publisher = node.create_publisher(JointTrajectory, "joint_trajectory", 10)
        self._motion: tuple[Trajectory, float] | None = None

    def start(self, here: Array, goal: Array) -> str:
        """Move from here to a goal [rad], each (2,); returns "" or why it cannot be done."""
        if self._publisher.get_subscription_count() == 0:
            return "nobody listens to joint_trajectory: no driver or controller is running"
        touch = self._touch(here, goal)
        if touch:
            return touch
        try:
            way = np.array((here, goal))
            timed = time_path(self._description.arm, way, velocity_scaling=_SPEED)
        except PlanarArmError as error:
            return str(error)
        self._send(timed.trajectory)
        return ""

    def stop(self) -> None:
        """Brake the motion along its own way, if it is still going on."""
        if self._motion is None:
            return
        motion, begin = self._motion
        elapsed = self._steady.now() - begin
        if elapsed < motion.duration:
            acceleration = joint_limits(self._description.arm, "acceleration")
            self._send(stop_along(motion, elapsed, acceleration))
        self._motion = None

    def _touch(self, here: Array, goal: Array) -> str:
        """Which keep-out shape the motion would touch, in a sentence; "" when none."""
        arm, obstacles = self._description.arm, self._description.obstacles
        if obstacles is None:
            return ""
        fraction = float(first_touch(arm, obstacles, here[None], goal[None])[0])
        if math.isinf(fraction):
            return ""
        name, link, _ = obstacles.nearest(arm, here + fraction * (goal - here))
        return f"the joints cannot go straight there: link {link} would touch {name!r}"

    def _send(self, motion: Trajectory) -> None:
        self._publisher.publish(to_message(motion, self._description.joint_names))
        self._motion = (motion, self._steady.now())
