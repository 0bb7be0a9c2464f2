"""``planar-arm demo``: the nodes over real DDS, and a path traced by the simulated arm."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.cli.options import CONFIG, JSON, config_of, description_of
from planar_arm_ik.cli.output import complain, print_json
from planar_arm_ik.cli.processes import Children, die_with_parent
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.stop_event import StopEvent
from planar_arm_ik.paths.waypoints import example_arc, load_waypoints
from planar_arm_ik.status import IkStatus

#: Tip speed along the path [m/s].
TIP_SPEED = 0.1
#: Largest distance of the tip from the path that passes as traced [m].
TRACED = 1e-3

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
        code, table = 0, True
        while code == 0:
            result = client.execute(waypoints, _PATH, tip_speed=TIP_SPEED)
            if result.status.code in _TAKEN_OVER:
                print("the arm has been taken over; Ctrl-C ends the demo", flush=True)
                client.idle()
            code = _report(arguments, description, waypoints, client.track, result, table)
            table = False
            if arguments.once:
                return code
            waypoints = waypoints[::-1]
        return code
    except Stopped:
        with contextlib.suppress(PlanarArmError):  # an executor that is gone has stopped the arm
            client.cancel(_STOP)
        return 0
    finally:
        client.close()


def _report(
    arguments: argparse.Namespace,
    description: ArmDescription,
    waypoints: Array,
    track: list[Array],
    result: Any,
    table: bool,
) -> int:
    """Print how well the path was traced, the first time point by point; 0 when it was."""
    status = IkStatus(result.status.code)
    if status < 0:
        complain(f"{status.name}: {result.status.message}")
        return 1
    tip = on_path(description.arm.forward(np.array(track)), waypoints)
    distance = distance_from_path(tip, waypoints)
    document = {
        "status": status.name,
        "waypoints": len(waypoints),
        "trajectory_points": len(result.trajectory.points),
        "largest_joint_step": result.largest_joint_step,
        "samples": len(tip),
        "largest_distance": float(distance.max()),
    }
    if arguments.json:
        print_json(document)
    else:
        if table:
            _print_track(tip, distance, waypoints)
        print(
            f"{document['waypoints']} waypoints, {document['trajectory_points']} trajectory "
            f"points, {document['samples']} recorded tips, largest distance from the path "
            f"{1e3 * document['largest_distance']:.4f} mm",
            flush=True,
        )
    if distance.max() < TRACED:
        return 0
    complain(f"the tip was up to {1e3 * distance.max():.3g} mm beside the path")
    return 1


def _print_track(tip: Array, distance: Array, waypoints: Array) -> None:
    print("  waypoint      x [m]      y [m]   nearest tip x, y [m]    from the path [mm]")
    for index in np.unique(np.linspace(0, len(waypoints) - 1, 7).astype(int)):
        x, y = waypoints[index]
        k = int(np.argmin(_length(tip - waypoints[index])))
        print(
            f"  {index:8d}  {x:9.5f}  {y:9.5f}   {tip[k, 0]:9.5f} {tip[k, 1]:9.5f}"
            f"   {1e3 * distance[k]:12.4f}"
        )


def on_path(tip: Array, waypoints: Array) -> Array:
    """Leave out the approach: the track from where it is nearest to the first waypoint.

    Where few states were recorded, the nearest may be one of the approach: the track begins with
    the next that lies on the path, if one does.
    """
    track = tip[int(np.argmin(_length(tip - waypoints[0]))) :]
    on = distance_from_path(track, waypoints) < TRACED
    return track[int(on.argmax()) :]


def distance_from_path(points: Array, waypoints: Array) -> Array:
    """Distance of each point from the straight lines between waypoints [m], shape (len(points),).

    Args:
        points: (x, y) [m], shape (P, 2).
        waypoints: (x, y) [m], shape (N, 2).
    """
    begin, along = waypoints[:-1], np.diff(waypoints, axis=0)
    if len(along) == 0:
        return _length(points - waypoints[0])
    length = np.maximum((along**2).sum(axis=1), 1e-300)
    offset = points[:, None, :] - begin
    share = np.clip((offset * along).sum(axis=-1) / length, 0.0, 1.0)
    nearest = share[..., None] * along
    closest: Array = _length(offset - nearest).min(axis=1)
    return closest


def _length(vectors: Array) -> Array:
    length: Array = np.linalg.norm(vectors, axis=-1)
    return length
