"""Messages of ``cartesian_follower``, made once and filled every cycle."""

from __future__ import annotations

from geometry_msgs.msg import TwistStamped
from rclpy.node import Node
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.following.report import Pair, Report, explain
from planar_arm_ik.nodes.common.interfaces import FollowerState
from planar_arm_ik.nodes.common.wire import PointWriter, Stamp, TwistWriter

Others = tuple[float, float, float, float]


class CommandOutput:
    """Publishes the command: one trajectory point of positions, or joint velocities.

    Args:
        node: the owner.
        joint_names: of shoulder and elbow.
        look_ahead: how far ahead the point of a trajectory lies [s]; 0: publish velocities.

    Attributes:
        topic: where the command goes.
    """

    def __init__(self, node: Node, joint_names: tuple[str, str], look_ahead: float) -> None:
        self._point = None
        if look_ahead == 0.0:
            self._speeds = Float64MultiArray()
            kind, topic = Float64MultiArray, "joint_velocity_commands"
        else:
            self._point = PointWriter(joint_names, look_ahead)
            kind, topic = JointTrajectory, "joint_trajectory"
        self.topic = topic
        self._publisher = node.create_publisher(kind, topic, 10)

    def publish(self, ahead: Pair, velocity: Pair) -> None:
        """Send the position to have at the look-ahead [rad], or the velocity [rad/s]."""
        if self._point is not None:
            self._publisher.publish(self._point.write(ahead))
        else:
            self._speeds.data = velocity
            self._publisher.publish(self._speeds)


class ReportOutput:
    """Publishes ``~/achieved``, ``~/residual`` and ``~/state``."""

    def __init__(self, node: Node, base_frame: str) -> None:
        self._twist = TwistWriter(base_frame)
        self.state = FollowerState()
        self.state.header.frame_id = base_frame
        self._achieved_publisher = node.create_publisher(TwistStamped, "~/achieved", 10)
        self._residual_publisher = node.create_publisher(TwistStamped, "~/residual", 10)
        self._state_publisher = node.create_publisher(FollowerState, "~/state", 10)

    def publish_twists(self, stamp: Stamp, report: Report, others: Others) -> None:
        """Send achieved and residual; `others` is z and the rotations asked for, base frame."""
        (x, y), (rx, ry), (z, wx, wy, wz) = report.achieved, report.residual, others
        turning = report.velocity[0] + report.velocity[1]
        achieved = self._twist.write(stamp, (x, y, 0.0, 0.0, 0.0, turning))
        self._achieved_publisher.publish(achieved)
        residual = self._twist.write(stamp, (rx, ry, z, wx, wy, wz - turning))
        self._residual_publisher.publish(residual)

    def publish_state(
        self,
        stamp: Stamp,
        report: Report,
        off_plane: float,
        problem: str,
        note: str,
        ages: Pair,
        compute_time: float,
        paused: bool,
    ) -> None:
        """Send the state; a `problem` of the input explains it better than the report can.

        A `note` about the input is added to what the report says.
        """
        state = self.state
        state.header.stamp.sec, state.header.stamp.nanosec = stamp
        state.status = int(report.status)
        state.message = problem or explain(report)
        if note:
            state.message += f"; {note}"
        state.commanded.x, state.commanded.y = report.commanded
        state.achieved.x, state.achieved.y = report.achieved
        state.residual.x, state.residual.y = report.residual
        state.commanded.z = state.residual.z = off_plane
        state.position[0], state.position[1] = report.position
        state.velocity[0], state.velocity[1] = report.velocity
        motion = report.motion
        state.sigma_min, state.sigma_max = motion.sigma_min, motion.sigma_max
        state.damping, state.scale = motion.damping, report.scale
        state.limit_margin = report.limit_margin
        state.command_age, state.state_age = ages
        state.compute_time = compute_time
        state.saturated = list(report.saturated)
        state.escaping, state.direction_kept = motion.escaping, report.direction_kept
        state.paused = paused
        self._state_publisher.publish(state)
