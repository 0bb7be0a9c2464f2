"""Plays joint trajectories as joint_trajectory_controller does.

A new trajectory replaces the old one at once. It starts at the present set point, so a first point
that lies ahead in time is approached from where the arm is. Points with velocities are joined by
cubics, points without by straight lines.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planar_arm_ik.arm import Array
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class JointPoints:
    """A trajectory as commanded: positions, and velocities where given.

    Args:
        time: time from the start [s], strictly increasing, shape (M,).
        q: joint angles [rad], shape (M, 2).
        qd: joint velocities [rad/s], shape (M, 2), or None for straight lines.
        delay: time from receipt to the start [s]; negative when it should have started before.

    Raises:
        PlanarArmError: shapes do not fit, a number is not finite, or times do not increase.
    """

    time: Array
    q: Array
    qd: Array | None = None
    delay: float = 0.0

    def __post_init__(self) -> None:
        Trajectory(self.time, self.q, np.zeros_like(self.q) if self.qd is None else self.qd)
        if not np.isfinite(self.delay):
            raise PlanarArmError(f"trajectory delay {self.delay} s must be finite")
        if self.delay + float(self.time[-1]) < 0.0:
            raise PlanarArmError(
                f"the trajectory ended {-self.delay - self.time[-1]:.3f} s before it arrived; "
                "send stamp 0 to start now"
            )


class Player:
    """The trajectory that is being played, if any."""

    def __init__(self) -> None:
        self._points: JointPoints | None = None
        self._start = 0.0

    def play(
        self, points: JointPoints, now: float, position: list[float], velocity: list[float]
    ) -> None:
        """Replace whatever plays.

        Args:
            points: the new trajectory.
            now: time of receipt [s].
            position: present set point [rad].
            velocity: its velocity [rad/s].
        """
        self._start = now + points.delay
        since = max(-points.delay, 0.0)
        later = points.time > since
        first = since if since < points.time[-1] else float(points.time[-1]) - 1e-9
        later[-1] = True
        if points.time[0] == 0.0 and points.delay >= 0.0:
            self._points = points
            return
        qd = None
        if points.qd is not None:
            qd = np.concatenate(([velocity], points.qd[later]))
        self._points = JointPoints(
            np.concatenate(([first], points.time[later])),
            np.concatenate(([position], points.q[later])),
            qd,
        )

    def stop(self) -> None:
        """Forget the trajectory."""
        self._points = None

    def sample(self, now: float) -> list[float] | None:
        """Wanted joint angles [rad]; None when nothing plays (not yet, or no more)."""
        points = self._points
        if points is None or now < self._start:
            return None
        t = now - self._start
        if t >= points.time[-1]:
            self._points = None
            return [float(value) for value in points.q[-1]]
        if points.qd is None:
            return [float(np.interp(t, points.time, points.q[:, k])) for k in range(2)]
        return [float(v) for v in Trajectory(points.time, points.q, points.qd).sample(t)[0]]
