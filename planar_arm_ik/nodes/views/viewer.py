"""The browser page as a node: the arm at http://127.0.0.1:8080, drawn live and driven by hand."""

from __future__ import annotations

import dataclasses
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.clocks import steady_timer
from planar_arm_ik.nodes.common.core_parameters import declared_in
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.parameters import Parameters, parameter
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.views.page_robot import PageRobot
from planar_arm_ik.trajectories.tolerances import Tolerances
from planar_arm_ik.viewer.page import Page, PageOptions


@dataclasses.dataclass(frozen=True)
class ViewerConfig:
    """Parameters of the node."""

    host: str = parameter("127.0.0.1", "address to serve the page on", read_only=True)
    port: int = parameter(
        8080, "first port to try, 0 = any free one", lower=0, upper=65535, read_only=True
    )
    allowed_hosts: str = parameter(
        "", "further names the page may be reached by, with commas between", read_only=True
    )
    view_only: bool = parameter(False, "nobody can move anything from the page", read_only=True)
    remote_control: bool = parameter(
        False, "a page on another address than loopback may move the arm", read_only=True
    )
    rate: float = parameter(60.0, "rate of drawing [Hz]", lower=1.0, upper=240.0, read_only=True)
    state_timeout: float = declared_in(Tolerances, "state_timeout")


class Viewer(ArmNode):
    """Serves one page for one arm; other nodes may come and go."""

    def __init__(self, **options: Any) -> None:
        super().__init__("viewer", **options)
        description = declare_description(self)
        config = Parameters(self, ViewerConfig).value
        self._robot = PageRobot(self, description, config.state_timeout, self.steady)
        names = tuple(name.strip() for name in config.allowed_hosts.split(",") if name.strip())
        page_options = PageOptions(
            host=config.host,
            port=config.port,
            allowed_hosts=names,
            view_only=config.view_only,
            remote_control=config.remote_control,
            title=self.get_namespace().strip("/") or "planar arm",
        )
        try:
            self._page = Page(description.arm, self._robot, page_options, description.obstacles)
        except PlanarArmError:
            self.destroy_node()
            raise
        self._say_where(config, page_options)
        self._timer = steady_timer(self, 1.0 / config.rate, self._step)

    def _say_where(self, config: ViewerConfig, page: PageOptions) -> None:
        log = self.get_logger()
        wanted, url = f":{config.port}", self._page.url
        if config.port and not url.endswith(wanted):
            log.warning(f"port {config.port} is taken")
        log.info(f"the page is at {url}")
        if page.locked and not config.view_only:
            log.warning(
                f"{config.host} can be reached from other machines: the page is for viewing only "
                "(remote_control:=true allows more)"
            )

    def _step(self) -> None:
        self._page.step(self.steady.now(), self._robot.report)

    def stop(self) -> None:
        """Stop drawing and serving."""
        self._timer.cancel()
        self._page.close()
