"""The whole page: server, stage and panel, stepped by whoever owns the loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.viewer.camera import FIELD_OF_VIEW, View, fitted
from planar_arm_ik.viewer.guard import guarded_server, is_loopback
from planar_arm_ik.viewer.inbox import Inbox, on_loop
from planar_arm_ik.viewer.panel import Panel
from planar_arm_ik.viewer.robot import Report, Robot
from planar_arm_ik.viewer.session import Session
from planar_arm_ik.viewer.stage import Stage
from planar_arm_ik.viewer.study_view import StudyView

#: Words and plots change at most this often [s].
_PANEL_PERIOD, _PLOT_PERIOD = 0.1, 0.25


@dataclass(frozen=True)
class PageOptions:
    """Where the page is served, and to whom.

    Args:
        host: address to listen on.
        port: first port to try.
        allowed_hosts: further names under which the page may be reached.
        view_only: nobody can move anything.
        remote_control: a page on another address than this machine's own may move the arm.
        title: heading of the panel.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    allowed_hosts: tuple[str, ...] = ()
    view_only: bool = False
    remote_control: bool = False
    title: str = "planar arm"

    @property
    def locked(self) -> bool:
        """Whether the page is for viewing only."""
        return self.view_only or not (self.remote_control or is_loopback(self.host))


class Page:
    """One page for one arm.

    Args:
        arm: the arm.
        robot: what can be asked of it.
        options: where it is served.
        obstacles: keep-out shapes, None when there are none.

    Raises:
        PlanarArmError: viser is missing, or the address cannot be used.
    """

    def __init__(
        self,
        arm: PlanarArm,
        robot: Robot,
        options: PageOptions,
        obstacles: Obstacles | None = None,
    ) -> None:
        self.inbox = Inbox(options.locked)
        self.session = Session(arm, robot, obstacles)
        self._arm = arm
        self._server = guarded_server(options.host, options.port, options.allowed_hosts)
        self.url = f"http://{_shown(options.host)}:{self._server.get_port()}"
        self._next_panel = self._next_plot = 0.0
        self._study_since = 0.0
        self._studying = False
        self._closed = False
        self._build(options)

    def _build(self, options: PageOptions) -> None:
        server = self._server
        server.gui.configure_theme(
            control_width="medium", show_logo=False, show_share_button=False
        )
        server.gui.set_panel_label(options.title)
        scene = server.scene
        scene.set_up_direction("+y")
        scene.world_axes.visible = False
        # Plain lights: the page stays usable where the browser has no GPU.
        scene.configure_environment_map(hdri=None)
        scene.configure_default_lights(cast_shadow=False)
        scene.add_light_ambient("/ambient", intensity=1.6)
        self._stage = Stage(scene, self._arm, self.inbox, self.session.obstacles)
        self._study = StudyView(scene, self._arm)
        self._panel = Panel(server.gui, self.session, self.inbox, self._stage.drawing)
        straight = server.gui.add_button("Straight view", color="gray", hint="key: V")
        straight.on_click(on_loop(lambda _: self._frame_all()))
        key = server.gui.add_command("Straight view", hotkey="V")
        key.on_trigger(on_loop(lambda _: self._frame_all()))
        server.initial_camera.fov = FIELD_OF_VIEW
        _look(server.initial_camera, self._view(1280, 800))
        server.on_client_connect(self._welcome)

    def _view(self, width: int, height: int) -> View:
        reach = self._arm.outer_radius
        if self._studying:
            return fitted(2.25 * reach, 1.3 * reach, width, height)
        return fitted(1.15 * reach, 1.12 * reach, width, height)

    def _welcome(self, client: Any) -> None:
        """Frame the arm for a new window, and again whenever its size changes."""
        size = (client.camera.image_width, client.camera.image_height)
        self._frame(client)

        def moved(camera: Any) -> None:
            nonlocal size
            now = (camera.image_width, camera.image_height)
            if now != size:
                size = now
                self._frame(client)

        client.camera.on_update(moved)

    def _frame(self, client: Any) -> None:
        camera = client.camera
        camera.fov = FIELD_OF_VIEW
        camera.up_direction = (0.0, 1.0, 0.0)
        _look(camera, self._view(camera.image_width, camera.image_height))

    def _frame_all(self) -> None:
        for client in self._server.get_clients().values():
            self._frame(client)

    def step(self, now: float, report: Callable[[], Report]) -> None:
        """Handle what people did and draw what is new.

        Args:
            now: monotonic time [s].
            report: asked for the arm as seen now, after the requests have been handed over.
        """
        if self._closed:
            return
        for event in self.inbox.drain():
            self.session.handle(event)
        seen = report()
        self.session.observe(seen)
        with self._server.atomic():
            self._draw(now, seen)

    def _draw(self, now: float, report: Report) -> None:
        session = self.session
        if bool(session.study) != self._studying:
            self._studying, self._study_since = bool(session.study), now
            self._stage.root.visible = not self._studying
            self._frame_all()
        self._study.update(session.study, now - self._study_since)
        self._stage.update(session, report)
        self._panel.plots.add(now, session.q, report)
        if now >= self._next_panel:
            self._next_panel = now + _PANEL_PERIOD
            self._panel.update(now, report)
        if now >= self._next_plot:
            self._next_plot = now + _PLOT_PERIOD
            self._panel.plots.draw()

    def close(self) -> None:
        """Stop serving; a later step does nothing."""
        self._closed = True
        self._server.stop()


def _look(camera: Any, view: View) -> None:
    x, y = view.centre
    camera.position = (x, y, view.distance)
    camera.look_at = (x, y, 0.0)


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
