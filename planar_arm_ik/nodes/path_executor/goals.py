"""Goals and paths as plain values, and why one is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from geometry_msgs.msg import Point, PoseStamped
from nav_msgs.msg import Path
from rclpy.time import Time

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.frames import FrameError, Frames
from planar_arm_ik.nodes.common.interfaces import ExecutePath
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.motion import PathOptions
from planar_arm_ik.trajectories.tolerances import Progress

#: Waypoints farther off the plane than this are worth a word [m].
_FLAT = 1e-6

#: Numbers of a goal that are not negative; 0 leaves them open.
_NUMBERS = (
    "max_joint_step",
    "line_tolerance",
    "tip_speed",
    "velocity_scaling",
    "acceleration_scaling",
)


class RefusalError(PlanarArmError):
    """A path that is not executed."""

    def __init__(self, status: IkStatus, message: str, index: int = -1) -> None:
        super().__init__(message)
        self.status = status
        self.index = index


class NotBegunError(RefusalError):
    """A path that passed its checks and is not executed all the same."""


def options_of(goal: Any, defaults: PathOptions) -> PathOptions:
    """Read a goal's options; 0 and "" stand for the defaults, a negative blend for none.

    Raises:
        RefusalError: a number is not finite or out of range.
    """
    for name in _NUMBERS:
        value = getattr(goal, name)
        if not (math.isfinite(value) and value >= 0.0):
            raise RefusalError(
                IkStatus.INVALID_INPUT, f"{name} {value} must be finite and not negative"
            )
    if not math.isfinite(goal.blend_tolerance):
        text = f"blend_tolerance {goal.blend_tolerance} m must be finite"
        raise RefusalError(IkStatus.INVALID_INPUT, text)
    given = {name: getattr(goal, name) for name in ("rule", "search", *_NUMBERS)}
    given = {name: value for name, value in given.items() if value}
    if goal.blend_tolerance:
        given["blend_tolerance"] = max(0.0, goal.blend_tolerance)
    try:
        return replace(defaults, allow_branch_switch=goal.allow_branch_switch, **given)
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
