r"""How fast a curve is passed: speed squared over arc length, and trajectories from it.

x(u) = (du/dt)^2 is linear between grid points, so the motion there has a constant
d2u/dt2 = (x1 - x0) / (2 du) and takes 2 du / (sqrt x0 + sqrt x1) (Pham, Pham, *A new approach to
time-optimal path parameterization*, IEEE T-RO 2018).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.trajectories.joint_curve import Stretch
from planar_arm_ik.trajectories.sample_times import NEAR, SPACING, sample_times


@dataclass(frozen=True, eq=False)
class Profile:
    """Motion along a stretch, from rest to rest.

    Args:
        u: arc lengths [rad], increasing from 0, shape (N,).
        x: speed squared [rad^2/s^2], zero at both ends, positive between, shape (N,).
    """

    u: Array
    x: Array

    @property
    def times(self) -> Array:
        """Time at each grid point [s], shape (N,)."""
        speed = np.sqrt(self.x)
        pieces = 2.0 * np.diff(self.u) / (speed[1:] + speed[:-1])
        return np.concatenate(([0.0], np.cumsum(pieces)))

    @property
    def duration(self) -> float:
        """Time from end to end [s]."""
        return float(self.times[-1])

    def at(self, times: Array, t: Array) -> tuple[Array, Array]:
        """Arc length [rad] and speed [rad/s] at times t [s]."""
        k = np.clip(np.searchsorted(times, t, side="right"), 1, len(times) - 1)
        begin = t - times[k - 1]
        push = (self.x[k] - self.x[k - 1]) / (2.0 * (self.u[k] - self.u[k - 1]))
        speed = np.sqrt(self.x[k - 1])
        u = self.u[k - 1] + begin * (speed + 0.5 * push * begin)
        return np.clip(u, 0.0, self.u[-1]), np.maximum(0.0, speed + push * begin)

    def time_of(self, u: Array) -> Array:
        """Time [s] at which arc lengths [rad] are passed."""
        k = np.clip(np.searchsorted(self.u, u, side="right"), 1, len(self.u) - 1)
        speed = np.sqrt(self.x[k - 1]) + np.sqrt(np.interp(u, self.u, self.x))
        passed: Array = self.times[k - 1] + 2.0 * (u - self.u[k - 1]) / np.maximum(speed, 1e-300)
        return passed

    def points(self, stretch: Stretch, spacing: float = SPACING) -> tuple[Array, Array, Array]:
        """Trajectory points: times [s] (K,), q [rad] and qd [rad/s] (K, 2).

        At most `spacing` [s] apart, and at the places where the acceleration switches, as a cubic
        across a switch would overshoot it.
        """
        times = self.times
        _, slope, bend = stretch.evaluate(self.u)
        push = np.diff(self.x) / (2.0 * np.diff(self.u))
        middle = 0.5 * (self.x[1:] + self.x[:-1])[:, None]
        pull = (
            0.5 * (slope[1:] + slope[:-1]) * push[:, None] + 0.5 * (bend[1:] + bend[:-1]) * middle
        )
        jump = np.abs(np.diff(pull, axis=0)).max(axis=1)
        switches = times[1:-1][jump > 0.1 * np.abs(pull).max()]
        t = sample_times(switches, float(times[-1]), spacing)
        u, speed = self.at(times, t)
        q, slope, _ = stretch.evaluate(u)
        q[0], q[-1] = stretch.rows[0], stretch.rows[-1]
        speed[[0, -1]] = 0.0
        return t, q, slope * speed[:, None]


def trapezoid(stretch: Stretch, speed: float, push: float) -> Profile:
    """Move with at most `speed` [rad/s] and `push` [rad/s^2] in arc length.

    A ramp lasts long enough to get a trajectory point at its end: the cubic of one that ends
    between two points would overshoot the speed, and the whole motion be slowed for it.
    """
    length = stretch.length
    push = min(push, speed / (1.01 * NEAR))
    ramp = min(0.5 * length, speed * speed / (2.0 * push))
    top = 2.0 * push * ramp
    if ramp < 0.5 * length * (1.0 - 1e-9):
        return Profile(
            np.array((0.0, ramp, length - ramp, length)), np.array((0.0, top, top, 0.0))
        )
    return Profile(np.array((0.0, 0.5 * length, length)), np.array((0.0, top, 0.0)))
