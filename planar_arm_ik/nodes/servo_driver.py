"""The arm's hardware side: plays ``joint_trajectory`` and publishes ``joint_states``."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import numpy as np
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.arm import Array
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.description import declare_description
from planar_arm_ik.nodes.parameters import Parameters, parameter
from planar_arm_ik.nodes.runtime import ArmNode
from planar_arm_ik.nodes.trajectory_messages import from_message
from planar_arm_ik.player import TrajectoryPlayer


@dataclasses.dataclass(frozen=True)
class ServoDriverConfig:
    """Parameters of the node."""

    rate: float = parameter(
        100.0, "rate of joint_states [Hz]", lower=1.0, upper=1000.0, read_only=True
    )
    initial_position: tuple[float, float] = parameter(
        (0.0, 0.0), "joint angles of the simulated arm at start [rad]", read_only=True
    )
    enable_on_start: bool = parameter(
        False, "follow commands without a call of ~/enable", read_only=True
    )


class ServoDriver(ArmNode):
    """An ideal simulated arm: it is where its command is."""

    def __init__(self, **options: Any) -> None:
        super().__init__("servo_driver", **options)
        self._description = declare_description(self)
        config = Parameters(self, ServoDriverConfig).value
        self._player = TrajectoryPlayer(np.array(config.initial_position))
        self._enabled = config.enable_on_start
        self._publisher = self.create_publisher(JointState, "joint_states", 10)
        self.create_subscription(JointTrajectory, "joint_trajectory", self._on_trajectory, 10)
        self.create_service(SetBool, "~/enable", self._on_enable)
        self.create_timer(1.0 / config.rate, self._cycle)

    def _on_enable(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        self._player.hold(self._player.sample(time.monotonic())[0])
        self._enabled = request.data
        response.success = True
        response.message = "enabled" if request.data else "relaxed"
        return response

    def _on_trajectory(self, message: JointTrajectory) -> None:
        if not self._enabled:
            self.get_logger().warning(
                "trajectory ignored: not enabled; call ~/enable", throttle_duration_sec=5.0
            )
            return
        now = time.monotonic()
        if not message.points:
            self._player.hold(self._player.sample(now)[0])
            return
        try:
            trajectory = from_message(message, self._description.joint_names)
            self._check_limits(trajectory.q)
        except PlanarArmError as error:
            self.get_logger().error(f"trajectory refused: {error}")
            return
        self._player.play(trajectory, now)

    def _check_limits(self, q: Array) -> None:
        arm = self._description.arm
        for index, joint in enumerate(arm.joints):
            outside = (q[:, index] < joint.lower) | (q[:, index] > joint.upper)
            if outside.any():
                name = self._description.joint_names[index]
                wanted = q[np.argmax(outside), index]
                raise PlanarArmError(
                    f"{name} = {wanted:.6g} rad is outside [{joint.lower:.6g}, {joint.upper:.6g}]"
                )

    def _cycle(self) -> None:
        q, qd = self._player.sample(time.monotonic())
        message = JointState(name=list(self._description.joint_names))
        message.header.stamp = self.get_clock().now().to_msg()
        message.position, message.velocity = q.tolist(), qd.tolist()
        self._publisher.publish(message)

    def stop(self) -> None:
        """Hold where the arm is and say so once more."""
        self._player.hold(self._player.sample(time.monotonic())[0])
        self._cycle()
