"""Paths of the tip, planned whole, timed, and executed through ``joint_trajectory``.

Everything runs on one thread: a goal's coroutine awaits futures, one timer resolves them.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from typing import Any

from nav_msgs.msg import Path
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.task import Future
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.nodes.common.clocks import steady_timer
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.interfaces import ExecutePath
from planar_arm_ik.nodes.common.measured import MeasuredJoints
from planar_arm_ik.nodes.common.parameters import Parameters
from planar_arm_ik.nodes.common.receivers import Receivers
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.common.trajectory_messages import to_message
from planar_arm_ik.nodes.common.waiting import Waiting, let_turn
from planar_arm_ik.nodes.path_executor.desk import PathDesk
from planar_arm_ik.nodes.path_executor.goals import (
    NotBegunError,
    RefusalError,
    feedback,
    seconds_ahead,
)
from planar_arm_ik.nodes.path_executor.parameters import PathExecutorConfig
from planar_arm_ik.nodes.path_executor.turns import PathTurns, canceled
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.execution import Execution
from planar_arm_ik.trajectories.motion import PathMotion
from planar_arm_ik.trajectories.toppra_timing import MISSING, library
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Time in which a driver or controller that is there is found, also on a busy machine [s].
_DISCOVERY = 2.0

#: Time in which a node that is told to leave ramps down and answers [s].
_LAST_WORDS = 2.0

#: Turns of the executor between an answer's making and its sending, and some to spare.
_TURNS = 5

_NOTHING = "nothing to do: the arm is there"


class PathExecutor(ArmNode):
    """Action ``~/execute_path`` and topic ``~/path``; one path at a time, the newest wins."""

    def __init__(self, **options: Any) -> None:
        super().__init__("path_executor", **options)
        self._description = declare_description(self)
        self._settings = Parameters(self, PathExecutorConfig)
        self._measured = MeasuredJoints(self, self._description.joint_names, self.steady)
        self._desk = PathDesk(self, self._description, self._settings, self._measured)
        self._running: tuple[Execution, ServerGoalHandle | None, Future] | None = None
        self._waiting = Waiting(self)
        self._turns = PathTurns(self, self._waiting)
        self._open = 0
        self._answered = threading.Event()
        self._command = self.create_publisher(JointTrajectory, "joint_trajectory", 10)
        self._receivers = Receivers(self._command, self.steady)
        self.create_subscription(Path, "~/path", self._on_path, 10)
        self._server = ActionServer(
            self,
            ExecutePath,
            "~/execute_path",
            self._on_goal,
            cancel_callback=lambda _goal: CancelResponse.ACCEPT,
        )
        steady_timer(self, 0.02, self._watch)
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
        ticket = self._turns.ticket()
        self._open += 1
        try:
            status, message = await self._run(goal, handle, result, ticket)
        except RefusalError as refusal:
            status, message = refusal.status, str(refusal)
            if refusal.index >= 0:
                result.failed_index = refusal.index
            if isinstance(refusal, NotBegunError):
                result.fraction, result.trajectory = 0.0, JointTrajectory()
        except Exception as error:  # a path that cannot be handled must not end the node
            self.get_logger().error(f"path refused: {traceback.format_exc()}")
            status, message = IkStatus.INVALID_INPUT, f"cannot be handled: {error!r}"
        self._turns.claim.drop(ticket)
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

    async def _run(
        self, goal: Any, handle: ServerGoalHandle | None, result: Any, ticket: int
    ) -> tuple[IkStatus, str]:
        if not self._loaded:
            await self._waiting.until(lambda: self._loaded or canceled(handle))
        if goal.plan_only:
            motion, note = await self._planned(goal, result)
            return motion.plan.status, note
        now = self.get_clock().now()
        ahead, late = seconds_ahead(goal.path, now, self._settings.value.max_wait)
        begin = self.steady.now() + ahead
        if self._measured.latest is None:  # a driver found this moment
            await self._discovered(lambda: self._measured.latest is not None)
        motion, note = await self._planned(goal, result)
        self._turns.advance(ticket, handle)
        if late:
            self.get_logger().info(late)
        if self._running is not None or ahead > 0.0:
            await self._turn(begin, ticket, handle)
            motion, note = await self._planned(goal, result)
            self._turns.check(ticket, handle)
        if await self._turns.take_over(ticket, handle):
            motion, note = await self._planned(goal, result)
            self._turns.check(ticket, handle)
        if motion.trajectory is None:
            return motion.plan.status, "; ".join(filter(None, (_NOTHING, note)))
        if not self._receivers.settled:
            await self._discovered(lambda: self._receivers.settled)
            self._turns.check(ticket, handle)
        return await self._execute(motion, motion.trajectory, handle, result, note)

    async def _planned(self, goal: Any, result: Any) -> tuple[PathMotion, str]:
        planning = self._desk.planning(goal, result)
        await self._waiting.until(planning.done)
        return planning.result()

    def _discovered(self, found: Callable[[], bool]) -> Future:
        """Future of `found`, or of the time by which a peer would have been found."""
        deadline = self.steady.now() + _DISCOVERY
        return self._waiting.until(
            lambda: found() or self._turns.closed or self.steady.now() > deadline
        )

    async def _turn(self, begin: float, ticket: int, handle: ServerGoalHandle | None) -> None:
        """Wait for the time of the path, then stop what runs and wait for its end."""
        await self._waiting.until(
            lambda: self.steady.now() >= begin or self._turns.is_over(ticket, handle)
        )
        self._turns.check(ticket, handle)
        if self._running is not None:
            execution, _, ended = self._running
            self._turns.claim.take(ticket)
            self._stop(execution, IkStatus.PREEMPTED, "a new path came in")
            await ended
        self._turns.check(ticket, handle)

    async def _execute(
        self,
        motion: PathMotion,
        trajectory: Trajectory,
        handle: ServerGoalHandle | None,
        result: Any,
        note: str,
    ) -> tuple[IkStatus, str]:
        if self._receivers.look() == 0:
            raise NotBegunError(
                IkStatus.CONTROLLER,
                "nobody receives joint_trajectory: is joint_trajectory_controller or "
                "servo_driver running?",
            )
        self._turns.begin()
        self._command.publish(result.trajectory)
        execution = Execution(self._description.arm, motion, trajectory, self.steady.now())
        ended = Future(executor=self.executor)
        self._running = execution, handle, ended
        status, message = await ended
        result.fraction = execution.fraction
        result.max_tracking_error = execution.largest_error
        return status, message if status < 0 else note

    def _watch(self) -> None:
        """Follow the motion under way."""
        listeners = self._receivers.look()
        if self._running is None:
            return
        execution, handle, ended = self._running
        if canceled(handle):
            self._stop(execution, IkStatus.CANCELED, "canceled: the arm stopped on the path")
        elif self._turns.follower_took_it():
            self._stop(execution, IkStatus.PREEMPTED, "cartesian_follower takes the arm")
        state, now = self._measured.latest, self.steady.now()
        q = None if state is None else state.q
        tolerances = self._settings.value.tolerances
        self._send(execution.step(now, tolerances, state, self._measured.age(), listeners))
        if execution.ended is not None:
            self._running = None
            ended.set_result(execution.ended)
        elif handle is not None and q is not None:
            tip = self._description.arm.forward(q)
            handle.publish_feedback(feedback(execution.progress(now), tip))

    def _stop(self, execution: Execution, status: IkStatus, message: str) -> None:
        tolerances = self._settings.value.tolerances
        self._send(execution.stop(self.steady.now(), tolerances, status, message))

    def _send(self, trajectory: Trajectory | None) -> None:
        if trajectory is not None:
            self._command.publish(to_message(trajectory, self._description.joint_names))

    def stop(self) -> None:
        """Ramp down whatever moves, and answer every goal."""
        self._answered.clear()
        self._desk.close()
        self._turns.close()
        if self._running is not None:
            self._stop(self._running[0], IkStatus.CANCELED, "the node is shutting down")
        if self._open:
            self._answered.wait(_LAST_WORDS)
            let_turn(self, _TURNS)
