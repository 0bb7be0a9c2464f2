"""Where the tip can go: the ring, its hole, and per elbow the part the joint limits leave.

For one elbow (sign of sin q2) the tip map is one-to-one on less than a turn of q1, so the
rectangle of joint angles within the limits maps to a sheet: its triangles are the rectangle's
grid mapped by forward kinematics, its outline the rectangle's edges mapped the same way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array, JointLimits, PlanarArm
from planar_arm_ik.status import Branch

Interval = tuple[float, float]

_TURN = 2.0 * math.pi
#: Narrower intervals hold no area to show [rad].
_NOTHING = 1e-9


@dataclass(frozen=True, eq=False)
class Sheet:
    """The part of the plane one elbow branch reaches within the joint limits.

    Args:
        branch: the elbow.
        vertices: points in the base frame (x, y) [m], shape (V, 2).
        triangles: counter-clockwise or clockwise triples of vertex indices, shape (T, 3).
        outlines: closed polylines (first point repeated at the end) [m], each of shape (P, 2).
    """

    branch: Branch
    vertices: Array
    triangles: NDArray[np.int64]
    outlines: tuple[Array, ...]


def circle(radius: float, step: float = math.radians(3.0)) -> Array:
    """Closed circle about the shoulder (x, y) [m], shape (P, 2)."""
    angle = _steps((0.0, _TURN), step)
    return radius * np.stack((np.cos(angle), np.sin(angle)), axis=-1)


def workspace_sheets(arm: PlanarArm, step: float = math.radians(3.0)) -> tuple[Sheet, ...]:
    """The reachable sheets of both elbows.

    Args:
        arm: the arm.
        step: largest angle between neighbouring grid points [rad].

    Returns:
        One sheet per elbow and interval of q2 the limits leave; none when they leave nothing.
    """
    shoulder = _shoulder_interval(arm.joint1)
    return tuple(
        _sheet(arm, branch, shoulder, elbow, step)
        for branch in (Branch.POSITIVE, Branch.NEGATIVE)
        for elbow in elbow_intervals(arm.joint2, branch)
    )


def elbow_intervals(limits: JointLimits, branch: Branch) -> tuple[Interval, ...]:
    """Intervals of q2 within (-pi, pi] on one elbow branch that the limits leave [rad]."""
    low, high = (0.0, math.pi) if branch is Branch.POSITIVE else (-math.pi, 0.0)
    if limits.upper - limits.lower >= _TURN:
        return ((low, high),)
    first = math.floor((limits.lower - high) / _TURN)
    last = math.ceil((limits.upper - low) / _TURN)
    found = []
    for turn in range(first, last + 1):
        start = max(low, limits.lower - turn * _TURN)
        end = min(high, limits.upper - turn * _TURN)
        if end - start > _NOTHING:
            found.append((start, end))
    return tuple(found)


def _shoulder_interval(limits: JointLimits) -> Interval:
    """Interval of q1, never more than a turn."""
    if limits.upper - limits.lower >= _TURN:
        return -math.pi, math.pi
    return limits.lower, limits.upper


def _sheet(
    arm: PlanarArm, branch: Branch, shoulder: Interval, elbow: Interval, step: float
) -> Sheet:
    q1, q2 = _steps(shoulder, step), _steps(elbow, step)
    grid = np.stack(np.meshgrid(q1, q2, indexing="ij"), axis=-1)
    tips = arm.forward(grid)
    return Sheet(
        branch,
        tips.reshape(-1, 2),
        _grid_triangles(len(q1), len(q2)),
        _outlines(tips, whole_turn=shoulder[1] - shoulder[0] >= _TURN),
    )


def _outlines(tips: Array, whole_turn: bool) -> tuple[Array, ...]:
    """Edges of the grid as closed lines: one loop, or two circles for a whole turn of q1."""
    if whole_turn:
        return tips[:, 0], tips[:, -1]
    loop = (tips[:, 0], tips[-1, 1:], tips[-2::-1, -1], tips[0, -2::-1])
    return (np.concatenate(loop),)


def _grid_triangles(rows: int, columns: int) -> NDArray[np.int64]:
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, up = corner + 1, corner + columns
    lower = np.stack((corner, up, right), axis=-1)
    upper = np.stack((right, up, up + 1), axis=-1)
    return np.concatenate((lower, upper))


def _steps(interval: Interval, step: float) -> Array:
    count = max(2, math.ceil((interval[1] - interval[0]) / step) + 1)
    return np.linspace(interval[0], interval[1], count)
