"""Two runs of one path side by side, so that the jump of one is seen beside the other."""

from __future__ import annotations

import math
from typing import Any

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.scene.study import Run
from planar_arm_ik.viewer.body import SolidArm
from planar_arm_ik.viewer.ground import draw_workspace
from planar_arm_ik.viewer.path_view import PathView

#: Time per point of the path [s].
_PERIOD = 0.12


class StudyView:
    """Two arms beside each other, drawn when first shown.

    Args:
        scene: ``viser.SceneApi``.
        arm: the arm.
        name: scene node.
    """

    def __init__(self, scene: Any, arm: PlanarArm, name: str = "/study") -> None:
        self._scene, self._arm, self._name = scene, arm, name
        self._root: Any = None
        self._bodies: list[SolidArm] = []
        self._runs: tuple[Run, ...] = ()

    def update(self, runs: tuple[Run, ...], seconds: float) -> None:
        """Show the runs at a time since they began [s]; hide all when there are none."""
        if runs is not self._runs:
            self._begin(runs)
        for run, body in zip(runs, self._bodies, strict=False):
            if len(run.q):
                body.pose(run.pose(seconds, _PERIOD))

    def _begin(self, runs: tuple[Run, ...]) -> None:
        self._runs = runs
        if self._root is not None:
            self._root.remove()
            self._root, self._bodies = None, []
        if not runs:
            return
        self._root = self._scene.add_frame(self._name, show_axes=False)
        reach = self._arm.outer_radius
        for number, run in enumerate(runs):
            x = 1.1 * reach * (2 * number - 1)
            name = f"{self._name}/{run.rule}"
            self._scene.add_frame(name, show_axes=False, position=(x, 0.0, 0.0))
            draw_workspace(self._scene, f"{name}/workspace", self._arm)
            self._bodies.append(SolidArm(self._scene, f"{name}/arm", self._arm))
            PathView(self._scene, f"{name}/path", self._arm).show_run(run.q, run.branches)
            self._scene.add_label(
                f"{name}/caption",
                caption(run),
                position=(0.0, 1.06 * reach, 0.0),
                anchor="bottom-center",
            )


def caption(run: Run) -> str:
    """Rule and largest joint step of a run, in one line."""
    if not len(run.q):
        return f"{run.rule}: {run.message}"
    return f"{run.rule}: steps up to {math.degrees(run.largest_step):.1f}°"
