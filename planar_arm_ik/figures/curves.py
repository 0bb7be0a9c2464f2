"""Curves of the worked examples: branch choice along an arc, its jump, and a tip path."""

from __future__ import annotations

import math

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.figures import examples
from planar_arm_ik.figures.style import DASHES, MARKERS, Axes, Figure, Theme, new_figure

#: Rules of the comparison: the one that jumps and the default.
_RULES = ("min_shoulder", "nearest")


def arc_radius(arm: PlanarArm) -> float:
    """Radius of the worked arc [m]: cos q2 = -1/8 there, 0.6 m for links of 0.5 and 0.4 m."""
    return math.sqrt(arm.l1**2 + arm.l2**2 - 0.25 * arm.l1 * arm.l2)


def branch_arc(arm: PlanarArm, theme: Theme) -> Figure:
    """Joint angles along the arc under two rules, with the jump marked."""
    directions = examples.arc_directions()
    targets = examples.arc(arc_radius(arm), directions)
    figure, panels = new_figure(4.6, rows=2, sharex=True)
    x = np.degrees(directions)
    jumping = examples.follow(arm, targets, "min_shoulder")
    steady = examples.follow(arm, targets, "nearest")
    for joint, axes in enumerate(panels):
        q = np.degrees(jumping.q[:, joint])
        hollow = {"marker": "s", "markersize": 8.0, "markerfacecolor": theme.background}
        axes.plot(x, q, "--", color=theme.negative, label="rule min_shoulder", **hollow)
        axes.plot(
            x,
            np.degrees(steady.q[:, joint]),
            "o-",
            color=theme.positive,
            markersize=3.5,
            label="rule nearest",
        )
        for at in np.flatnonzero(np.diff(jumping.branches)):
            _mark_jump(axes, x[at : at + 2], q[at : at + 2], theme)
        axes.set_ylabel(f"q{joint + 1} [°]")
    panels[0].legend(loc="center right")
    panels[1].set_xlabel(f"direction of the target on an arc of {arc_radius(arm):.3g} m [°]")
    return figure


def _mark_jump(axes: Axes, x: Array, q: Array, theme: Theme) -> None:
    """Draw an arrow from one pose to the next, and write its length [deg] beside it."""
    arrow = {"arrowstyle": "-|>", "color": theme.alert, "lw": 1.6}
    axes.annotate("", (x[1], q[1]), (x[0], q[0]), arrowprops=arrow)
    axes.annotate(
        f"jump of {abs(q[1] - q[0]):.2f}°",
        (x[0], q.mean()),
        (-10, 0),
        textcoords="offset points",
        color=theme.alert,
        ha="right",
        va="center",
    )


def jump_step(arm: PlanarArm, theme: Theme) -> Figure:
    """Joint step across the x axis against the step of the tip: a jump does not shrink."""
    half_steps = np.geomspace(5e-5, 0.05, 13)
    figure, (axes,) = new_figure(3.6)
    series = zip(
        [(rule, joint) for rule in _RULES for joint in (0, 1)],
        (theme.negative, theme.alert, theme.positive, theme.third),
        DASHES,
        MARKERS,
        strict=True,
    )
    for (rule, joint), color, dash, marker in series:
        jumps = [examples.jump(arm, arc_radius(arm), half, rule) for half in half_steps]
        tip = [step for step, _ in jumps]
        size = np.degrees([moved[joint] for _, moved in jumps])
        if size.max() > 1e-9:
            axes.plot(
                tip, size, color=color, ls=dash, marker=marker, label=f"rule {rule}, q{joint + 1}"
            )
    axes.set(xscale="log", yscale="log", ylim=(None, 2000.0))
    axes.set_xlabel("distance between the two targets [m]")
    axes.set_ylabel("step of the joint [°]")
    axes.legend(loc="lower right")
    axes.set_title("q2 does not move at all under the rule nearest", loc="left")
    return figure


def rr_trajectory(_arm: PlanarArm, theme: Theme) -> Figure:
    """Tip path of links of 0.35 m with q1 = cos t, q2 = sin t."""
    return tip_path_figure(PlanarArm(0.35, 0.35), theme)


def tip_path_figure(
    arm: PlanarArm,
    theme: Theme,
    law1: str = "cos(t)",
    law2: str = "sin(t)",
    end: float = 2.0 * math.pi,
) -> Figure:
    """Tip path and joint angles for two formulas of time, from t = 0 to end [s]."""
    t, q, tip = examples.tip_path(arm, law1, law2, np.linspace(0.0, end, 400))
    marks, _, places = examples.tip_path(arm, law1, law2, np.linspace(0.0, end, 9))
    figure, (left, right) = new_figure(3.3, columns=2, width_ratios=(1.0, 1.15))
    left.plot(*tip.T, color=theme.positive)
    left.plot(*places.T, "o", color=theme.alert)
    for time, place, shift in list(zip(marks, places, _free_sides(tip), strict=True))[:-1]:
        left.annotate(
            f"{time:.2f}",
            place,
            15.0 * shift,
            textcoords="offset points",
            fontsize=8,
            ha="center",
            va="center",
        )
    left.set_aspect("equal", adjustable="datalim")
    left.margins(0.15)
    left.set(xlabel="x [m]", ylabel="y [m]", title="tip, marked with t [s]")
    for joint, law in enumerate((law1, law2)):
        color = (theme.positive, theme.negative)[joint]
        right.plot(t, q[:, joint], color=color, ls=DASHES[joint], label=f"q{joint + 1} = {law}")
    right.set(xlabel="t [s]", ylabel="joint angle [rad]")
    right.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)
    return figure


def _free_sides(tip: Array, marks: int = 9) -> Array:
    """Directions (unit vectors) from marks along a curve to its emptier side, shape (marks, 2)."""
    indices = np.linspace(0, len(tip) - 1, marks).round().astype(int)
    tangents = np.gradient(tip, axis=0)[indices]
    normals = np.stack((-tangents[:, 1], tangents[:, 0]), axis=-1)
    normals /= np.maximum(np.hypot(*normals.T), 1e-300)[:, np.newaxis]
    reach = 0.1 * np.ptp(tip, axis=0).max()
    room = [
        np.hypot(*(tip[indices] + side * reach * normals - point[np.newaxis]).T)
        for side in (1.0, -1.0)
        for point in tip
    ]
    left, right = np.array(room).reshape(2, len(tip), marks).min(axis=1)
    sides: Array = np.where(left >= right, 1.0, -1.0)[:, np.newaxis] * normals
    return sides
