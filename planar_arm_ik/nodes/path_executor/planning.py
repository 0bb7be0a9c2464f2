"""Goals of path_executor become timed motions, or refusals, in a thread of their own."""

from __future__ import annotations

import math
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from nav_msgs.msg import Path
from rclpy.node import Node

from planar_arm_ik.arm.joint_states import MeasuredState
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.frames import Frames
from planar_arm_ik.nodes.common.handover import LATCHED
from planar_arm_ik.nodes.common.measured import MeasuredJoints
from planar_arm_ik.nodes.common.parameters import Parameters
from planar_arm_ik.nodes.common.trajectory_messages import to_message
from planar_arm_ik.nodes.path_executor.goals import (
    RefusalError,
    options_of,
    tip_path,
    waypoints_of,
)
from planar_arm_ik.nodes.path_executor.parameters import PathExecutorConfig
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.motion import PathMotion, prepare


class PathPlanning:
    """Plans and times goals from where the arm is; shows accepted paths on ``~/plan``."""

    def __init__(
        self,
        node: Node,
        description: ArmDescription,
        settings: Parameters[PathExecutorConfig],
        measured: MeasuredJoints,
    ) -> None:
        self._node, self._description = node, description
        self._settings, self._measured = settings, measured
        self._frames = Frames(node, description.base_frame)
        self._plan = node.create_publisher(Path, "~/plan", LATCHED)
        self._planner = ThreadPoolExecutor(max_workers=1, thread_name_prefix="planner")

    def planning(self, goal: Any, result: Any) -> Future[tuple[PathMotion, str]]:
        """:meth:`prepared` in a thread of its own, so that the node goes on watching."""
        return self._planner.submit(self.prepared, goal, result)

    def close(self) -> None:
        """Plan no more."""
        self._planner.shutdown(wait=False, cancel_futures=True)

    def prepared(self, goal: Any, result: Any) -> tuple[PathMotion, str]:
        """Plan and time a path from where the arm is; fill in the result.

        Raises:
            RefusalError: the path is refused; nothing was sent.
        """
        state = self._state(needed=not goal.plan_only)
        options = options_of(goal, self._settings.value.options)
        waypoints, note = waypoints_of(goal.path, self._frames)
        start = None if state is None else state.q
        arm, obstacles = self._description.arm, self._description.obstacles
        try:
            motion = prepare(arm, waypoints, start, options, obstacles)
        except PlanarArmError as error:
            raise RefusalError(IkStatus.INVALID_INPUT, str(error)) from None
        plan = motion.plan
        result.failed_index, result.fraction = plan.failed_index, plan.fraction
        result.largest_joint_step = plan.largest_step
        result.largest_step_index = plan.largest_step_index
        if not motion.ok:
            raise RefusalError(plan.status, plan.message)
        if motion.trajectory is not None:
            result.trajectory = to_message(motion.trajectory, self._description.joint_names)
        stamp = self._node.get_clock().now().to_msg()
        tips = arm.forward(plan.q)
        self._plan.publish(tip_path(tips, self._description.base_frame, stamp))
        return motion, "; ".join(filter(None, (plan.message, note)))

    def _state(self, needed: bool) -> MeasuredState | None:
        """Measured state, fresh.

        Raises:
            RefusalError: there is none although it is needed.
        """
        state = self._measured.fresh(self._settings.value.state_timeout)
        if state is None and needed:
            age = self._measured.age()
            text = f"joint_states are {age:.3g} s old" if age < math.inf else "no joint_states yet"
            raise RefusalError(IkStatus.NO_STATE, text)
        return state
