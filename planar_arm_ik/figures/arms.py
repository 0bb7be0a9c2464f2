"""Drawings of arms: both postures of one target, sketches of RR and PP, skeletons in 3-D."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.chains.chain import DhChain
from planar_arm_ik.chains.tables import load_table
from planar_arm_ik.figures.style import Axes, Figure, Theme, new_figure
from planar_arm_ik.inverse.solver import solve


def draw_ring(axes: Axes, arm: PlanarArm, theme: Theme) -> None:
    """Draw both edges of the reachable ring and make the axes equal."""
    from matplotlib.patches import Circle

    for radius in (arm.outer_radius, arm.inner_radius):
        axes.add_patch(Circle((0, 0), radius, fill=False, ls=":", lw=1.0, ec=theme.text))
    axes.set_aspect("equal")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")


def draw_posture(axes: Axes, arm: PlanarArm, q: Array, color: str, dash: str) -> Array:
    """Draw the links and joints of one pose; returns its elbow (x, y) [m]."""
    elbow, tip = arm.elbow(q), arm.forward(q)
    points = np.array([[0.0, 0.0], elbow, tip])
    axes.plot(*points.T, color=color, ls=dash, lw=3.0, solid_capstyle="round", zorder=3)
    axes.plot(*points[:2].T, "o", color=color, ms=7.0, zorder=4)
    return elbow


def postures(arm: PlanarArm, theme: Theme) -> Figure:
    """Both elbow branches for one target straight ahead."""
    radius = math.sqrt(arm.l1**2 + arm.l2**2 - 0.25 * arm.l1 * arm.l2)
    answer = solve(arm, (radius, 0.0))
    figure, (axes,) = new_figure(4.1)
    draw_ring(axes, arm, theme)
    for candidate, color, dash, sign in zip(
        answer.candidates, (theme.positive, theme.negative), ("-", "--"), "+-", strict=True
    ):
        elbow = draw_posture(axes, arm, candidate.q, color, dash)
        above = 1.0 if elbow[1] > 0.0 else -1.0
        q1, q2 = np.degrees(candidate.q)
        note = "" if candidate.usable else ", outside a limit"
        axes.annotate(
            f"{candidate.branch.name.lower()} branch (sin q2 {'>' if sign == '+' else '<'} 0)\n"
            f"q1 = {q1:.2f}°, q2 = {q2:.2f}°{note}",
            elbow,
            (0, above * 12),
            textcoords="offset points",
            ha="center",
            va="bottom" if above > 0 else "top",
            color=color,
        )
    axes.plot(radius, 0.0, "*", color=theme.alert, ms=13, zorder=5)
    axes.annotate(
        f"target\nx = {radius:.3g} m",
        (radius, 0.0),
        (9, 0),
        textcoords="offset points",
        color=theme.alert,
        va="center",
    )
    reach = 1.12 * arm.outer_radius
    axes.set(xlim=(-0.45 * reach, reach), ylim=(-0.72 * reach, 0.72 * reach))
    axes.text(0.0, 0.02 * reach + arm.inner_radius, "hole", ha="center", va="bottom", fontsize=8)
    return figure


def _triad_styles(theme: Theme) -> list[tuple[str, str, str]]:
    """Name, colour and dash of the three axes of a frame."""
    return [("x", theme.negative, "-"), ("y", theme.third, "--"), ("z", theme.positive, "-.")]


def _triad(axes: Axes, frame: Array, size: float, theme: Theme) -> None:
    """Draw x, y, z of one frame in a 3-D plot."""
    origin = frame[:3, 3]
    for column, (_, color, dash) in zip(frame[:3, :3].T, _triad_styles(theme), strict=True):
        line = np.stack((origin, origin + size * column))
        axes.plot(*line.T, color=color, ls=dash, lw=2.0, zorder=2)


def skeleton(chain: DhChain, q: ArrayLike, theme: Theme) -> Figure:
    """Draw a chain in 3-D: its links, and the frame of every row.

    Args:
        chain: the chain.
        q: one set of joint variables, shape (n,).
        theme: colours of the page.
    """
    frames = chain.frames(q)
    figure, (axes,) = new_figure(5.0, subplot_kw={"projection": "3d"})
    points = _joints_and_corners(chain, frames)
    span = float(np.ptp(points, axis=0).max()) or 1.0
    axes.computed_zorder = False  # frames stay visible on the links
    axes.plot(*points.T, color=theme.faint, lw=5.0, solid_capstyle="round", zorder=1)
    axes.plot(*frames[:, :3, 3].T, "o", color=theme.alert, ms=6.0, zorder=3)
    for frame in frames:
        _triad(axes, frame, 0.14 * span, theme)
    centre = 0.5 * (points.max(axis=0) + points.min(axis=0))
    for name, middle in zip("xyz", centre, strict=True):
        getattr(axes, f"set_{name}lim")(middle - 0.62 * span, middle + 0.62 * span)
        getattr(axes, f"set_{name}label")(f"{name} [{chain.length_unit}]")
        getattr(axes, f"{name}axis").set_pane_color((0.0, 0.0, 0.0, 0.0))
    axes.set_box_aspect((1, 1, 1))
    numbers = ", ".join(f"{value:.4g}" for value in np.asarray(q, dtype=float))
    axes.set_title(f"{chain.name or 'chain'} at q = ({numbers})")
    handles = [
        axes.plot([], [], color=color, ls=dash, lw=2.0, label=f"{name} axis")[0]
        for name, color, dash in _triad_styles(theme)
    ]
    axes.legend(handles=handles, loc="upper left")
    return figure


def _joints_and_corners(chain: DhChain, frames: Array) -> Array:
    """Frame origins with the corner between d (along old z) and a (along new x) of each row."""
    points = [frames[0, :3, 3]]
    for row, frame in zip(chain.rows, frames[1:], strict=True):
        points.append(frame[:3, 3] - row.a * frame[:3, 0])
        points.append(frame[:3, 3])
    return np.array(points)


def irb_140(_arm: PlanarArm, theme: Theme) -> Figure:
    """Draw the ABB IRB 140 in a bent pose."""
    return skeleton(load_table("abb_irb_140"), (0.4, 0.9, 0.3, 0.5, -0.7, 0.2), theme)
