"""Twists from ``~/twist`` and ``cmd_vel``: units, stamps and frames checked as they come in."""

from __future__ import annotations

import math

import numpy as np
from geometry_msgs.msg import Twist as TwistMessage
from geometry_msgs.msg import TwistStamped
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy

from planar_arm_ik.following.report import Twist
from planar_arm_ik.following.stick import Vector, stick_velocity
from planar_arm_ik.nodes.cartesian_follower.messages import Others
from planar_arm_ik.nodes.cartesian_follower.parameters import FollowerParameters
from planar_arm_ik.nodes.common.frames import FrameError, Frames
from planar_arm_ik.nodes.common.paced_loop import PolledSubscription
from planar_arm_ik.nodes.common.wire import Six, TwistReader, WireError
from planar_arm_ik.status import FollowerState

#: Components beyond this are no command [m/s, rad/s].
LARGEST = 1e6

#: Best effort hears every publisher; some teleoperation nodes publish no other way.
_NEWEST = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)


class TwistInput:
    """The newest twist, where it may be used, else why not.

    Attributes:
        twist: in-plane part, None when there is none to use.
        others: (z, rotation about x, y, z) of the newest usable twist, in its own frame.
        received: receipt time by the monotonic clock [s]; -inf before the first.
        timeout: age from which it is stale [s].
        fault: OK, INVALID_INPUT or FRAME.
        problem: the reason in one sentence, "" without one.
        note: what was changed about a twist that is used, "" without anything.
    """

    def __init__(self, node: Node, frames: Frames, tip_frame: str, accept_cmd_vel: bool) -> None:
        self._node = node
        self._frames = frames
        self._tip_frame = tip_frame
        self._refused_frames: set[str] = set()
        self._stamped = PolledSubscription(node, TwistStamped, "~/twist", _NEWEST, raw=True)
        self._reader = TwistReader()
        self._plain = None
        if accept_cmd_vel:
            self._plain = PolledSubscription(node, TwistMessage, "cmd_vel", _NEWEST)
        self.twist: Twist | None = None
        self.others = (0.0, 0.0, 0.0, 0.0)
        self.received = -math.inf
        self.timeout = 0.0
        self.fault = FollowerState.OK
        self.problem = self.note = ""

    def poll(self, monotonic: float, now: int, settings: FollowerParameters) -> None:
        """Take what came in.

        Args:
            monotonic: receipt time [s].
            now: the node's clock [ns].
            settings: the parameters in force.
        """
        for data in self._stamped.take():
            self.received, self.timeout = monotonic, settings.command_timeout
            try:
                (sec, nanosec), frame, values = self._reader.read(data)
            except WireError as error:
                self._refuse(FollowerState.INVALID_INPUT, f"the twist cannot be read: {error}")
                continue
            off = 1e-9 * (sec * 10**9 + nanosec - now)
            stamped = sec != 0 or nanosec != 0
            if stamped and 0.0 < settings.stamp_tolerance < abs(off):
                side = "future" if off > 0.0 else "past"
                self._refuse(
                    FollowerState.INVALID_INPUT,
                    f"the twist is stamped {abs(off):.3g} s in the {side}; stamp_tolerance is "
                    f"{settings.stamp_tolerance:.3g} s: are the clocks set?",
                )
            else:
                self._take(values, frame, settings)
        if self._plain is not None:
            for message in self._plain.take():
                self.received, self.timeout = monotonic, settings.cmd_vel_timeout
                linear, angular = message.linear, message.angular
                values = (linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
                self._take(values, "", settings)

    def others_in_base(self, age: float, turning: float) -> Others:
        """`others` in axes of the base frame, zeros when the twist is stale.

        Args:
            age: of the newest twist [s].
            turning: angle of the tip in the base frame [rad].
        """
        if age > self.timeout:
            return 0.0, 0.0, 0.0, 0.0
        in_tip = self.twist is not None and self.twist.in_tip
        return _turned(self.others, turning) if in_tip else self.others

    def _take(self, values: Six, frame: str, settings: FollowerParameters) -> None:
        if not sum(map(abs, values)) <= LARGEST:  # NaN compares false
            self._refuse(
                FollowerState.INVALID_INPUT,
                f"the twist {[float(value) for value in values]} must be finite and below "
                f"{LARGEST:g} m/s and rad/s in all",
            )
            return
        in_tip = frame == self._tip_frame and frame != self._frames.base_frame
        x, y, z, wx, wy, wz = values
        note = ""
        if settings.command_units == "unitless":
            # Before any frame turns it: a stick is square in its own axes.
            (x, y, z), note = self._unitless((x, y, z), settings)
        if not in_tip and frame not in ("", self._frames.base_frame):
            try:
                x, y, z = self._frames.vector_in_base(frame, np.array((x, y, z))).tolist()
                wx, wy, wz = self._frames.vector_in_base(frame, np.array((wx, wy, wz))).tolist()
            except FrameError as error:
                self._refuse_frame(frame, str(error))
                return
        self.twist = Twist(x, y, in_tip)
        self.others = (z, wx, wy, wz)
        self.fault, self.problem, self.note = FollowerState.OK, "", note

    def _unitless(self, stick: Vector, settings: FollowerParameters) -> tuple[Vector, str]:
        """Tip velocity of a stick [m/s], and what to say about it; the log says it once."""
        deadband, expo = settings.stick_deadband, settings.stick_expo
        command = stick_velocity(stick, settings.linear_scale, deadband, expo)
        if command.clamped:
            self._node.get_logger().warning(
                f"{command.note}; command_units is unitless: is the publisher's in m/s?",
                once=True,
            )
        return command.velocity, command.note

    def _refuse_frame(self, frame: str, problem: str) -> None:
        self._set_fault(FollowerState.FRAME, problem)
        if frame not in self._refused_frames:
            self._refused_frames.add(frame)
            self._node.get_logger().error(f"twist refused: {problem}")

    def _refuse(self, fault: FollowerState, problem: str) -> None:
        self._set_fault(fault, problem)
        self._node.get_logger().error(f"twist refused: {problem}", throttle_duration_sec=5.0)

    def _set_fault(self, fault: FollowerState, problem: str) -> None:
        self.twist, self.others = None, (0.0, 0.0, 0.0, 0.0)
        self.fault, self.problem, self.note = fault, problem, ""


def _turned(others: Others, angle: float) -> Others:
    """Turn the rotation axis of `others` (z, wx, wy, wz) by `angle` [rad] about z."""
    z, wx, wy, wz = others
    if wx == 0.0 and wy == 0.0:
        return others
    cos, sin = math.cos(angle), math.sin(angle)
    return z, wx * cos - wy * sin, wx * sin + wy * cos, wz
