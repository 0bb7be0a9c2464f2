"""Sketches of mechanisms as a textbook draws them: symbols of joints, axes and variables."""

from __future__ import annotations

import math

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.figures.style import Axes, Figure, Theme, new_figure


def _bare(axes: Axes) -> None:
    axes.set_aspect("equal")
    axes.axis("off")


def _arrow(axes: Axes, start: Array, end: Array, color: str, text: str, shift: Array) -> None:
    """Draw an axis of a frame with its name beside the head."""
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": color, "lw": 1.2})
    axes.text(*(end + shift), text, color=color, ha="center", va="center")


def _angle(
    axes: Axes, centre: Array, radius: float, start: float, end: float, text: str, color: str
) -> None:
    """Draw an arc with an arrow from angle start to end [rad], its name beside its middle."""
    along = np.linspace(start, end, 40)
    points = centre + radius * np.stack((np.cos(along), np.sin(along)), axis=-1)
    axes.plot(*points.T, color=color, lw=1.2)
    axes.annotate(
        "", points[-1], points[-3], arrowprops={"arrowstyle": "-|>", "color": color, "lw": 1.2}
    )
    middle = 0.5 * (start + end)
    place = centre + (radius + 0.055) * np.array((math.cos(middle), math.sin(middle)))
    axes.text(*place, text, color=color, ha="center", va="center")


def rr_sketch(arm: PlanarArm, theme: Theme) -> Figure:
    """Sketch the RR arm with its frames and joint angles as the package counts them."""
    q = np.array((math.radians(35.0), math.radians(50.0)))
    drawn = PlanarArm(arm.l1 / arm.outer_radius, arm.l2 / arm.outer_radius)
    base, elbow, tip = np.zeros(2), drawn.elbow(q), drawn.forward(q)
    figure, (axes,) = new_figure(3.6)
    _bare(axes)
    axes.plot(*np.array((base, elbow, tip)).T, color=theme.text, lw=4, solid_capstyle="round")
    for joint in (base, elbow):
        axes.plot(*joint, "o", ms=11, mfc=theme.background, mec=theme.text, mew=2, zorder=4)
    axes.plot(*tip, "s", ms=7, color=theme.alert, zorder=4)
    _arrow(axes, base, np.array((0.34, 0.0)), theme.positive, "x0", np.array((0.03, 0.0)))
    _arrow(axes, base, np.array((0.0, 0.34)), theme.positive, "y0", np.array((0.0, 0.03)))
    along = np.array((math.cos(q[0]), math.sin(q[0])))
    beyond = elbow + 0.26 * along
    axes.plot(*np.array((elbow, beyond)).T, color=theme.text, ls=":", lw=1.0)
    _angle(axes, base, 0.2, 0.0, q[0], "q1", theme.negative)
    _angle(axes, elbow, 0.17, q[0], q.sum(), "q2", theme.negative)
    normal = np.array((-along[1], along[0]))
    axes.text(*(0.58 * elbow + 0.045 * normal), f"l1 = {arm.l1:g} m", ha="right", va="bottom")
    axes.text(*(0.5 * (elbow + tip) - (0.03, 0.0)), f"l2 = {arm.l2:g} m", ha="right")
    axes.annotate(
        "tip (x, y)", tip, (9, 0), textcoords="offset points", color=theme.alert, va="center"
    )
    axes.annotate("shoulder", base, (-4, -14), textcoords="offset points", ha="center")
    axes.annotate("elbow", elbow, (12, -9), textcoords="offset points")
    axes.set(xlim=(-0.25, 1.0), ylim=(-0.12, 0.82))
    return figure


def _slider(axes: Axes, start: Array, end: Array, extended: Array, theme: Theme) -> None:
    """Draw a prismatic joint: a sleeve from start to end, and the rod that comes out of it."""
    from matplotlib.patches import Polygon

    along = (end - start) / np.linalg.norm(end - start)
    normal = 0.035 * np.array((-along[1], along[0]))
    corners = [start + normal, end + normal, end - normal, start - normal]
    axes.add_patch(Polygon(corners, fc=theme.background, ec=theme.text, lw=2, zorder=3))
    axes.plot(*np.array((end, extended)).T, color=theme.text, lw=4, zorder=2)


def pp_sketch(_arm: PlanarArm, theme: Theme) -> Figure:
    """Sketch the PP arm: two sliders at a right angle, and what its two variables measure."""
    base, corner, tip = np.zeros(2), np.array((0.0, 0.5)), np.array((0.72, 0.5))
    figure, (axes,) = new_figure(3.4)
    _bare(axes)
    _slider(axes, np.array((0.0, 0.06)), np.array((0.0, 0.28)), corner, theme)
    _slider(axes, np.array((0.06, 0.5)), np.array((0.32, 0.5)), tip, theme)
    axes.plot((0.0, 0.06), (0.5, 0.5), color=theme.text, lw=4, zorder=2)
    axes.plot(*tip, "s", ms=7, color=theme.alert, zorder=4)
    axes.plot((-0.12, 0.12), (-0.025, -0.025), color=theme.text, lw=2)
    axes.plot((0.0, 0.0), (-0.025, 0.06), color=theme.text, lw=4)
    for start, end, text in (
        (np.array((-0.14, 0.0)), np.array((-0.14, 0.5)), "q1"),
        (np.array((0.0, 0.62)), np.array((0.72, 0.62)), "q2"),
    ):
        style = {"arrowstyle": "<|-|>", "color": theme.negative, "lw": 1.2}
        axes.annotate("", end, start, arrowprops=style)
        middle = 0.5 * (start + end) + (np.array((-0.045, 0.0)) if text == "q1" else (0.0, 0.04))
        axes.text(*middle, text, color=theme.negative, ha="center", va="center")
    _arrow(axes, base, np.array((0.3, 0.0)), theme.positive, "x0", np.array((0.035, 0.0)))
    _arrow(
        axes,
        np.array((0.0, 0.5)),
        np.array((0.0, 0.8)),
        theme.positive,
        "z0",
        np.array((0, 0.035)),
    )
    _arrow(axes, tip, np.array((0.98, 0.5)), theme.positive, "z1, z2", np.array((0.06, 0.0)))
    axes.annotate(
        "tip (x, z) = (q2, q1)",
        tip,
        (0, -14),
        textcoords="offset points",
        color=theme.alert,
        ha="center",
        va="top",
    )
    axes.set(xlim=(-0.25, 1.1), ylim=(-0.06, 0.88))
    return figure
