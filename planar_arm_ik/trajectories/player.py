"""Plays trajectories as joint_trajectory_controller does: a new one replaces the old at once.

Until the first point of the new one the motion leads there from where the command is, in
position and velocity, so nothing jumps.
"""

from __future__ import annotations

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.trajectories.trajectory import Trajectory


class TrajectoryPlayer:
    """The commanded state over time.

    Args:
        q: joint angles to hold at first [rad], shape (2,).
    """

    def __init__(self, q: Array) -> None:
        self.hold(q)

    def hold(self, q: Array) -> None:
        """Stay at `q` [rad] from now on."""
        self._trajectory = Trajectory(np.zeros(1), np.array([q]), None)
        self._begin = 0.0

    def play(self, trajectory: Trajectory, now: float) -> None:
        """Replace what is played.

        Args:
            trajectory: its time counts from `now`.
            now: time [s] of any clock, the same as in :meth:`sample`.
        """
        q, qd = self.sample(now)
        self._begin = now
        if trajectory.time[0] <= 0.0:
            self._trajectory = trajectory
            return
        velocities = None
        if trajectory.qd is not None:
            velocities = np.concatenate((qd[None], trajectory.qd))
        self._trajectory = Trajectory(
            np.concatenate(([0.0], trajectory.time)),
            np.concatenate((q[None], trajectory.q)),
            velocities,
        )

    def sample(self, now: float) -> tuple[Array, Array]:
        """Commanded position [rad] and velocity [rad/s] at time `now` [s]."""
        return self._trajectory.sample(now - self._begin)

    def finished(self, now: float) -> bool:
        """Whether the last point has been reached."""
        return now - self._begin >= self._trajectory.duration
