"""What lies in the plane behind the arm: ring, sheets of the elbows, keep-out shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.scene.colours import Palette, branch_colour
from planar_arm_ik.scene.keep_out import keep_outs
from planar_arm_ik.scene.workspace import circle, workspace_sheets


def draw_workspace(scene: Any, name: str, arm: PlanarArm) -> None:
    """Ring, hole, and the sheet of each elbow with its outline, all behind the arm."""
    z = -0.1 * arm.outer_radius
    for number, sheet in enumerate(workspace_sheets(arm)):
        colour, depth = branch_colour(sheet.branch).rgb, z - 0.002 * number
        vertices, triangles = sheet.vertices, sheet.triangles
        _flat(scene, f"{name}/sheet{number}", vertices, triangles, colour, depth, 0.09)
        for part, outline in enumerate(sheet.outlines):
            polyline(scene, f"{name}/outline{number}_{part}", outline, colour, depth, 1.5)
    for label, radius in (("reach", arm.outer_radius), ("hole", arm.inner_radius)):
        if radius > 0.0:
            polyline(scene, f"{name}/{label}", circle(radius), Palette.UNUSED.rgb, z, 2.0)


def draw_keep_outs(scene: Any, name: str, arm: PlanarArm, obstacles: Obstacles | None) -> None:
    """Keep-out shapes above the sheets and below the arm, each with its name."""
    z, colour = -0.09 * arm.outer_radius, Palette.KEEP_OUT.rgb
    for number, shape in enumerate(keep_outs(obstacles)):
        node, triangles = f"{name}/shape{number}", shape.triangles
        _flat(scene, f"{node}/fill", shape.outline, triangles, colour, z, 0.45)
        polyline(scene, f"{node}/edge", shape.outline, colour, z + 1e-3, 3.0)
        scene.add_label(
            f"{node}/name", shape.name, position=(*shape.centre, z), anchor="center-center"
        )


def _flat(
    scene: Any, name: str, points: Array, triangles: Any, colour: tuple[int, int, int], z: float,
    opacity: float,
) -> None:  # fmt: skip
    """A flat area of triangles over points (x, y) [m]."""
    scene.add_mesh_simple(
        name,
        np.column_stack((points, np.full(len(points), z))),
        triangles,
        color=colour,
        opacity=opacity,
        side="double",
        cast_shadow=False,
        receive_shadow=False,
    )


def polyline(
    scene: Any, name: str, points: Array, colour: tuple[int, int, int], z: float, width: float
) -> Any:
    """A line through points (x, y) [m], shape (P, 2), P > 1."""
    spatial = np.column_stack((points, np.full(len(points), z)))
    return scene.add_line_segments(
        name,
        points=np.stack((spatial[:-1], spatial[1:]), axis=1),
        colors=colour,
        thickness=width,
        thickness_units="screen",
    )
