"""The arm as the browser page sees it: the other nodes' topics, services and action."""

from __future__ import annotations

from typing import Any

import numpy as np
from action_msgs.srv import CancelGoal
from geometry_msgs.msg import TwistStamped
from rclpy.action import ActionClient
from rclpy.qos import QoSProfile, ReliabilityPolicy, qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from planar_arm_ik.arm.joint_states import JointStateMerger, MeasuredState
from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.nodes.common.interfaces import ExecutePath, FollowerState
from planar_arm_ik.nodes.common.joint_motion import JointMotion
from planar_arm_ik.nodes.common.paced_loop import PolledSubscription
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.path_executor.client import path_message
from planar_arm_ik.nodes.servo_driver.diagnostics_reader import ServoDiagnosticsReader
from planar_arm_ik.scene.follower_texts import follower_text
from planar_arm_ik.scene.texts import StatusText, good, refused, warning
from planar_arm_ik.status import IkStatus
from planar_arm_ik.viewer.robot import Report, TwistReport

#: Enough for partial messages of two joints between two drawings.
_NEWEST = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
#: The follower's report is shown for so long after it came [s].
_REPORT_AGE = 0.5
#: The presence of the other nodes is looked up this often [s].
_PRESENCE_PERIOD = 0.5


class PageRobot:
    """Implements ``viewer.robot.Robot`` with a node's clients; all calls come from one thread.

    Args:
        node: the node to talk through.
        description: the arm.
        state_timeout: age from which joint_states are stale [s].
    """

    def __init__(self, node: ArmNode, description: ArmDescription, state_timeout: float) -> None:
        self._steady = node.steady
        self._description, self._state_timeout = description, state_timeout
        self._joints = JointStateMerger(description.joint_names)
        # Taken once per drawing: an executor that wakes for each message costs more than drawing.
        self._joint_states = PolledSubscription(node, JointState, "joint_states", _NEWEST)
        self._states = PolledSubscription(
            node, FollowerState, "cartesian_follower/state", qos_profile_sensor_data
        )
        self._twist = node.create_publisher(TwistStamped, "cartesian_follower/twist", 1)
        self._clock = node.get_clock()
        self._joint_motion = JointMotion(node, description, node.steady)
        self._action = ActionClient(node, ExecutePath, "path_executor/execute_path")
        self._cancel_all = node.create_client(
            CancelGoal, "path_executor/execute_path/_action/cancel_goal"
        )
        self._pause = node.create_client(SetBool, "cartesian_follower/pause")
        self._enable = node.create_client(SetBool, "servo_driver/enable")
        self._servos = ServoDiagnosticsReader(node)
        self._state: FollowerState | None = None
        self._state_received = -np.inf
        self._task: StatusText | None = None
        self._moving = False
        self._parts: dict[str, bool] = {}
        self._parts_due = 0.0

    def _listen(self, now: float) -> None:
        """Take what came since the last call."""
        for message in self._joint_states.take():
            self._joints.update(message.name, message.position, message.velocity, now)
        for message in self._states.take():
            self._state, self._state_received = message, now

    def _fresh(self, now: float) -> MeasuredState | None:
        state = self._joints.state
        return None if state is None or now - state.received > self._state_timeout else state

    def report(self) -> Report:
        """The arm as seen now."""
        now = self._steady.now()
        self._listen(now)
        state = self._fresh(now)
        if now >= self._parts_due:
            self._parts_due = now + _PRESENCE_PERIOD
            self._parts = {
                "path executor": bool(self._action.server_is_ready()),
                "follower": self._twist.get_subscription_count() > 0,
                "servo driver": bool(self._enable.service_is_ready()),
            }
        twist = self._twist_report() if now - self._state_received < _REPORT_AGE else None
        paused = None if twist is None or self._state is None else bool(self._state.paused)
        q = None if state is None else state.q
        return Report(
            q, self._parts, twist, self._task, self._moving, paused, self._servos.text(now)
        )

    def _twist_report(self) -> TwistReport | None:
        state = self._state
        if state is None:
            return None
        residual = _plane(state.residual)
        missing = float(np.hypot(*residual))
        text = follower_text(state.status, state.message, state.scale, missing, state.sigma_min)
        return TwistReport(
            _plane(state.commanded),
            _plane(state.achieved),
            residual,
            state.sigma_min,
            state.damping,
            state.scale,
            text,
        )

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
        if not self._action.server_is_ready():
            return "the path_executor is not running"
        goal = ExecutePath.Goal(path=path_message(waypoints), rule=rule, search=search)
        self._task, self._moving = good("path sent"), True
        future = self._action.send_goal_async(goal, feedback_callback=self._on_feedback)
        future.add_done_callback(self._on_accepted)
        return ""

    def _on_accepted(self, future: Any) -> None:
        handle = future.result()
        if not handle.accepted:
            self._task, self._moving = refused("the path executor refused the path"), False
            return
        handle.get_result_async().add_done_callback(self._on_result)

    def _on_feedback(self, message: Any) -> None:
        if self._moving:
            left = f"{message.feedback.time_remaining:.1f} s left"
            self._task = good(f"executing, {100.0 * message.feedback.fraction:.0f} %", left)

    def _on_result(self, future: Any) -> None:
        result = future.result().result
        self._moving = False
        self._task = result_text(result)

    def move_joints(self, q: Array) -> str:
        """Move both joints at once, at half the speed limits."""
        state = self._fresh(self._steady.now())
        if state is None:
            return "there are no fresh joint_states"
        if self._moving:
            return "a path is being executed: cancel it first"
        refusal = self._joint_motion.start(state.q, q)
        if not refusal:
            self._task = None
        return refusal

    def cancel(self) -> str:
        """Cancel every path, whoever sent it; the executor ramps down."""
        if not self._cancel_all.service_is_ready():
            return "the path_executor is not running"
        self._cancel_all.call_async(CancelGoal.Request())
        return ""

    def stop(self) -> str:
        """Cancel paths, pause the follower, brake a joint motion."""
        self._task = None
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
            self._task = refused("refused", reply.message)


def _plane(vector: Any) -> Array:
    return np.array((vector.x, vector.y))


def result_text(result: Any) -> StatusText:
    """A path's result in words."""
    status = IkStatus(result.status.code)
    if status is IkStatus.OK:
        return good("path done", f"largest tracking error {result.max_tracking_error:.4f}")
    if status >= 0:
        return warning("path done", result.status.message)
    if status in (IkStatus.CANCELED, IkStatus.PREEMPTED):
        return warning(f"path {status.name.lower()}", result.status.message)
    where = f" at point {result.failed_index}" if result.failed_index >= 0 else ""
    title = status.name.lower().replace("_", " ")
    return refused(f"path refused{where}: {title}", result.status.message)
