"""Worked examples of joint speed near the singularities: damping, and the twist follower."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.differential import VelocityStep, damped_step
from planar_arm_ik.following.follower import Follower, Memory
from planar_arm_ik.following.report import Sensed, Twist

#: The example near stretch: links of 1 m along x, the tip asked to move along x.
UNIT_ARM = PlanarArm(1.0, 1.0)
TIP_VELOCITY = (0.01, 0.0)  #: [m/s]
DAMPINGS = (0.0, 0.01, 0.05)  #: lambda [m/rad]; 0 is the pseudoinverse


@dataclass(frozen=True, eq=False)
class Run:
    """A simulated motion.

    Args:
        t: times [s], shape (N,).
        q: joint angles [rad], shape (N, 2).
        joint_velocity: joint speeds of the cycle that ends there [rad/s], shape (N, 2).
    """

    t: Array
    q: Array
    joint_velocity: Array


def step_near_stretch(q2_deg: float, damping: float) -> VelocityStep:
    """Joint speed of the example near stretch at one elbow angle [deg] for one damping."""
    return damped_step(UNIT_ARM, (0.0, math.radians(q2_deg)), TIP_VELOCITY, damping)


def run_damped(
    arm: PlanarArm,
    start: ArrayLike,
    tip_velocity: ArrayLike,
    damping: float,
    duration: float,
    dt: float = 0.001,
) -> Run:
    """Integrate damped least squares without any limit, for comparison.

    Args:
        arm: the arm.
        start: joint angles [rad], shape (2,).
        tip_velocity: [m/s], base frame, shape (2,).
        damping: lambda [m/rad]; 0 is the pseudoinverse.
        duration: [s].
        dt: step of the integration [s].
    """
    q = np.array(start, dtype=np.float64)
    rows, speeds = [q], [np.zeros(2)]
    for _ in range(round(duration / dt)):
        speeds.append(damped_step(arm, rows[-1], tip_velocity, damping).joint_velocity)
        rows.append(rows[-1] + speeds[-1] * dt)
    return Run(dt * np.arange(len(rows), dtype=np.float64), np.array(rows), np.array(speeds))


def run_follower(
    arm: PlanarArm, start: ArrayLike, tip_velocity: ArrayLike, duration: float
) -> Run:
    """Run the twist follower with its default settings on an arm that does what it is told.

    Args:
        arm: the arm; its speed and acceleration limits are kept.
        start: joint angles [rad], shape (2,).
        tip_velocity: [m/s], base frame, shape (2,).
        duration: [s].
    """
    config = FollowerConfig(arm)
    follower, memory = Follower(config), Memory()
    q1, q2 = (float(value) for value in np.asarray(start, dtype=np.float64))
    vx, vy = (float(value) for value in np.asarray(tip_velocity, dtype=np.float64))
    twist, position = Twist(vx, vy), (q1, q2)
    rows, speeds = [position], [(0.0, 0.0)]
    for _ in range(round(duration / config.period)):
        outcome = follower.step(memory, Sensed(config.period, twist, 0.0, position, 0.0))
        memory, velocity = outcome.memory, (0.0, 0.0)
        if outcome.command is not None:
            position, velocity = outcome.command
        rows.append(position)
        speeds.append(velocity)
    t = config.period * np.arange(len(rows), dtype=np.float64)
    return Run(t, np.array(rows), np.array(speeds))
