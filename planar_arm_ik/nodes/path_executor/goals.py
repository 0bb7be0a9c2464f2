"""What path_executor is asked: its parameters, and goals and paths as plain values."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from geometry_msgs.msg import Point, PoseStamped
from nav_msgs.msg import Path
from rclpy.time import Time

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.branches import Rule
from planar_arm_ik.nodes.common.frames import FrameError, Frames
from planar_arm_ik.nodes.common.interfaces import ExecutePath
from planar_arm_ik.nodes.common.parameters import parameter
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.execution import Progress, Tolerances
from planar_arm_ik.trajectories.motion import PathOptions
from planar_arm_ik.trajectories.timing import CORNER_ANGLE

#: Waypoints farther off the plane than this are worth a word [m].
_FLAT = 1e-6


@dataclasses.dataclass(frozen=True)
class PathExecutorConfig:
    """Parameters of path_executor."""

    branch_selection: str = parameter(
        "nearest", "rule that chooses the elbow", choices=[rule.value for rule in Rule]
    )
    search: str = parameter("greedy", "how paths are searched", choices=["greedy", "global"])
    line_tolerance: float = parameter(
        0.001, "largest distance of the tip from the lines [m]", lower=1e-6, upper=1.0
    )
    corner_angle: float = parameter(
        CORNER_ANGLE, "joint-space bend that is stopped at [rad]", lower=1e-3, upper=math.pi
    )
    max_approach: float = parameter(
        0.0,
        "largest joint motion to the first waypoint [rad], 0 = not checked",
        lower=0.0,
        upper=100.0,
    )
    path_tolerance: float = parameter(
        0.2, "largest joint error on the way [rad], 0 = not checked", lower=0.0, upper=10.0
    )
    path_lag: float = parameter(
        0.3, "how late the arm may be without being off the path [s]", lower=0.0, upper=5.0
    )
    goal_tolerance: float = parameter(
        0.02, "largest joint error at the end [rad], 0 = not checked", lower=0.0, upper=1.0
    )
    goal_time: float = parameter(
        1.0, "time to reach the goal after the end [s]", lower=0.0, upper=60.0
    )
    state_timeout: float = parameter(
        0.5, "age from which joint_states are stale [s]", lower=0.05, upper=10.0
    )
    stall_time: float = parameter(
        0.3,
        "how long the arm may stand still although the plan moves [s], 0 = not checked",
        lower=0.0,
        upper=10.0,
    )
    max_wait: float = parameter(
        60.0, "how far ahead a path may be stamped [s]", lower=0.0, upper=86400.0
    )

    @property
    def tolerances(self) -> Tolerances:
        """What a motion must keep to."""
        return Tolerances(
            self.path_tolerance,
            self.path_lag,
            self.goal_tolerance,
            self.goal_time,
            self.state_timeout,
            self.stall_time,
        )


class RefusalError(PlanarArmError):
    """A path that is not executed."""

    def __init__(self, status: IkStatus, message: str, index: int = -1) -> None:
        super().__init__(message)
        self.status = status
        self.index = index


class NotBegunError(RefusalError):
    """A path that passed its checks and is not executed all the same."""


def options_of(goal: Any, config: PathExecutorConfig) -> PathOptions:
    """Read a goal's options; 0 and "" stand for the default or the parameter.

    Raises:
        RefusalError: a number is not finite or out of range.
    """
    names = (
        "max_joint_step",
        "line_tolerance",
        "tip_speed",
        "velocity_scaling",
        "acceleration_scaling",
    )
    for name in names:
        value = getattr(goal, name)
        if not (math.isfinite(value) and value >= 0.0):
            raise RefusalError(
                IkStatus.INVALID_INPUT, f"{name} {value} must be finite and not negative"
            )
    try:
        return PathOptions(
            goal.rule or config.branch_selection,
            goal.search or config.search,
            goal.max_joint_step or math.inf,
            goal.line_tolerance or config.line_tolerance,
            goal.allow_branch_switch,
            goal.tip_speed,
            goal.velocity_scaling or 1.0,
            goal.acceleration_scaling or 1.0,
            config.corner_angle,
            config.max_approach or math.inf,
        )
    except PlanarArmError as error:
        raise RefusalError(IkStatus.INVALID_INPUT, str(error)) from None


def waypoints_of(path: Path, frames: Frames) -> tuple[Array, str]:
    """Bring the poses of a path into the base frame.

    Returns:
        Waypoints (x, y) [m], shape (N, 2), and a sentence about poses off the plane.

    Raises:
        RefusalError: a frame is unknown, or a coordinate is not finite.
    """
    points = np.empty((len(path.poses), 3))
    for index, stamped in enumerate(path.poses):
        position = stamped.pose.position
        given = np.array((position.x, position.y, position.z))
        if not np.isfinite(given).all():
            text = f"waypoint {index} {tuple(given.tolist())} m must be finite"
            raise RefusalError(IkStatus.INVALID_INPUT, text, index)
        frame = stamped.header.frame_id or path.header.frame_id
        try:
            points[index] = frames.point_in_base(frame, given)
        except FrameError as error:
            raise RefusalError(IkStatus.FRAME, f"waypoint {index}: {error}", index) from None
    off = float(np.abs(points[:, 2]).max(initial=0.0))
    note = f"waypoints lie up to {off:.4g} m off the plane of the arm" if off > _FLAT else ""
    return points[:, :2], note


def seconds_ahead(path: Path, now: Time, max_wait: float) -> tuple[float, str]:
    """How far a path is stamped in the future.

    Args:
        path: the path; stamp 0 means now.
        now: the node's time.
        max_wait: largest time ahead [s].

    Returns:
        Time to wait [s], not negative, and a sentence with both times when the stamp is past.

    Raises:
        RefusalError: the stamp is negative or too far ahead.
    """
    sec, nanosec = path.header.stamp.sec, path.header.stamp.nanosec
    if sec < 0:
        raise RefusalError(IkStatus.INVALID_INPUT, f"stamp {sec} s must not be negative")
    stamp = sec * 10**9 + nanosec
    if stamp == 0:
        return 0.0, ""
    ahead = 1e-9 * (stamp - now.nanoseconds)
    times = f"the path is stamped {1e-9 * stamp:.3f} s, now is {1e-9 * now.nanoseconds:.3f} s"
    if ahead > max_wait:
        text = f"{times}: more than max_wait {max_wait} s ahead"
        raise RefusalError(IkStatus.INVALID_INPUT, text)
    return (ahead, "") if ahead > 0.0 else (0.0, f"{times}: it starts now")


def feedback(progress: Progress, tip: Array) -> Any:
    """Feedback message from progress and the measured tip (x, y) [m]."""
    x, y = map(float, tip)
    return ExecutePath.Feedback(
        waypoint_index=progress.waypoint_index,
        fraction=progress.fraction,
        time_remaining=progress.time_remaining,
        tip=Point(x=x, y=y, z=0.0),
    )


def tip_path(tips: Array, frame: str, stamp: Any) -> Path:
    """Tip positions (x, y) [m], shape (M, 2), as a path to be shown."""
    path = Path()
    path.header.frame_id, path.header.stamp = frame, stamp
    for x, y in tips.tolist():
        pose = PoseStamped(header=path.header)
        pose.pose.position.x, pose.pose.position.y = x, y
        path.poses.append(pose)
    return path
