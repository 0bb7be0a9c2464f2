"""Plots of the last seconds: joint angles, singularity, damping and scale, residual."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.scene.colours import Colour, Palette
from planar_arm_ik.scene.history import History
from planar_arm_ik.viewer.robot import Report

#: Title, and per curve its label, colour and row of the history.
_PLOTS: tuple[tuple[str, tuple[tuple[str, Colour, int], ...]], ...] = (
    ("joint angles [deg]", (("q1", Palette.POSITIVE, 1), ("q2", Palette.NEGATIVE, 2))),
    (
        "sigma_min [m/rad]",
        (("sigma_min", Palette.GOOD, 3), ("threshold", Palette.REFUSED, 4)),
    ),
    ("damping [m/rad], scale", (("damping", Palette.WARNING, 5), ("scale", Palette.POSITIVE, 6))),
    (
        "tip speed [m/s]",
        (("commanded", Palette.UNUSED, 7), ("residual", Palette.REFUSED, 8)),
    ),
)


class Plots:
    """Four small charts; add them inside a container of the GUI.

    Args:
        gui: ``viser.GuiApi``.
        arm: the arm.
    """

    def __init__(self, gui: Any, arm: PlanarArm) -> None:
        self._arm = arm
        self._history = History(8)
        self._charts = []
        for title, curves in _PLOTS:
            series = ({"label": "s"}, *(_series(label, colour) for label, colour, _ in curves))
            empty = tuple(np.zeros(1) for _ in series)
            self._charts.append(
                gui.add_uplot(
                    empty,
                    series,
                    title=title,
                    scales={"x": {"time": False, "auto": True}, "y": {"auto": True}},
                    legend={"show": True},
                    height=150,
                )
            )

    def add(self, seconds: float, q: Array, report: Report) -> None:
        """Take a sample."""
        twist = report.twist
        damping, scale, commanded, residual = 0.0, 1.0, 0.0, 0.0
        if twist is not None:
            damping, scale = twist.damping, twist.scale
            commanded = float(np.hypot(*twist.commanded))
            residual = float(np.hypot(*twist.residual))
        self._history.add(
            seconds,
            (
                math.degrees(float(q[0])),
                math.degrees(float(q[1])),
                float(self._arm.singular_values(q)[1]),
                self._arm.singular_threshold,
                damping,
                scale,
                commanded,
                residual,
            ),
        )

    def draw(self) -> None:
        """Send the samples to the page."""
        columns = self._history.columns()
        if columns.shape[1] < 2:
            return
        for chart, (_, curves) in zip(self._charts, _PLOTS, strict=True):
            chart.data = (columns[0], *(columns[row] for _, _, row in curves))


def _series(label: str, colour: Colour) -> dict[str, Any]:
    return {"label": label, "stroke": colour.hex, "width": 2, "points": {"show": False}}
