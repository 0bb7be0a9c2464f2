"""The course of a goal: checked, planned, its turn awaited, the arm taken over, executed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.action.server import ServerGoalHandle
from rclpy.task import Future

from planar_arm_ik.nodes.common.measured import MeasuredJoints
from planar_arm_ik.nodes.common.parameters import Parameters
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.common.waiting import Waiting
from planar_arm_ik.nodes.path_executor.arbitration import Arbitration
from planar_arm_ik.nodes.path_executor.goals import seconds_ahead
from planar_arm_ik.nodes.path_executor.motion_under_way import MotionUnderWay
from planar_arm_ik.nodes.path_executor.parameters import PathExecutorConfig
from planar_arm_ik.nodes.path_executor.planning import PathPlanning
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.motion import PathMotion

#: Time in which a driver or controller that is there is found, also on a busy machine [s].
_DISCOVERY = 2.0

_NOTHING = "nothing to do: the arm is there"


class GoalCourse:
    """Takes goals from their acceptance to their end.

    Args:
        node: the path executor.
        settings: its parameters.
        measured: the arm's joints.
        waiting: where its coroutines wait.
        planning: where goals become motions.
        arbitration: whose turn it is.
        motion: the motion under way.
    """

    def __init__(
        self,
        node: ArmNode,
        settings: Parameters[PathExecutorConfig],
        measured: MeasuredJoints,
        waiting: Waiting,
        planning: PathPlanning,
        arbitration: Arbitration,
        motion: MotionUnderWay,
    ) -> None:
        self._node, self._settings, self._measured = node, settings, measured
        self._waiting, self._planning = waiting, planning
        self._arbitration, self._motion = arbitration, motion

    async def run(
        self, goal: Any, handle: ServerGoalHandle | None, result: Any, ticket: int
    ) -> tuple[IkStatus, str]:
        """Run one goal and fill in its result; return how it ended.

        Raises:
            RefusalError: the goal is refused, or did not begin.
        """
        if goal.plan_only:
            motion, note = await self._planned(goal, result)
            return motion.plan.status, note
        clock, now = self._node.steady, self._node.get_clock().now()
        ahead, late = seconds_ahead(goal.path, now, self._settings.value.max_wait)
        begin = clock.now() + ahead
        if self._measured.latest is None:  # a driver found this moment
            await self._discovered(lambda: self._measured.latest is not None)
        motion, note = await self._planned(goal, result)
        self._arbitration.advance(ticket, handle)
        if late:
            self._node.get_logger().info(late)
        if self._motion.ended is not None or ahead > 0.0:
            await self._turn(begin, ticket, handle)
            motion, note = await self._planned(goal, result)
            self._arbitration.check(ticket, handle)
        if await self._arbitration.take_over(ticket, handle):
            motion, note = await self._planned(goal, result)
            self._arbitration.check(ticket, handle)
        return await self._executed(motion, note, handle, result, ticket)

    async def _executed(
        self,
        motion: PathMotion,
        note: str,
        handle: ServerGoalHandle | None,
        result: Any,
        ticket: int,
    ) -> tuple[IkStatus, str]:
        if motion.trajectory is None:
            return motion.plan.status, "; ".join(filter(None, (_NOTHING, note)))
        if not self._motion.receivers.settled:
            await self._discovered(lambda: self._motion.receivers.settled)
            self._arbitration.check(ticket, handle)
        status, message = await self._motion.run(motion, motion.trajectory, handle, result)
        return status, message if status < 0 else note

    async def _planned(self, goal: Any, result: Any) -> tuple[PathMotion, str]:
        planning = self._planning.planning(goal, result)
        await self._waiting.until(planning.done)
        return planning.result()

    def _discovered(self, found: Callable[[], bool]) -> Future:
        """Future of `found`, or of the time by which a peer would have been found."""
        deadline = self._node.steady.now() + _DISCOVERY
        return self._waiting.until(
            lambda: found() or self._arbitration.closed or self._node.steady.now() > deadline
        )

    async def _turn(self, begin: float, ticket: int, handle: ServerGoalHandle | None) -> None:
        """Wait for the time of the path, then stop what runs and wait for its end."""
        arbitration, motion = self._arbitration, self._motion
        await self._waiting.until(
            lambda: self._node.steady.now() >= begin or arbitration.is_over(ticket, handle)
        )
        arbitration.check(ticket, handle)
        if motion.ended is not None:
            ended = motion.ended
            arbitration.claim.take(ticket)
            motion.stop(IkStatus.PREEMPTED, "a new path came in")
            await ended
        arbitration.check(ticket, handle)
