"""A path in the scene: coloured by elbow once planned, with its jumps and its failure marked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.paths.planner import PathPlan
from planar_arm_ik.scene.colours import Colour, Palette
from planar_arm_ik.scene.paths import path_picture


class PathView:
    """Line segments and marks below one scene node.

    Args:
        scene: ``viser.SceneApi``.
        name: scene node.
        arm: the arm.
    """

    def __init__(self, scene: Any, name: str, arm: PlanarArm) -> None:
        self._scene, self._name, self._arm = scene, name, arm
        self._z = 0.09 * arm.outer_radius
        self._handles: list[Any] = []

    def show(self, waypoints: Array, plan: PathPlan | None) -> None:
        """Draw waypoints (x, y) [m], shape (N, 2): grey before planning, red where it fails."""
        self.clear()
        if plan is not None and plan.ok:
            self.show_run(plan.q, plan.branches)
            return
        if len(waypoints):
            self._polyline("waypoints", waypoints, Palette.UNUSED)
        if plan is not None and plan.failed_index >= 0:
            self._mark("failed", waypoints[plan.failed_index], Palette.REFUSED, plan.status.name)

    def show_run(self, q: Array, branches: NDArray[np.int8]) -> None:
        """Draw a joint path q [rad], shape (M, 2), jumps included."""
        self.clear()
        picture = path_picture(self._arm, q, branches)
        for number, piece in enumerate(picture.pieces):
            self._polyline(f"piece{number}", piece.points, piece.colour)
        for jump in picture.jumps:
            self._mark(f"jump{jump.index}", jump.place, Palette.REFUSED, jump.text)

    def clear(self) -> None:
        """Remove everything drawn."""
        for handle in self._handles:
            handle.remove()
        self._handles = []

    def _polyline(self, name: str, points: Array, colour: Colour) -> None:
        spatial = np.column_stack((points, np.full(len(points), self._z)))
        if len(spatial) == 1:
            spatial = np.repeat(spatial, 2, axis=0)
        self._handles.append(
            self._scene.add_line_segments(
                f"{self._name}/{name}",
                points=np.stack((spatial[:-1], spatial[1:]), axis=1),
                colors=colour.rgb,
                thickness=6.0,
                thickness_units="screen",
            )
        )

    def _mark(self, name: str, place: Array, colour: Colour, text: str) -> None:
        position = (float(place[0]), float(place[1]), self._z)
        size = 0.016 * self._arm.outer_radius
        self._handles += [
            self._scene.add_icosphere(
                f"{self._name}/{name}",
                radius=size,
                color=colour.rgb,
                position=position,
                cast_shadow=False,
            ),
            self._scene.add_label(
                f"{self._name}/{name}_text",
                f"✕ {text}",
                position=(position[0], position[1] - 4.0 * size, position[2]),
                anchor="top-center",
            ),
        ]
