"""Workspace maps and the behaviour of damping near the singularities."""

from __future__ import annotations

import math

import numpy as np

from planar_arm_ik.arm import Array, PlanarArm
from planar_arm_ik.figures.arms import draw_ring
from planar_arm_ik.figures.style import DASHES, Figure, Theme, new_figure
from planar_arm_ik.status import Branch


def workspace(arm: PlanarArm, theme: Theme) -> Figure:
    """sigma_min over the plane for each branch, with what the joint limits leave of the ring."""
    figure, panels = new_figure(3.1, columns=2, sharey=True)
    top = arm.largest_sigma_min
    for axes, branch in zip(panels, (Branch.POSITIVE, Branch.NEGATIVE), strict=True):
        q = _grid(arm, branch)
        tip, sigma = arm.forward(q), arm.singular_values(q)[..., 1]
        mesh = axes.pcolormesh(
            tip[..., 0], tip[..., 1], sigma, vmin=0.0, vmax=top, shading="gouraud", rasterized=True
        )
        edge = np.concatenate((tip[0, :], tip[:, -1], tip[-1, ::-1], tip[::-1, 0]))
        axes.plot(*edge.T, color=theme.alert, lw=1.4)
        draw_ring(axes, arm, theme)
        axes.set_title(f"{branch.name.lower()} branch, outline: limits")
        axes.grid(visible=False)
    panels[1].set_ylabel("")
    bar = figure.colorbar(mesh, ax=panels, shrink=0.85)
    bar.set_label(r"$\sigma_{min}$ [m/rad]")
    return figure


def _grid(arm: PlanarArm, branch: Branch) -> Array:
    """Joint angles that cover one branch within the limits [rad], shape (90, 240, 2)."""
    q1 = np.linspace(max(arm.joint1.lower, -math.pi), min(arm.joint1.upper, math.pi), 240)
    lower, upper = (0.0, math.pi) if branch is Branch.POSITIVE else (-math.pi, 0.0)
    q2 = np.linspace(max(arm.joint2.lower, lower), min(arm.joint2.upper, upper), 90)
    return np.stack(np.meshgrid(q1, q2), axis=-1)


def damping_gain(_arm: PlanarArm, theme: Theme) -> Figure:
    """Gain sigma / (sigma^2 + lambda^2) of one singular direction, for several dampings."""
    sigma = np.geomspace(1e-4, 1.0, 400)
    figure, (axes,) = new_figure(3.4)
    for damping, color, dash in zip((0.0, 0.01, 0.05, 0.1), theme.series, DASHES, strict=True):
        gain = sigma / (sigma**2 + damping**2)
        axes.plot(sigma, gain, color=color, ls=dash, label=rf"$\lambda$ = {damping:g} m/rad")
        if damping:
            axes.plot(damping, 0.5 / damping, "o", color=color)
    axes.annotate(
        r"dots: largest gain $1 / (2 \lambda)$ at $\sigma = \lambda$",
        (1.2e-4, 100.0),
    )
    axes.set(xscale="log", yscale="log", ylim=(0.05, 2e4))
    axes.set_xlabel(r"singular value $\sigma$ [m/rad]")
    axes.set_ylabel("joint speed per tip speed [rad/m]")
    axes.legend(loc="upper right")
    return figure
