"""Commands of either interface, checked and handed to the bus thread."""

from __future__ import annotations

from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.trajectory_messages import from_message
from planar_arm_ik.servo.control.loop import ServoLoop
from planar_arm_ik.servo.control.report import ArmState

_NEWEST = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)


class CommandInput:
    """Listens to ``joint_trajectory``, or to ``~/joint_commands`` of a controller.

    Args:
        node: the servo driver.
        loop: the thread of the bus.
        names: of the joints.
        controlled: a controller sends joint commands.
    """

    def __init__(
        self, node: Node, loop: ServoLoop, names: tuple[str, str], controlled: bool
    ) -> None:
        self._node, self._loop, self._names = node, loop, names
        if controlled:
            node.create_subscription(JointState, "~/joint_commands", self._on_command, _NEWEST)
        else:
            node.create_subscription(JointTrajectory, "joint_trajectory", self._on_trajectory, 10)

    def _on_trajectory(self, message: JointTrajectory) -> None:
        if not self._ready():
            return
        if not message.points:
            self._loop.stay()
            return
        try:
            trajectory = from_message(message, self._names)
        except PlanarArmError as error:
            self._node.get_logger().error(
                f"trajectory refused: {error}", throttle_duration_sec=1.0
            )
            return
        stamp = message.header.stamp
        given = stamp.sec + 1e-9 * stamp.nanosec
        now = 1e-9 * self._node.get_clock().now().nanoseconds
        self._loop.play(trajectory, given - now if given else 0.0)

    def _on_command(self, message: JointState) -> None:
        if not self._ready():
            return
        if len(message.position) != len(message.name):
            self._ignore(f"{len(message.name)} names, {len(message.position)} positions")
            return
        by_name = dict(zip(message.name, message.position, strict=True))
        missing = [name for name in self._names if name not in by_name]
        if missing:
            self._ignore(f"it lacks {missing}")
            return
        self._loop.command([by_name[name] for name in self._names])

    def _ready(self) -> bool:
        state = self._loop.report.state
        if state is not ArmState.ENABLED:
            self._ignore(f"{state.name.lower()}; call ~/enable")
        return state is ArmState.ENABLED

    def _ignore(self, why: str) -> None:
        self._node.get_logger().warning(f"command ignored: {why}", throttle_duration_sec=5.0)
