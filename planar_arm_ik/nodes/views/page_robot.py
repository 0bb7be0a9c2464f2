"""The arm as the browser page sees it: the other nodes' topics, services and action."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import TwistStamped
from rclpy.node import Node
from std_srvs.srv import SetBool

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.clocks import STEADY, Clock
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.nodes.common.joint_motion import JointMotion
from planar_arm_ik.nodes.servo_driver.diagnostics_reader import ServoDiagnosticsReader
from planar_arm_ik.nodes.views.arm_listener import ArmListener
from planar_arm_ik.nodes.views.path_task import PathTask
from planar_arm_ik.scene.texts import refused
from planar_arm_ik.viewer.robot import Report

#: The presence of the other nodes is looked up this often [s].
_PRESENCE_PERIOD = 0.5


class PageRobot:
    """Implements ``viewer.robot.Robot`` with a node's clients; all calls come from one thread.

    Args:
        node: the node to talk through.
        description: the arm.
        state_timeout: age from which joint_states are stale [s].
        steady: the clock by which ages are measured.
    """

    def __init__(
        self,
        node: Node,
        description: ArmDescription,
        state_timeout: float,
        steady: Clock = STEADY,
    ) -> None:
        self._steady = steady
        self._description, self._clock = description, node.get_clock()
        self._heard = ArmListener(node, description, state_timeout)
        self._twist = node.create_publisher(TwistStamped, "cartesian_follower/twist", 1)
        self._joint_motion = JointMotion(node, description, steady)
        self._path = PathTask(node)
        self._pause = node.create_client(SetBool, "cartesian_follower/pause")
        self._enable = node.create_client(SetBool, "servo_driver/enable")
        self._servos = ServoDiagnosticsReader(node)
        self._parts: dict[str, bool] = {}
        self._parts_due = 0.0

    def report(self) -> Report:
        """The arm as seen now."""
        now = self._steady.now()
        self._heard.listen(now)
        state = self._heard.fresh(now)
        twist, paused = self._heard.follower(now)
        return Report(
            None if state is None else state.q,
            self._present(now),
            twist,
            self._path.text,
            self._path.moving,
            paused,
            self._servos.text(now),
        )

    def _present(self, now: float) -> dict[str, bool]:
        """Which of the other nodes are there."""
        if now >= self._parts_due:
            self._parts_due = now + _PRESENCE_PERIOD
            self._parts = {
                "path executor": self._path.present,
                "follower": self._twist.get_subscription_count() > 0,
                "servo driver": bool(self._enable.service_is_ready()),
            }
        return self._parts

    def jog(self, velocity: tuple[float, float]) -> str:
        """Send one twist; the follower lets it die when no other comes."""
        if self._twist.get_subscription_count() == 0:
            return "the cartesian_follower is not running"
        message = TwistStamped()
        message.header.frame_id = self._description.base_frame
        message.header.stamp = self._clock.now().to_msg()
        message.twist.linear.x, message.twist.linear.y = velocity
        self._twist.publish(message)
        return ""

    def execute(self, waypoints: Array, rule: str, search: str) -> str:
        """Send a path to the executor."""
        return self._path.execute(waypoints, rule, search)

    def move_joints(self, q: Array) -> str:
        """Move both joints at once, at half the speed limits."""
        state = self._heard.fresh(self._steady.now())
        if state is None:
            return "there are no fresh joint_states"
        if self._path.moving:
            return "a path is being executed: cancel it first"
        refusal = self._joint_motion.start(state.q, q)
        if not refusal:
            self._path.text = None
        return refusal

    def cancel(self) -> str:
        """Cancel every path, whoever sent it; the executor ramps down."""
        return self._path.cancel()

    def stop(self) -> str:
        """Cancel paths, pause the follower, brake a joint motion."""
        self._path.text = None
        self.cancel()
        self.pause(True)
        self._joint_motion.stop()
        return ""

    def pause(self, on: bool) -> str:
        """Pause or resume the follower."""
        return self._switch(self._pause, "cartesian_follower", on)

    def enable(self, on: bool) -> str:
        """Switch the servos on or off."""
        return self._switch(self._enable, "servo_driver", on)

    def _switch(self, client: Any, name: str, on: bool) -> str:
        if not client.service_is_ready():
            return f"the {name} is not running"
        client.call_async(SetBool.Request(data=on)).add_done_callback(self._on_switched)
        return ""

    def _on_switched(self, future: Any) -> None:
        reply = future.result()
        if not reply.success:
            self._path.text = refused("refused", reply.message)
