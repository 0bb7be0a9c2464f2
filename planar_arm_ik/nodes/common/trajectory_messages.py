"""``trajectory_msgs/JointTrajectory`` to :class:`Trajectory` and back."""

from __future__ import annotations

import math

import numpy as np
from builtin_interfaces.msg import Duration
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.trajectories.trajectory import Trajectory


def to_message(trajectory: Trajectory, joint_names: tuple[str, str]) -> JointTrajectory:
    """Fill a message that joint_trajectory_controller accepts: stamp 0, effort empty."""
    message = JointTrajectory(joint_names=list(joint_names))
    velocities = [[]] * len(trajectory.time) if trajectory.qd is None else trajectory.qd.tolist()
    message.points = [
        JointTrajectoryPoint(positions=q, velocities=qd, time_from_start=_duration(t))
        for t, q, qd in zip(trajectory.time, trajectory.q.tolist(), velocities, strict=True)
    ]
    return message


def from_message(message: JointTrajectory, joint_names: tuple[str, str]) -> Trajectory:
    """Read a message; joints are found by name, in any order, others are ignored.

    Raises:
        PlanarArmError: a joint is missing, an array's length is wrong, a number is not finite,
            or times do not increase.
    """
    try:
        columns = [message.joint_names.index(name) for name in joint_names]
    except ValueError:
        raise PlanarArmError(
            f"the trajectory names {list(message.joint_names)}; it must name {list(joint_names)}"
        ) from None
    count = len(message.joint_names)
    for index, point in enumerate(message.points):
        if len(point.positions) != count or len(point.velocities) not in (0, count):
            raise PlanarArmError(
                f"trajectory point {index} has {len(point.positions)} positions and "
                f"{len(point.velocities)} velocities for {count} joints"
            )
    with_velocities = all(len(point.velocities) for point in message.points)
    time = [_seconds(point.time_from_start) for point in message.points]
    q = np.array([point.positions for point in message.points], dtype=np.float64)
    qd = None
    if with_velocities:
        qd = np.array([point.velocities for point in message.points], dtype=np.float64)
        qd = qd.reshape(-1, count)[:, columns]
    return Trajectory(np.array(time), q.reshape(-1, count)[:, columns], qd)


def _duration(seconds: float) -> Duration:
    whole = math.floor(seconds)
    nanoseconds = round((seconds - whole) * 1e9)
    return Duration(sec=int(whole + nanoseconds // 10**9), nanosec=int(nanoseconds % 10**9))


def _seconds(duration: Duration) -> float:
    return float(duration.sec) + 1e-9 * float(duration.nanosec)
