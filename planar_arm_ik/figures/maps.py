"""Maps over the workspace: sigma_min at every tip position, one map per branch."""

from __future__ import annotations

import math

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, JointLimits, PlanarArm
from planar_arm_ik.figures.arms import draw_ring
from planar_arm_ik.figures.style import Axes, Figure, Theme, new_figure
from planar_arm_ik.status import Branch

_TURN = 2.0 * math.pi


def workspace(arm: PlanarArm, theme: Theme) -> Figure:
    """sigma_min over the plane for each branch, with what the joint limits leave of the ring."""
    figure, panels = new_figure(3.1, columns=2, sharey=True)
    for axes, branch in zip(panels, (Branch.POSITIVE, Branch.NEGATIVE), strict=True):
        ranges = elbow_ranges(arm.joint2, branch)
        for low, high in ranges:
            _draw_region(axes, arm, _grid(arm, low, high), theme)
        if not ranges:
            axes.text(0.0, 0.5 * arm.outer_radius, "no pose within the limits", ha="center")
        draw_ring(axes, arm, theme)
        axes.set_title(f"{branch.name.lower()} branch, outline: limits")
        axes.grid(visible=False)
        edge = 1.05 * arm.outer_radius
        axes.set(xlim=(-edge, edge), ylim=(-edge, edge))
    panels[1].set_ylabel("")
    _colorbar(figure, panels, arm)
    return figure


def elbow_ranges(limits: JointLimits, branch: Branch) -> list[tuple[float, float]]:
    """Return the ranges of q2 [rad] on one branch within the limits, one turn of them at most.

    Args:
        limits: of the elbow.
        branch: POSITIVE or NEGATIVE, the sign of sin q2.
    """
    lower, upper = _one_turn(limits)
    first = 0.0 if branch is Branch.POSITIVE else -math.pi
    first += _TURN * math.floor((lower - first) / _TURN)
    starts = (first, first + _TURN)
    ranges = [(max(lower, start), min(upper, start + math.pi)) for start in starts]
    return [(low, high) for low, high in ranges if low < high]


def _one_turn(limits: JointLimits) -> tuple[float, float]:
    """Bounds of a joint [rad], cut down to one turn."""
    if limits.upper - limits.lower < _TURN:
        return limits.lower, limits.upper
    lower = -math.pi if limits.lower == -math.inf else limits.lower
    return lower, lower + _TURN


def _grid(arm: PlanarArm, low: float, high: float) -> Array:
    """Joint angles over a range of q2 and the limits of q1 [rad], shape (90, 240, 2)."""
    q1 = np.linspace(*_one_turn(arm.joint1), 240)
    return np.stack(np.meshgrid(q1, np.linspace(low, high, 90)), axis=-1)


def _draw_region(axes: Axes, arm: PlanarArm, q: Array, theme: Theme) -> None:
    """Map sigma_min over the tips of a grid of joint angles, and outline them."""
    tip, sigma = arm.forward(q), arm.singular_values(q)[..., 1]
    axes.pcolormesh(
        tip[..., 0],
        tip[..., 1],
        sigma,
        vmin=0.0,
        vmax=arm.largest_sigma_min,
        shading="gouraud",
        rasterized=True,
    )
    edge = np.concatenate((tip[0, :], tip[:, -1], tip[-1, ::-1], tip[::-1, 0]))
    axes.plot(*edge.T, color=theme.alert, lw=1.4)


def _colorbar(figure: Figure, panels: list[Axes], arm: PlanarArm) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    bar = figure.colorbar(
        ScalarMappable(Normalize(0.0, arm.largest_sigma_min)), ax=panels, shrink=0.85
    )
    bar.set_label(r"$\sigma_{min}$ [m/rad]")
