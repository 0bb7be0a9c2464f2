"""Paths of the tip, planned whole, timed, and executed through ``joint_trajectory``.

Everything runs on one thread: a goal's coroutine awaits futures, one timer resolves them.
"""

from __future__ import annotations

import threading
import traceback
from typing import Any

from nav_msgs.msg import Path
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.nodes.common.clocks import steady_timer
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.interfaces import ExecutePath
from planar_arm_ik.nodes.common.measured import MeasuredJoints
from planar_arm_ik.nodes.common.parameters import Parameters
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.common.waiting import Waiting, let_turn
from planar_arm_ik.nodes.path_executor.arbitration import Arbitration, canceled
from planar_arm_ik.nodes.path_executor.goal_course import GoalCourse
from planar_arm_ik.nodes.path_executor.goals import (
    NotBegunError,
    RefusalError,
)
from planar_arm_ik.nodes.path_executor.motion_under_way import MotionUnderWay
from planar_arm_ik.nodes.path_executor.parameters import PathExecutorConfig
from planar_arm_ik.nodes.path_executor.planning import PathPlanning
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.toppra_timing import MISSING, library

#: Time in which a node that is told to leave ramps down and answers [s].
_LAST_WORDS = 2.0

#: Turns of the executor between an answer's making and its sending, and some to spare.
_TURNS = 5


class PathExecutor(ArmNode):
    """Action ``~/execute_path`` and topic ``~/path``; one path at a time, the newest wins."""

    def __init__(self, **options: Any) -> None:
        super().__init__("path_executor", **options)
        description = declare_description(self)
        settings = Parameters(self, PathExecutorConfig)
        measured = MeasuredJoints(
            self, description.joint_names, self.steady, description.arm.joints
        )
        self._planning = PathPlanning(self, description, settings, measured)
        self._waiting = Waiting(self)
        self._arbitration = Arbitration(self, self._waiting)
        self._motion = MotionUnderWay(self, description, settings, measured, self._arbitration)
        self._course = GoalCourse(
            self, settings, measured, self._waiting, self._planning, self._arbitration,
            self._motion,
        )  # fmt: skip
        self.waits.for_publisher("joint_states", "start a driver or a broadcaster")
        self.waits.for_receiver("joint_trajectory", "start a driver or a controller")
        self._open = 0
        self._answered = threading.Event()
        self.create_subscription(Path, "~/path", self._on_path, 10)
        self._server = ActionServer(
            self,
            ExecutePath,
            "~/execute_path",
            self._on_goal,
            cancel_callback=lambda _goal: CancelResponse.ACCEPT,
        )
        steady_timer(self, 0.02, self._motion.watch)
        # The library takes seconds to load: meanwhile the node hears and answers, paths wait.
        self._loaded = False
        threading.Thread(target=self._load_library, daemon=True).start()

    def _load_library(self) -> None:
        if library() is None:
            self.get_logger().warning(MISSING)
        self._loaded = True

    def _on_path(self, path: Path) -> None:
        executor = self.executor
        if executor is not None:
            executor.create_task(self._answer(ExecutePath.Goal(path=path), None))

    async def _on_goal(self, handle: ServerGoalHandle) -> Any:
        return await self._answer(handle.request, handle)

    async def _answer(self, goal: Any, handle: ServerGoalHandle | None) -> Any:
        """Run one goal and report how it ended, exactly once."""
        result = ExecutePath.Result(failed_index=-1, largest_step_index=-1)
        ticket = self._arbitration.ticket()
        self._open += 1
        status, message = await self._outcome(goal, handle, result, ticket)
        self._arbitration.claim.drop(ticket)
        self._open -= 1
        if self._open == 0:
            self._answered.set()
        result.status.code, result.status.message = int(status), message
        if handle is None:
            self.get_logger().info(f"path ended: {status.name} {message}")
        elif status >= 0:
            handle.succeed()
        elif status is IkStatus.CANCELED and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        return result

    async def _outcome(
        self, goal: Any, handle: ServerGoalHandle | None, result: Any, ticket: int
    ) -> tuple[IkStatus, str]:
        """Run one goal; whatever it raises is its outcome, too."""
        try:
            if not self._loaded:
                await self._waiting.until(lambda: self._loaded or canceled(handle))
            return await self._course.run(goal, handle, result, ticket)
        except RefusalError as refusal:
            if refusal.index >= 0:
                result.failed_index = refusal.index
            if isinstance(refusal, NotBegunError):
                result.fraction, result.trajectory = 0.0, JointTrajectory()
            return refusal.status, str(refusal)
        except Exception as error:  # a path that cannot be handled must not end the node
            self.get_logger().error(f"path refused: {traceback.format_exc()}")
            return IkStatus.INVALID_INPUT, f"cannot be handled: {error!r}"

    def stop(self) -> None:
        """Ramp down whatever moves, and answer every goal.

        The closed arbitration lets nothing begin, and ends what is under way in the executor's
        thread: a goal that begins in this instant is ended, too.
        """
        self._answered.clear()
        self._planning.close()
        self._arbitration.close()
        if self._open:
            self._answered.wait(_LAST_WORDS)
            let_turn(self, _TURNS)
