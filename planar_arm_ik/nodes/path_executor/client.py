"""A client of ``path_executor``: enables the arm, executes a path, records the tip's track."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import numpy as np
import rclpy
from action_msgs.srv import CancelGoal
from geometry_msgs.msg import PoseStamped
from nav_msgs.msg import Path
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from planar_arm_ik.arm.joint_states import JointStateMerger
from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.clocks import STEADY, Clock
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.interfaces import ExecutePath

#: Deep enough to record every state although this program waits for its turn.
_TRACK = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)

#: Time after which a service that has not answered is asked again [s].
_AGAIN = 3.0


class Stopped(Exception):  # noqa: N818 - not an error
    """The user asked to stop."""


class PathClient:
    """Talks to a running arm from a program without an executor of its own.

    Args:
        description: the arm.
        stopped: polled while waiting; true ends the wait with :class:`Stopped`.
        namespace: namespace of the arm's nodes.
        steady: what deadlines are measured by.
    """

    def __init__(
        self,
        description: ArmDescription,
        stopped: Callable[[], bool],
        namespace: str = "",
        steady: Clock = STEADY,
    ) -> None:
        self._steady = steady
        self._description = description
        self._stopped = stopped
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        self._node = rclpy.create_node("path_client", namespace=namespace)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._merger = JointStateMerger(description.joint_names)
        self.track: list[Array] = []
        self._recording = False
        self._node.create_subscription(JointState, "joint_states", self._on_state, _TRACK)
        self._enable = self._node.create_client(SetBool, "servo_driver/enable")
        self._action = ActionClient(self._node, ExecutePath, "path_executor/execute_path")
        cancel = "path_executor/execute_path/_action/cancel_goal"
        self._cancel = self._node.create_client(CancelGoal, cancel)
        self._goal: Any = None

    def _on_state(self, message: JointState) -> None:
        self._merger.update(message.name, message.position, message.velocity, self._steady.now())
        state = self._merger.state
        if state is not None and self._recording:
            self.track.append(state.q)

    def enable(self, timeout: float) -> None:
        """Enable the arm and wait for its first state.

        Raises:
            PlanarArmError: no driver, executor or state within `timeout` [s].
        """
        deadline = self._steady.now() + timeout
        self._until(self._enable.service_is_ready, deadline, "servo_driver/enable")
        reply = self._ask(self._enable, SetBool.Request(data=True), deadline)
        if not reply.success:
            raise PlanarArmError(f"the arm is not enabled: {reply.message}")
        self.connect(deadline - self._steady.now())

    def connect(self, timeout: float) -> None:
        """Wait for the executor and for a state of the arm.

        Raises:
            PlanarArmError: no executor or state within `timeout` [s].
        """
        deadline = self._steady.now() + timeout
        self._until(self._action.server_is_ready, deadline, "path_executor/execute_path")
        # Once this is answered, the answer to a goal arrives, too.
        self._ask(self._cancel, cancel_nothing(), deadline)
        self._until(lambda: self._merger.state is not None, deadline, "joint_states")

    def execute(self, waypoints: Array, timeout: float, **goal: Any) -> ExecutePath.Result:
        """Execute a path and record the joint angles meanwhile.

        Args:
            waypoints: (x, y) in the base frame [m], shape (N, 2).
            timeout: time to wait for the result [s].
            goal: further fields of the action's goal.

        Returns:
            The action's result.

        Raises:
            PlanarArmError: no answer within `timeout`.
        """
        deadline = self._steady.now() + timeout
        self.track, self._recording = [], True
        message = ExecutePath.Goal(path=path_message(waypoints), **goal)
        self._goal = self._call(self._action.send_goal_async(message), deadline)
        result = self._call(self._goal.get_result_async(), deadline).result
        self._goal, self._recording = None, False
        return result

    def idle(self) -> None:
        """Wait until the user stops."""
        self._until(lambda: False, float("inf"), "a stop")

    def cancel(self, timeout: float) -> None:
        """Cancel the path under way and wait until it has ended."""
        if self._goal is None:
            return
        self._stopped = lambda: False
        deadline = self._steady.now() + timeout
        self._call(self._goal.cancel_goal_async(), deadline)
        self._call(self._goal.get_result_async(), deadline)
        self._goal = None

    def _ask(self, client: Any, request: Any, deadline: float) -> Any:
        """Call a service whose request may come twice.

        A server that has not found this client yet loses its answer: it is asked again.
        """
        futures: list[Future] = []
        asked = -float("inf")

        def answered() -> bool:
            nonlocal asked
            if self._steady.now() - asked > _AGAIN:
                futures.append(client.call_async(request))
                asked = self._steady.now()
            return any(future.done() for future in futures)

        self._until(answered, deadline, "an answer")
        return next(future.result() for future in futures if future.done())

    def _call(self, future: Future, deadline: float) -> Any:
        self._until(future.done, deadline, "an answer")
        return future.result()

    def _until(self, done: Callable[[], bool], deadline: float, what: str) -> None:
        while not done():
            if self._stopped():
                raise Stopped
            if self._steady.now() > deadline:
                raise PlanarArmError(f"waited in vain for {what}")
            self._executor.spin_once(timeout_sec=0.02)

    def close(self) -> None:
        """Leave ROS."""
        self._executor.shutdown()
        self._node.destroy_node()
        rclpy.try_shutdown()


def cancel_nothing() -> CancelGoal.Request:
    """Ask to cancel a goal that does not exist: it changes nothing and is answered."""
    request = CancelGoal.Request()
    request.goal_info.goal_id.uuid = np.frombuffer(uuid4().bytes, dtype=np.uint8)
    return request


def path_message(waypoints: Array) -> Path:
    """Waypoints (x, y) [m], shape (N, 2), as a path in the base frame."""
    path = Path()
    for x, y in np.asarray(waypoints).tolist():
        pose = PoseStamped()
        pose.pose.position.x, pose.pose.position.y = x, y
        path.poses.append(pose)
    return path
