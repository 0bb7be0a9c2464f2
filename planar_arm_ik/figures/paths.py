"""A planned tip path: the arm's poses along it, and the joint angles."""

from __future__ import annotations

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.figures.style import DASHES, Axes, Figure, Theme, new_figure
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle
from planar_arm_ik.paths.plan import PathPlan

#: Poses of the arm that are drawn.
_POSES = 6


def path_figure(
    arm: PlanarArm, theme: Theme, waypoints: Array, plan: PathPlan, obstacles: Obstacles | None
) -> Figure:
    """Tip path with some poses of the arm, and joint angles along it; or where it is refused."""
    figure, (left, right) = new_figure(3.3, columns=2, width_ratios=(1.15, 1.0))
    turn = np.linspace(0.0, 2.0 * np.pi, 181)
    for radius in (arm.outer_radius, arm.inner_radius):
        left.plot(radius * np.cos(turn), radius * np.sin(turn), color=theme.faint)
    for shape in obstacles.shapes if obstacles is not None else ():
        if isinstance(shape, Circle):
            corners = np.stack((np.cos(turn), np.sin(turn)), axis=1) * shape.radius
            corners += (shape.x, shape.y)
        else:
            corners = np.array(shape.corners)
        left.fill(*corners.T, color=theme.alert, alpha=0.5)
    left.plot(*waypoints.T, ".", color=theme.text, label="waypoints")
    if plan.ok:
        _draw_poses(left, theme, arm, plan)
    elif plan.last_point is not None:
        left.plot(*plan.last_point, "X", color=theme.alert, label=plan.status.name)
    left.set_aspect("equal", adjustable="datalim")
    left.set(xlabel="x [m]", ylabel="y [m]")
    left.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
    _draw_joints(right, theme, plan)
    return figure


def _draw_poses(axes: Axes, theme: Theme, arm: PlanarArm, plan: PathPlan) -> None:
    axes.plot(*arm.forward(plan.q).T, color=theme.third, label="tip")
    for row in np.unique(np.linspace(0, len(plan.q) - 1, _POSES).astype(int)):
        color = theme.positive if plan.branches[row] > 0 else theme.negative
        joints = np.stack((np.zeros(2), arm.elbow(plan.q[row]), arm.forward(plan.q[row])))
        axes.plot(*joints.T, "-o", color=color, alpha=0.7, markersize=3.0)


def _draw_joints(axes: Axes, theme: Theme, plan: PathPlan) -> None:
    colors = (theme.positive, theme.negative)
    for joint, (color, dash) in enumerate(zip(colors, DASHES, strict=False)):
        if plan.ok:
            label = f"q{joint + 1}"
            axes.plot(np.degrees(plan.q[:, joint]), dash, color=color, label=label)
    for jump in plan.jumps:
        at = int(np.searchsorted(plan.waypoint_index, jump))
        axes.axvspan(at - 1, at, color=theme.alert, alpha=0.3)
    axes.set(xlabel="pose", ylabel="joint angle [°]")
    if plan.ok:
        axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
    else:
        axes.set_title(f"refused: {plan.status.name}")
