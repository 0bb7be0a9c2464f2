"""Keep-out shapes as plates: outline, fill and name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle, Polygon
from planar_arm_ik.scene.workspace import circle


@dataclass(frozen=True, eq=False)
class KeepOut:
    """A keep-out shape, ready to draw.

    Args:
        name: its name, drawn as its label.
        outline: closed polyline (first point repeated at the end) in the base frame [m], (P, 2).
        triangles: indices into the outline that fill it, shape (P - 3, 3).
        centre: where the label stands (x, y) [m].
    """

    name: str
    outline: Array
    triangles: NDArray[np.int64]
    centre: tuple[float, float]


def keep_outs(obstacles: Obstacles | None) -> tuple[KeepOut, ...]:
    """All shapes of an arm; empty without any."""
    return () if obstacles is None else tuple(_plate(shape) for shape in obstacles.shapes)


def _plate(shape: Circle | Polygon) -> KeepOut:
    if isinstance(shape, Circle):
        outline = circle(shape.radius) + np.array((shape.x, shape.y))
    else:
        outline = np.array((*shape.corners, shape.corners[0]))
    corners = len(outline) - 1
    # Every shape is convex, so a fan from its first corner fills it.
    fan = np.array([(0, i, i + 1) for i in range(1, corners - 1)], dtype=np.int64)
    x, y = outline[:-1].mean(axis=0)
    return KeepOut(shape.name, outline, fan, (float(x), float(y)))
