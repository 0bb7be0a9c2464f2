"""The path that the page sent: on its way, at its end, and in words."""

from __future__ import annotations

from typing import Any

from action_msgs.srv import CancelGoal
from rclpy.action import ActionClient
from rclpy.node import Node

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.nodes.common.interfaces import ExecutePath
from planar_arm_ik.nodes.path_executor.client import path_message
from planar_arm_ik.scene.texts import StatusText, good, refused, warning
from planar_arm_ik.status import IkStatus

_ABSENT = "the path_executor is not running"


class PathTask:
    """Sends paths to the executor and remembers how the last one went.

    Args:
        node: the node to talk through.

    Attributes:
        text: how the newest task went, in words; None without one.
        moving: a path is under way.
    """

    def __init__(self, node: Node) -> None:
        self._action = ActionClient(node, ExecutePath, "path_executor/execute_path")
        self._cancel_all = node.create_client(
            CancelGoal, "path_executor/execute_path/_action/cancel_goal"
        )
        self.text: StatusText | None = None
        self.moving = False

    @property
    def present(self) -> bool:
        """Whether the executor is there."""
        return bool(self._action.server_is_ready())

    def execute(self, waypoints: Array, rule: str, search: str) -> str:
        """Send a path; the reason when it cannot be sent, else ""."""
        if not self.present:
            return _ABSENT
        goal = ExecutePath.Goal(path=path_message(waypoints), rule=rule, search=search)
        self.text, self.moving = good("path sent"), True
        future = self._action.send_goal_async(goal, feedback_callback=self._on_feedback)
        future.add_done_callback(self._on_accepted)
        return ""

    def cancel(self) -> str:
        """Cancel every path, whoever sent it; the reason when that cannot be asked, else ""."""
        if not self._cancel_all.service_is_ready():
            return _ABSENT
        self._cancel_all.call_async(CancelGoal.Request())
        return ""

    def _on_accepted(self, future: Any) -> None:
        handle = future.result()
        if not handle.accepted:
            self.text, self.moving = refused("the path executor refused the path"), False
            return
        handle.get_result_async().add_done_callback(self._on_result)

    def _on_feedback(self, message: Any) -> None:
        if self.moving:
            left = f"{message.feedback.time_remaining:.1f} s left"
            self.text = good(f"executing, {100.0 * message.feedback.fraction:.0f} %", left)

    def _on_result(self, future: Any) -> None:
        result = future.result().result
        self.moving = False
        self.text = result_text(result)


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
