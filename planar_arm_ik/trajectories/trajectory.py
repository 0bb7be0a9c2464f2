"""Timed joint trajectories, sampled as joint_trajectory_controller does.

Between two points with positions and velocities the motion is the cubic that meets both (Hermite
form), between points with positions only it is a straight line, as in ros2_controllers'
``trajectory.cpp``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.errors import PlanarArmError


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Points of a joint motion.

    Args:
        time: time from the start [s], strictly increasing, shape (M,).
        q: joint angles [rad], shape (M, 2).
        qd: joint velocities [rad/s], shape (M, 2), or None for straight lines between points.

    Raises:
        PlanarArmError: shapes do not fit, a number is not finite, or times do not increase.
    """

    time: Array
    q: Array
    qd: Array | None

    def __post_init__(self) -> None:
        m = self.time.shape[0]
        rows = [self.q] if self.qd is None else [self.q, self.qd]
        if m == 0 or any(array.shape != (m, 2) for array in rows):
            shapes = [array.shape for array in (self.time, *rows)]
            raise PlanarArmError(
                f"trajectory arrays have shapes {shapes}; the rule is (M,), (M, 2), (M, 2), M > 0"
            )
        if not all(np.isfinite(array).all() for array in (self.time, *rows)):
            raise PlanarArmError("trajectory numbers must be finite")
        steps = np.diff(self.time)
        if self.time[0] < 0.0 or (steps <= 0.0).any():
            bad = 0 if self.time[0] < 0.0 else int(np.argmax(steps <= 0.0)) + 1
            raise PlanarArmError(
                f"trajectory point {bad} is at {self.time[bad]} s; times must increase from 0"
            )

    @property
    def duration(self) -> float:
        """Time of the last point [s]."""
        return float(self.time[-1])

    def sample(self, t: float) -> tuple[Array, Array]:
        """Position [rad] and velocity [rad/s] at time `t` [s], each of shape (2,).

        Before the first point the first position holds, after the last one the last, both at
        rest.
        """
        if t < self.time[0]:
            return self.q[0], np.zeros(2)
        if t >= self.time[-1]:
            return self.q[-1], np.zeros(2)
        k = int(np.searchsorted(self.time, t, side="right"))
        h = float(self.time[k] - self.time[k - 1])
        u = (t - float(self.time[k - 1])) / h
        if self.qd is None:
            step = self.q[k] - self.q[k - 1]
            return self.q[k - 1] + u * step, step / h
        return _hermite(u, h, self.q[k - 1], self.qd[k - 1], self.q[k], self.qd[k])

    def states(self, t: Array) -> tuple[Array, Array, Array]:
        """Position [rad], velocity [rad/s] and acceleration [rad/s^2] at many times.

        Args:
            t: times from the start [s], shape (K,); those outside are moved to the ends.

        Returns:
            Each of shape (K, 2).
        """
        t = np.clip(t, self.time[0], self.time[-1])
        if len(self.time) == 1:
            q = np.repeat(self.q, len(t), axis=0)
            return q, np.zeros_like(q), np.zeros_like(q)
        k = np.clip(np.searchsorted(self.time, t, side="right"), 1, len(self.time) - 1)
        h = (self.time[k] - self.time[k - 1])[:, None]
        u = (t - self.time[k - 1])[:, None] / h
        q0, delta = self.q[k - 1], self.q[k] - self.q[k - 1]
        if self.qd is None:
            return q0 + u * delta, delta / h, np.zeros_like(delta)
        qd0, qd1 = self.qd[k - 1], self.qd[k]
        position, velocity = _hermite(u, h, q0, qd0, self.q[k], qd1)
        c2, c3 = _bends(delta, h, qd0, qd1)
        return position, velocity, (2.0 * c2 + 6.0 * u * c3) / h**2

    def then(self, other: Trajectory) -> Trajectory:
        """Return this motion followed by `other`, which starts where this one ends.

        Both have velocities.
        """
        if self.qd is None or other.qd is None:
            raise PlanarArmError("only trajectories with velocities can be joined")
        return Trajectory(
            np.concatenate((self.time, other.time[1:] + self.duration)),
            np.concatenate((self.q, other.q[1:])),
            np.concatenate((self.qd, other.qd[1:])),
        )


def _bends(delta: Array, h: float | Array, qd0: Array, qd1: Array) -> tuple[Array, Array]:
    """Quadratic and cubic coefficient, over the fraction of a piece of h seconds."""
    return 3.0 * delta - h * (2.0 * qd0 + qd1), h * (qd0 + qd1) - 2.0 * delta


def _hermite(
    u: float | Array, h: float | Array, q0: Array, qd0: Array, q1: Array, qd1: Array
) -> tuple[Array, Array]:
    """Cubic through (q0, qd0) and (q1, qd1) at fraction u of a piece of h seconds."""
    c2, c3 = _bends(q1 - q0, h, qd0, qd1)
    position = q0 + u * (h * qd0 + u * (c2 + u * c3))
    velocity = qd0 + u / h * (2.0 * c2 + 3.0 * u * c3)
    return position, velocity
