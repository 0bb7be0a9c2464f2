"""The 3D side of the page: ring, sheets, arm, ghosts, target, path and arrows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.scene.arrows import velocity_arrows
from planar_arm_ik.scene.colours import Colour, Palette
from planar_arm_ik.scene.ghosts import ghosts
from planar_arm_ik.scene.shapes import arm_shape
from planar_arm_ik.status import Branch
from planar_arm_ik.viewer.body import GhostArm, SolidArm
from planar_arm_ik.viewer.camera import hit
from planar_arm_ik.viewer.ground import draw_keep_outs, draw_workspace
from planar_arm_ik.viewer.inbox import Act, Inbox
from planar_arm_ik.viewer.path_view import PathView
from planar_arm_ik.viewer.robot import Report
from planar_arm_ik.viewer.session import Session

_ARROWS = {
    "commanded": Palette.COMMANDED,
    "achieved": Palette.ACHIEVED,
    "residual": Palette.RESIDUAL,
}


class Stage:
    """Everything drawn around one arm, below the scene node `name`.

    Args:
        scene: ``viser.SceneApi``.
        arm: the arm.
        inbox: where drags of the target and drawn points go.
        obstacles: keep-out shapes, None when there are none.
        name: scene node; hide it to hide all.
    """

    def __init__(
        self,
        scene: Any,
        arm: PlanarArm,
        inbox: Inbox,
        obstacles: Obstacles | None = None,
        name: str = "/main",
    ) -> None:
        self._arm, self._inbox, self._scene, self._name = arm, inbox, scene, name
        self.root = scene.add_frame(name, show_axes=False)
        draw_workspace(scene, f"{name}/workspace", arm)
        draw_keep_outs(scene, f"{name}/keep_out", arm, obstacles)
        self.body = SolidArm(scene, f"{name}/arm", arm)
        z = -0.5 * arm_shape(arm).stack
        self._ghosts = {
            branch: GhostArm(scene, f"{name}/{branch.name.lower()}", arm, z - 0.004 * branch)
            for branch in (Branch.POSITIVE, Branch.NEGATIVE)
        }
        self._path = PathView(scene, f"{name}/path", arm)
        self._add_target()
        self._arrows = {key: self._line(key, colour, 4.0) for key, colour in _ARROWS.items()}
        self._board = self._add_board()
        self._shown: tuple[Any, ...] = ()

    def _add_target(self) -> None:
        scene, name, reach = self._scene, self._name, self._arm.outer_radius
        self._target = scene.add_icosphere(
            f"{name}/target", radius=0.03 * reach, color=Palette.GOOD.rgb, cast_shadow=False
        )
        self._halo = scene.add_icosphere(
            f"{name}/target/halo", radius=0.055 * reach, opacity=0.18, cast_shadow=False
        )
        self._missing = self._line("missing", Palette.REFUSED, 3.0)
        self._label = scene.add_label(
            f"{name}/target/label", "", position=(0.0, 0.075 * reach, 0.0), anchor="bottom-center"
        )
        if not self._inbox.view_only:
            for handle in (self._target, self._halo):
                handle.on_drag(self._dragged)

    def _line(self, name: str, colour: Colour, width: float) -> Any:
        return self._scene.add_line_segments(
            f"{self._name}/{name}",
            points=np.zeros((1, 2, 3)),
            colors=colour.rgb,
            thickness=width,
            thickness_units="screen",
            visible=False,
        )

    def _add_board(self) -> Any:
        """An invisible board in the plane that catches strokes while drawing."""
        size = 2.6 * self._arm.outer_radius
        board = self._scene.add_box(
            f"{self._name}/board",
            dimensions=(size, size, 1e-4),
            opacity=0.0,
            position=(0.0, 0.0, 0.0),
            visible=False,
            cast_shadow=False,
            receive_shadow=False,
        )
        if not self._inbox.view_only:
            board.on_drag(self._stroke)
        return board

    async def _dragged(self, event: Any) -> None:
        point = self._in_plane(event, 0.0)
        if point is not None:
            self._inbox.put(Act.TARGET, point)

    async def _stroke(self, event: Any) -> None:
        if event.phase == "start":
            self._inbox.put(Act.DRAW, None)
        point = self._in_plane(event, 0.0)
        if point is not None:
            self._inbox.put(Act.DRAW, point)
        if event.phase == "end":
            self._inbox.put(Act.PLAN)

    def _in_plane(self, event: Any, z: float) -> tuple[float, float] | None:
        camera = tuple(float(value) for value in event.client.camera.position)
        point = hit((camera[0], camera[1], camera[2]), event.end_position, z)
        return point if point and all(map(math.isfinite, point)) else None

    def drawing(self, on: bool) -> None:
        """Catch strokes instead of turning the camera."""
        self._board.visible = on

    def update(self, session: Session, report: Report) -> None:
        """Draw the session and the arm; only what changed is sent."""
        self.body.pose(session.q)
        self._draw_arrows(session, report)
        shown = (session.solution, session.waypoints, session.plan)
        if all(a is b for a, b in zip(shown, self._shown, strict=False)) and self._shown:
            return
        self._shown = shown
        self._draw_target(session)
        self._path.show(session.waypoints, session.plan)

    def _draw_target(self, session: Session) -> None:
        text, (x, y) = session.status(), session.target
        self._target.position = (x, y, 0.0)
        self._target.color = self._halo.color = text.colour.rgb
        self._label.text = text.line
        side = round(x / self._arm.outer_radius)
        self._label.anchor = ("bottom-center", "bottom-right", "bottom-left")[
            max(-1, min(side, 1))
        ]
        drawn = {ghost.branch: ghost for ghost in ghosts(session.solution)}
        for branch, body in self._ghosts.items():
            ghost = drawn.get(branch)
            body.visible = ghost is not None
            if ghost is not None:
                body.pose(ghost.q)
                body.look(ghost.colour, ghost.opacity, ghost.reason)
        nearest = session.solution.nearest_point
        self._missing.visible = nearest is not None
        if nearest is not None:
            self._missing.points = np.array([[(*nearest, 0.0), (x, y, 0.0)]], dtype=np.float32)

    def _draw_arrows(self, session: Session, report: Report) -> None:
        if report.twist is None:
            for line in self._arrows.values():
                if line.visible:
                    line.visible = False
            return
        twist, reach = report.twist, self._arm.outer_radius
        tip = self._arm.forward(session.q)
        for arrow in velocity_arrows(
            tip, twist.commanded, twist.achieved, twist.residual, longest=0.4 * reach
        ):
            line = self._arrows[arrow.name]
            if line.visible != arrow.visible:
                line.visible = arrow.visible
            if arrow.visible:
                line.points = arrow_lines(arrow.start, arrow.end, 0.06 * reach)


def arrow_lines(start: Array, end: Array, z: float) -> Array:
    """Shaft and two barbs as line segments, shape (3, 2, 3)."""
    along = end - start
    back = -0.22 * along
    side = 0.5 * np.array([-back[1], back[0]])
    lines = np.array([(start, end), (end, end + back + side), (end, end + back - side)])
    return np.concatenate((lines, np.full((3, 2, 1), z)), axis=-1).astype(np.float32)
