r"""What joint_trajectory_controller will really execute between trajectory points.

Between two points it runs the cubic through both positions and velocities. Its acceleration is
linear in time, so it is largest at the ends of a piece; its speed is largest at an end or where
the acceleration is zero. Slowing the whole motion by k divides speeds by k and accelerations by
k^2, exactly, as the cubics stay the same curves.
"""

from __future__ import annotations

import math

import numpy as np

from planar_arm_ik.arm.planar_arm import Array

#: What speeds and accelerations may reach, as a multiple of their limits.
OVER = 1.001


def peaks(time: Array, q: Array, qd: Array) -> tuple[Array, Array]:
    """Largest speed and acceleration of the cubics.

    Args:
        time: times of the points [s], increasing, shape (K,).
        q: positions [rad], shape (K, 2).
        qd: velocities [rad/s], shape (K, 2).

    Returns:
        Largest |velocity| [rad/s] and |acceleration| [rad/s^2] per joint, each of shape (2,).
    """
    h, first, last = _pulls(time, q, qd)
    turns = first * last < 0.0
    t = np.where(turns, first / np.where(turns, first - last, 1.0), 0.0)
    inner = qd[:-1] + h * t * (first + 0.5 * t * (last - first))
    speed = np.maximum(np.abs(qd).max(axis=0), np.abs(inner).max(axis=0))
    return speed, np.maximum(np.abs(first).max(axis=0), np.abs(last).max(axis=0))


def stretch_factor(
    time: Array, q: Array, qd: Array, velocity: Array, acceleration: Array
) -> float:
    """Factor, at least 1, by which the motion must slow down to hold the limits.

    Args:
        time: see :func:`peaks`.
        q: see :func:`peaks`.
        qd: see :func:`peaks`.
        velocity: limits [rad/s], shape (2,).
        acceleration: limits [rad/s^2], shape (2,).
    """
    speed, pull = peaks(time, q, qd)
    allowed = 0.5 * (1.0 + OVER)
    by_speed = float((speed / velocity).max()) / allowed
    by_pull = math.sqrt(float((pull / acceleration).max()) / allowed)
    return max(1.0, by_speed, by_pull)


def excess(time: Array, q: Array, qd: Array, acceleration: Array) -> Array:
    """Largest acceleration of each cubic as a multiple of its limit, shape (K - 1,)."""
    _, first, last = _pulls(time, q, qd)
    most: Array = (np.maximum(np.abs(first), np.abs(last)) / acceleration).max(axis=1)
    return most


def _pulls(time: Array, q: Array, qd: Array) -> tuple[Array, Array, Array]:
    """Lengths [s], and accelerations at both ends of the cubics [rad/s^2], (K - 1, 2)."""
    h = np.diff(time)[:, None]
    mean = np.diff(q, axis=0) / h
    first = (6.0 * mean - 4.0 * qd[:-1] - 2.0 * qd[1:]) / h
    last = (2.0 * qd[:-1] + 4.0 * qd[1:] - 6.0 * mean) / h
    return h, first, last
