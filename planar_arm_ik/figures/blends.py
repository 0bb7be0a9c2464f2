"""What rounding the corners of a path does to the speed of the tip along it."""

from __future__ import annotations

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.figures.style import DASHES, Figure, Theme, new_figure
from planar_arm_ik.trajectories.motion import PathOptions, prepare

#: Points of the example's circle, and its radius as a part of the reach.
_POINTS, _RADIUS = 24, 1.0 / 18.0
_TOLERANCE = 0.5e-3


def blends(arm: PlanarArm, theme: Theme) -> Figure:
    """Tip speed over the way along a circle of 24 points: exact, and with rounded corners."""
    a = np.linspace(0.0, 2.0 * np.pi, _POINTS + 1)
    reach = arm.outer_radius
    circle = np.array((0.55, 0.1)) * reach
    circle = circle + _RADIUS * reach * np.stack((np.cos(a), np.sin(a)), axis=1)
    figure, (axes,) = new_figure(2.6)
    colors = (theme.negative, theme.positive)
    for tolerance, color, dash in zip((0.0, _TOLERANCE), colors, DASHES, strict=False):
        way, speed, duration = _speed_over_way(arm, circle, tolerance)
        name = f"rounded within {1e3 * tolerance:g} mm" if tolerance else "exact"
        axes.plot(way, speed, dash, color=color, label=f"{name}: {duration:.2f} s")
    axes.set(xlabel="way of the tip [m]", ylabel="tip speed [m/s]")
    axes.set_ylim(bottom=0.0)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return figure


def _speed_over_way(arm: PlanarArm, points: Array, tolerance: float) -> tuple[Array, Array, float]:
    """Way [m] and speed [m/s] of the tip every 2 ms, and how long it takes [s]."""
    trajectory = prepare(arm, points, None, PathOptions(blend_tolerance=tolerance)).trajectory
    if trajectory is None:
        raise PlanarArmError("the arm does not reach the circle of the figure")
    time = np.linspace(0.0, trajectory.duration, round(500 * trajectory.duration))
    q, qd, _ = trajectory.states(time)
    speed = np.hypot(*np.einsum("nij,nj->ni", arm.jacobian(q), qd).T)
    steps = np.hypot(*np.diff(arm.forward(q), axis=0).T)
    return np.concatenate(([0.0], np.cumsum(steps))), speed, trajectory.duration
