"""``planar-arm demo``: the nodes over real DDS, and a path traced by the simulated arm."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.cli.demo_report import report
from planar_arm_ik.cli.options import CONFIG, JSON, config_of, description_of
from planar_arm_ik.cli.processes import Children, die_with_parent
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.stop_event import StopEvent
from planar_arm_ik.paths.waypoints import example_arc, load_waypoints
from planar_arm_ik.status import IkStatus

if TYPE_CHECKING:
    from planar_arm_ik.nodes.path_executor.client import PathClient

#: Tip speed along the path [m/s].
TIP_SPEED = 0.1
#: How a path ends when somebody else wants the arm.
_TAKEN_OVER = (IkStatus.CANCELED, IkStatus.PREEMPTED)

_START = 20.0
_STOP = 3.0
_PATH = 120.0


@Verb(
    "demo",
    "the simulated arm traces a path over ROS",
    "Start driver, solver, executor and browser page, send a path, compare the "
    "tip's track. Who takes the arm over from the page keeps it.",
    examples=["demo --once"],
    options=[
        option("--once", action="store_true", help="trace the path once and end"),
        option("--path", type=Path, metavar="FILE", help="waypoints x, y [m], CSV or JSON"),
        option("--no-view", action="store_true", help="serve no browser page"),
        option(
            "--port", type=int, default=8080, help="first port to try for the page (default 8080)"
        ),
        option("--attach", action="store_true", help="use the nodes that run already, start none"),
        option("--name", default="", help="namespace of the arm, with --attach"),
        JSON,
        CONFIG,
    ],
)
def demo(arguments: argparse.Namespace) -> int:
    """Run the demo; exit code 0 when every path was traced, or the user stopped it."""
    description = _named(description_of(arguments), arguments.name)
    waypoints = example_arc() if arguments.path is None else load_waypoints(arguments.path)
    stop = StopEvent()
    stop.install()
    if os.environ.get("MAKELEVEL"):
        die_with_parent(os.getppid())
    parameters = ["--params-file", str(config_of(arguments))]
    with Children() as children:
        if not arguments.attach:
            _start(children, arguments, parameters)
        code = _trace(arguments, description, waypoints, children, stop)
    stop.ignore()
    return code


def _named(description: ArmDescription, name: str) -> ArmDescription:
    """The description of the arm called `name`: joints carry its prefix."""
    if not name:
        return description
    first, second = description.joint_names
    return replace(description, joint_names=(f"{name}_{first}", f"{name}_{second}"))


def _start(children: Children, arguments: argparse.Namespace, parameters: list[str]) -> None:
    """Start the nodes; the page where viser is installed."""
    if not arguments.no_view and not arguments.once:
        if importlib.util.find_spec("viser") is None:
            print("no browser page: pip install 'viser>=1.1,<1.2'", file=sys.stderr)
        else:
            children.start_nodes(["viewer"], [*parameters, "-p", f"port:={arguments.port}"])
    children.start_nodes(["servo_driver"], parameters)
    # A simulated arm is late only because the machine is busy.
    children.start_nodes(["ik_server", "path_executor"], [*parameters, "-p", "path_lag:=3.0"])
    if not arguments.once:
        children.start_nodes(["cartesian_follower"], parameters)


def _trace(
    arguments: argparse.Namespace,
    description: ArmDescription,
    waypoints: Array,
    children: Children,
    stop: StopEvent,
) -> int:
    from planar_arm_ik.nodes.path_executor.client import PathClient, Stopped

    def stopped() -> bool:
        failure = children.failure()
        if failure and not stop.is_set():
            raise PlanarArmError(failure)
        return stop.is_set()

    client = PathClient(description, stopped, arguments.name)
    try:
        client.enable(_START)
        return _back_and_forth(arguments, description, waypoints, client)
    except Stopped:
        with contextlib.suppress(PlanarArmError):  # an executor that is gone has stopped the arm
            client.cancel(_STOP)
        return 0
    finally:
        client.close()


def _back_and_forth(
    arguments: argparse.Namespace,
    description: ArmDescription,
    waypoints: Array,
    client: PathClient,
) -> int:
    """Trace the path there and back until it fails, the first time with a table; once if asked."""
    code, table = 0, True
    while code == 0:
        result = client.execute(waypoints, _PATH, tip_speed=TIP_SPEED)
        if result.status.code in _TAKEN_OVER:
            print("the arm has been taken over; Ctrl-C ends the demo", flush=True)
            client.idle()
        code = report(description.arm, waypoints, client.track, result, arguments.json, table)
        if arguments.once:
            break
        waypoints, table = waypoints[::-1], False
    return code
