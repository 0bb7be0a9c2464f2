"""Joint speed near the singularities: damping, its gain, and the twist follower beside it."""

from __future__ import annotations

import math

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.figures.examples_velocity import (
    DAMPINGS,
    Run,
    run_damped,
    run_follower,
    step_near_stretch,
)
from planar_arm_ik.figures.style import DASHES, Axes, Figure, Theme, new_figure

#: Speed of the comparison [m/s], and the bearing of the arm [rad].
_SPEED, _BEARING = 0.05, 0.3


def damping(_arm: PlanarArm, theme: Theme) -> Figure:
    """Joint speed and residual against q2 for each damping, links of 1 m, 0.01 m/s outward."""
    q2_deg = np.geomspace(0.02, 60.0, 120)
    figure, (left, right) = new_figure(3.4, columns=2, sharex=True)
    for value, color, dash in zip(DAMPINGS, theme.series, DASHES, strict=False):
        steps = [step_near_stretch(float(angle), value) for angle in q2_deg]
        speed = [math.hypot(*step.joint_velocity) for step in steps]
        residual = [math.hypot(*step.residual) for step in steps]
        label = rf"$\lambda$ = {value:g} m/rad"
        left.plot(q2_deg, speed, color=color, ls=dash, label=label)
        if value > 0.0:
            right.plot(q2_deg, residual, color=color, ls=dash, label=label)
    left.set(xscale="log", yscale="log", ylabel="joint speed [rad/s]")
    right.set(yscale="log", ylabel="residual [m/s]")
    for axes in (left, right):
        axes.set_xlabel("q2 [°]")
    left.legend(loc="upper right")
    right.set_title(r"no residual for $\lambda$ = 0, q2 > 0")
    return figure


def damping_gain(_arm: PlanarArm, theme: Theme) -> Figure:
    """Gain sigma / (sigma^2 + lambda^2) of one singular direction, for several dampings."""
    sigma = np.geomspace(1e-4, 1.0, 400)
    figure, (axes,) = new_figure(3.4)
    for value, color, dash in zip((0.0, 0.01, 0.05, 0.1), theme.series, DASHES, strict=True):
        gain = sigma / (sigma**2 + value**2)
        axes.plot(sigma, gain, color=color, ls=dash, label=rf"$\lambda$ = {value:g} m/rad")
        if value:
            axes.plot(value, 0.5 / value, "o", color=color)
    axes.annotate(r"dots: largest gain $1 / (2 \lambda)$ at $\sigma = \lambda$", (1.2e-4, 100.0))
    axes.set(xscale="log", yscale="log", ylim=(0.05, 2e4))
    axes.set_xlabel(r"singular value $\sigma$ [m/rad]")
    axes.set_ylabel("joint speed per tip speed [rad/m]")
    axes.legend(loc="upper right")
    return figure


def follower(arm: PlanarArm, theme: Theme) -> Figure:
    """The follower beside constant damping and the pseudoinverse, straight back from stretch."""
    radial = np.array((math.cos(_BEARING), math.sin(_BEARING)))
    figure, (left, right) = new_figure(3.4, columns=2)
    inward = -_SPEED * radial
    way = {
        "follower": run_follower(arm, (_BEARING, 0.0), inward, 2.0),
        r"$\lambda$ = 0.05 m/rad": run_damped(arm, (_BEARING, 0.0), inward, 0.05, 2.0),
        "pseudoinverse": run_damped(arm, (_BEARING, 0.0), inward, 0.0, 2.0),
    }
    speed = {
        "follower": run_follower(arm, (_BEARING, 0.01), inward, 0.5),
        r"$\lambda$ = 0.05 m/rad": run_damped(arm, (_BEARING, 0.01), inward, 0.05, 0.5),
        "pseudoinverse": run_damped(arm, (_BEARING, 0.01), inward, 0.0, 0.5, 1e-4),
    }
    _lines(left, theme, {name: (run, _way(arm, run, radial)) for name, run in way.items()})
    left.plot((0.0, 2.0), (0.0, 2000.0 * _SPEED), color=theme.text, lw=0.9, label="asked for")
    left.set(xlabel="t [s]", ylabel="way of the tip [mm]", title="from exact stretch, q2 = 0")
    left.legend(loc="upper left")
    right.set(yscale="log", ylim=(0.02, 100.0), xlabel="t [s]", title="from q2 = 0.01 rad")
    _lines(right, theme, {name: (run, _fastest(run)) for name, run in speed.items()})
    limit = min(joint.velocity for joint in arm.joints)
    if math.isfinite(limit):
        right.axhline(limit, color=theme.text, lw=0.9)
        right.annotate("speed limit", (0.5, limit), (0, 3), textcoords="offset points", ha="right")
    right.set_ylabel("faster joint [rad/s]")
    return figure


def _way(arm: PlanarArm, run: Run, radial: Array) -> Array:
    """How far the tip has come along the command [mm], shape (N,)."""
    tip = arm.forward(run.q)
    way: Array = 1000.0 * (tip[0] - tip) @ radial
    return way


def _fastest(run: Run) -> Array:
    """Speed of the faster joint [rad/s], shape (N,)."""
    fastest: Array = np.abs(run.joint_velocity).max(axis=1)
    return fastest


def _lines(axes: Axes, theme: Theme, lines: dict[str, tuple[Run, Array]]) -> None:
    for (name, (run, values)), color, dash in zip(
        lines.items(), theme.series, DASHES, strict=False
    ):
        shown = values > 0.0 if axes.get_yscale() == "log" else np.full(len(values), True)
        axes.plot(run.t[shown], values[shown], color=color, ls=dash, label=name)
