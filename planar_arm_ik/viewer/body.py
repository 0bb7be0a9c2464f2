"""The arm in a viser scene: a solid body, or a flat ghost."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.scene.colours import Colour, Palette
from planar_arm_ik.scene.shapes import ArmShape, arm_shape


def turn(angle: float) -> tuple[float, float, float, float]:
    """Quaternion (w, x, y, z) of a rotation about z [rad]."""
    return math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)


class _Jointed:
    """Two nested frames that turn with the joints; links hang below them."""

    def __init__(self, scene: Any, name: str, arm: PlanarArm, position: tuple[float, float]):
        self.shoulder = scene.add_frame(name, show_axes=False, position=(*position, 0.0))
        self.elbow = scene.add_frame(f"{name}/elbow", show_axes=False, position=(arm.l1, 0.0, 0.0))
        self._drawn: tuple[float, float] | None = None

    def pose(self, q: ArrayLike) -> None:
        """Turn the joints to q [rad]; angles that did not change are not sent again."""
        first, second = (float(angle) for angle in np.asarray(q))
        if self._drawn is None or self._drawn[0] != first:
            self.shoulder.wxyz = turn(first)
        if self._drawn is None or self._drawn[1] != second:
            self.elbow.wxyz = turn(second)
        self._drawn = (first, second)

    @property
    def visible(self) -> bool:
        """Whether it is drawn."""
        return bool(self.shoulder.visible)

    @visible.setter
    def visible(self, on: bool) -> None:
        if self.shoulder.visible != on:
            self.shoulder.visible = on


class SolidArm(_Jointed):
    """The arm as it is: capsules, hubs with bright caps, a tip marker.

    Args:
        scene: ``viser.SceneApi``.
        name: name of the scene node.
        arm: the arm.
        position: where its shoulder stands (x, y) [m].
    """

    def __init__(
        self, scene: Any, name: str, arm: PlanarArm, position: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        super().__init__(scene, name, arm, position)
        shape = arm_shape(arm)
        elbow = f"{name}/elbow"
        _capsule(scene, f"{name}/link1", arm.l1, shape, 0, Palette.GRAPHITE)
        _capsule(scene, f"{elbow}/link2", arm.l2, shape, 1, Palette.STEEL)
        for frame in (name, elbow):
            _cylinder(scene, f"{frame}/hub", shape.hub_radius, shape.hub_height, Palette.IVORY)
            _cylinder(
                scene, f"{frame}/cap", shape.cap_radius, 1.06 * shape.hub_height, Palette.ACCENT
            )
        scene.add_frame(f"{elbow}/end", show_axes=False, position=(arm.l2, 0.0, 0.0))
        height = 0.9 * shape.hub_height
        _cylinder(scene, f"{elbow}/end/tip", shape.tip_radius, height, Palette.ACCENT)


class GhostArm(_Jointed):
    """An elbow of the target: flat, translucent, coloured by branch."""

    def __init__(self, scene: Any, name: str, arm: PlanarArm, z: float) -> None:
        super().__init__(scene, name, arm, (0.0, 0.0))
        shape = arm_shape(arm)
        self._look: tuple[Colour, float, str, str] | None = None
        self._parts = [
            _plate(scene, f"{name}/link1", _stadium(arm.l1, 0.9 * shape.link_radii[0]), z),
            _plate(scene, f"{name}/elbow/link2", _stadium(arm.l2, 0.9 * shape.link_radii[1]), z),
        ]
        self._words = scene.add_label(f"{name}/elbow/words", "", visible=False)

    def look(self, colour: Colour, opacity: float, words: str = "") -> None:
        """Set colour and opacity (0 to 1), and the words at the elbow, away from the tip."""
        away = "bottom-right" if math.cos(sum(self._drawn or (0.0, 0.0))) > 0.0 else "bottom-left"
        if self._look == (colour, opacity, words, away):
            return
        self._look = (colour, opacity, words, away)
        self._words.text, self._words.visible, self._words.anchor = words, bool(words), away
        for part in self._parts:
            part.color = colour.rgb
            part.opacity = opacity


def _capsule(
    scene: Any, name: str, length: float, shape: ArmShape, index: int, colour: Colour
) -> None:
    import trimesh

    radius = shape.link_radii[index]
    mesh = trimesh.creation.capsule(height=length, radius=radius, count=(24, 24))
    points = np.asarray(mesh.vertices)[:, [2, 1, 0]] * (1.0, -1.0, 1.0)
    points[:, 0] -= 0.5 * (points[:, 0].min() + points[:, 0].max()) - 0.5 * length
    points[:, 2] += (-0.5, 0.5)[index] * shape.stack
    scene.add_mesh_simple(
        name, points, np.asarray(mesh.faces), color=colour.rgb, side="double", cast_shadow=False
    )


def _cylinder(scene: Any, name: str, radius: float, height: float, colour: Colour) -> None:
    scene.add_cylinder(
        name, radius=radius, height=height, radial_segments=48, color=colour.rgb, cast_shadow=False
    )


def _stadium(length: float, radius: float) -> Array:
    """Outline of a flat link with round ends, counter-clockwise, shape (P, 2)."""
    half = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 17)
    arc = radius * np.stack((np.cos(half), np.sin(half)), axis=-1)
    return np.concatenate((arc + np.array([length, 0.0]), -arc))


def _plate(scene: Any, name: str, outline: Array, z: float) -> Any:
    """A flat convex plate."""
    count = len(outline)
    fan = np.array([(0, i, i + 1) for i in range(1, count - 1)])
    points = np.column_stack((outline, np.full(count, z)))
    return scene.add_mesh_simple(
        name, points, fan, opacity=0.5, side="double", cast_shadow=False, receive_shadow=False
    )
