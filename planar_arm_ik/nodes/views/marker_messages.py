"""The scene as ``visualization_msgs`` markers in the base frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.inverse.solution import IkSolution
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.scene.arrows import Arrow
from planar_arm_ik.scene.colours import Colour, Palette, branch_colour
from planar_arm_ik.scene.ghosts import arm_points, ghosts
from planar_arm_ik.scene.keep_out import keep_outs
from planar_arm_ik.scene.paths import PathPicture
from planar_arm_ik.scene.shapes import arm_shape
from planar_arm_ik.scene.texts import solution_text
from planar_arm_ik.scene.workspace import circle, workspace_sheets


class MarkerMaker:
    """Makes markers of one arm.

    Args:
        arm: the arm.
        frame: its base frame.
        obstacles: keep-out shapes, None when there are none.
    """

    def __init__(self, arm: PlanarArm, frame: str, obstacles: Obstacles | None = None) -> None:
        self._arm, self._frame, self._obstacles = arm, frame, obstacles
        self._shape = arm_shape(arm)

    def _marker(
        self, space: str, number: int, kind: int, colour: Colour, opacity: float
    ) -> Marker:
        marker = Marker(ns=space, id=number, type=kind, action=Marker.ADD)
        marker.header.frame_id = self._frame
        marker.frame_locked = True
        marker.pose.orientation.w = 1.0
        red, green, blue = colour.fractions
        marker.color = ColorRGBA(r=red, g=green, b=blue, a=opacity)
        return marker

    def _line(
        self, space: str, number: int, points: Array, z: float, width: float, colour: Colour,
        opacity: float = 1.0,
    ) -> Marker:  # fmt: skip
        marker = self._marker(space, number, Marker.LINE_STRIP, colour, opacity)
        marker.scale.x = width
        marker.points = _points(points, z)
        return marker

    def _fill(
        self, space: str, number: int, corners: Array, z: float, colour: Colour, opacity: float
    ) -> Marker:
        marker = self._marker(space, number, Marker.TRIANGLE_LIST, colour, opacity)
        marker.scale.x = marker.scale.y = marker.scale.z = 1.0
        marker.points = _points(corners, z)
        return marker

    def _ball(self, space: str, number: int, place: Array, size: float, colour: Colour) -> Marker:
        marker = self._marker(space, number, Marker.SPHERE, colour, 0.9)
        marker.scale.x = marker.scale.y = marker.scale.z = 2.0 * size
        marker.pose.position.x, marker.pose.position.y = float(place[0]), float(place[1])
        return marker

    def _text(self, space: str, number: int, place: Array, text: str, colour: Colour) -> Marker:
        marker = self._marker(space, number, Marker.TEXT_VIEW_FACING, colour, 1.0)
        marker.scale.z = 0.045 * self._arm.outer_radius
        marker.text = text
        position = marker.pose.position
        position.x, position.y = float(place[0]), float(place[1]) + 2.0 * marker.scale.z
        position.z = self._shape.hub_height
        return marker

    def workspace(self) -> list[Marker]:
        """Disc that a click hits, ring, hole, sheets of the elbows, and the keep-out shapes."""
        z = -0.5 * self._shape.hub_height
        reach = self._arm.outer_radius
        disc = self._marker("disc", 0, Marker.CYLINDER, Palette.STEEL, 0.08)
        disc.scale.x = disc.scale.y = 2.6 * reach
        disc.scale.z = 0.001
        markers = [disc]
        for number, radius in enumerate((reach, self._arm.inner_radius)):
            if radius > 0.0:
                width = 0.005 * reach
                markers.append(
                    self._line("ring", number, circle(radius), z, width, Palette.UNUSED)
                )
        for number, sheet in enumerate(workspace_sheets(self._arm, step=np.radians(6.0))):
            colour = branch_colour(sheet.branch)
            corners = sheet.vertices[sheet.triangles.ravel()]
            markers.append(self._fill("sheet", number, corners, z - 0.002 * number, colour, 0.12))
            for part, outline in enumerate(sheet.outlines):
                markers.append(
                    self._line("limit", 10 * number + part, outline, z, 0.004 * reach, colour)
                )
        return markers + self._keep_outs()

    def _keep_outs(self) -> list[Marker]:
        """Fill, outline and name of every keep-out shape, a little above the sheets."""
        z, width = -0.4 * self._shape.hub_height, 0.008 * self._arm.outer_radius
        colour, markers = Palette.KEEP_OUT, []
        for number, shape in enumerate(keep_outs(self._obstacles)):
            corners = shape.outline[shape.triangles.ravel()]
            name = self._text("keep_out_name", number, np.array(shape.centre), shape.name, colour)
            name.pose.position.y = shape.centre[1]
            markers += [
                self._fill("keep_out", number, corners, z, colour, 0.45),
                self._line("keep_out_edge", number, shape.outline, z, width, colour),
                name,
            ]
        return markers

    def target(self, target: tuple[float, float], solution: IkSolution) -> list[Marker]:
        """The target with its status, the missing piece, and both elbows as ghosts."""
        text, place = solution_text(solution), np.array(target)
        markers = [
            self._ball("target", 0, place, 0.03 * self._arm.outer_radius, text.colour),
            self._text("target", 1, place, text.line, text.colour),
        ]
        for number, ghost in enumerate(ghosts(solution)):
            shoulder, elbow, tip = arm_points(self._arm, ghost.q)
            for link, points in enumerate(((shoulder, elbow), (elbow, tip))):
                width = 2.0 * self._shape.link_radii[link]
                markers.append(
                    self._line(
                        "ghost", 2 * number + link, np.array(points), 0.0, width, ghost.colour,
                        ghost.opacity,
                    )
                )  # fmt: skip
            if ghost.reason:
                markers.append(
                    self._text("ghost_reason", number, elbow, ghost.reason, ghost.colour)
                )
        if solution.nearest_point is not None:
            missing = np.array((solution.nearest_point, target))
            width = 0.008 * self._arm.outer_radius
            markers.append(self._line("target", 2, missing, 0.0, width, text.colour))
        return markers

    def path(self, picture: PathPicture) -> list[Marker]:
        """Pieces of a path by elbow, and its jumps."""
        reach = self._arm.outer_radius
        markers = []
        for number, piece in enumerate(picture.pieces):
            points = np.repeat(piece.points, 2, axis=0)[: max(2, len(piece.points))]
            points = piece.points if len(piece.points) > 1 else points
            markers.append(self._line("path", number, points, 0.0, 0.012 * reach, piece.colour))
        for jump in picture.jumps:
            ball = self._ball("jump", 2 * jump.index, jump.place, 0.02 * reach, Palette.REFUSED)
            text = self._text("jump", 2 * jump.index + 1, jump.place, jump.text, Palette.REFUSED)
            markers += [ball, text]
        return markers

    def arrows(self, arrows: Sequence[Arrow]) -> list[Marker]:
        """Velocity arrows that are long enough to see."""
        reach, markers = self._arm.outer_radius, []
        for number, arrow in enumerate(arrows):
            if arrow.visible:
                marker = self._marker("velocity", number, Marker.ARROW, arrow.colour, 1.0)
                marker.scale.x, marker.scale.y = 0.012 * reach, 0.03 * reach
                marker.scale.z = 0.04 * reach
                ends = np.array((arrow.start, arrow.end))
                marker.points = _points(ends, 0.6 * self._shape.hub_height)
                markers.append(marker)
        return markers


def _points(points: Array, z: float) -> list[Point]:
    return [Point(x=x, y=y, z=z) for x, y in points.tolist()]
