"""``planar-arm path FILE``: plan a tip path, report on it, draw it, execute it."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.cli.options import (
    CONFIG,
    DEGREES,
    JSON,
    PLOT,
    RULE,
    angle,
    angles,
    description_of,
    plot,
    pose,
)
from planar_arm_ik.cli.output import complain, print_json
from planar_arm_ik.cli.path_report import document_of, print_report
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.paths.blend import BLEND_TOLERANCE
from planar_arm_ik.paths.waypoints import load_waypoints
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.motion import PathMotion, PathOptions, prepare

#: Time to find the executor, and to wait for a path beyond its own duration [s].
_PATIENCE = 20.0


#: How to plan.
_PLAN = (
    RULE,
    option(
        "--search",
        default="greedy",
        choices=["greedy", "global"],
        help="waypoint by waypoint, or over the whole path (default: greedy)",
    ),
    pose("--start", "joint angles before the path"),
    option("--max-joint-step", type=float, metavar="ANGLE", help="largest step between waypoints"),
    option(
        "--line-tolerance",
        type=float,
        default=1e-3,
        metavar="M",
        help="largest distance from the lines [m]; 0: joint moves (default: 0.001)",
    ),
    option(
        "--blend-tolerance",
        type=float,
        default=BLEND_TOLERANCE,
        metavar="M",
        help="how far the tip may leave the polyline to round its corners [m]; "
        "0: exact, with stops (default: 0.0005)",
    ),
    option("--allow-branch-switch", action="store_true", help="let the elbow change on the way"),
)


@Verb(
    "path",
    "plan, draw or execute a tip path",
    "Plan a path of the tip along straight lines between waypoints and report "
    "on it: elbow, steps, jumps, margins, duration. All or nothing.",
    examples=[
        "path arc.csv --degrees",
        "path arc.json --rule min_shoulder --allow-branch-switch",
        "path arc.csv --tip-speed 0.1 --execute",
    ],
    options=[
        option("file", type=Path, help="waypoints x, y [m], CSV or JSON"),
        *_PLAN,
        option(
            "--tip-speed", type=float, default=0.0, metavar="M_S", help="largest tip speed [m/s]"
        ),
        option("--scaling", type=float, default=1.0, help="of all limits, in (0, 1]"),
        option("--execute", action="store_true", help="execute it by the running path_executor"),
        *PLOT,
        DEGREES,
        JSON,
        CONFIG,
    ],
)
def path(arguments: argparse.Namespace) -> int:
    """Plan, report, draw, execute; exit code 0 only when all of it succeeded."""
    description = description_of(arguments)
    waypoints = load_waypoints(arguments.file)
    start = None
    if arguments.start is not None:
        start = np.array(angles(arguments.start, arguments.degrees))
    options = _options(arguments)
    motion = prepare(description.arm, waypoints, start, options, description.obstacles)
    document = document_of(motion, len(waypoints), arguments.degrees)
    if arguments.plot:
        from planar_arm_ik.figures.paths import path_figure

        document["plot"] = plot(
            arguments,
            lambda theme: path_figure(
                description.arm, theme, waypoints, motion.plan, description.obstacles
            ),
        )
    if arguments.execute and motion.ok:
        document["execution"] = _execute(description, waypoints, motion, options)
    if arguments.json:
        print_json(document)
    else:
        print_report(document)
    done = document.get("execution", {"status": "OK"})["status"]
    return 0 if motion.ok and IkStatus[done] >= 0 else 1


def _options(arguments: argparse.Namespace) -> PathOptions:
    step = math.inf
    if arguments.max_joint_step is not None:
        step = angle(arguments.max_joint_step, arguments.degrees)
    return PathOptions(
        arguments.rule,
        arguments.search,
        step,
        arguments.line_tolerance or None,
        arguments.allow_branch_switch,
        arguments.tip_speed,
        arguments.scaling,
        arguments.scaling,
        blend_tolerance=arguments.blend_tolerance,
    )


def _execute(
    description: ArmDescription, waypoints: Array, motion: PathMotion, options: PathOptions
) -> dict[str, Any]:
    """Send the path to path_executor; Ctrl-C cancels it and waits for the arm to stop."""
    from planar_arm_ik.nodes.common.stop_event import StopEvent
    from planar_arm_ik.nodes.path_executor.client import PathClient, Stopped

    if options.line_tolerance is None:
        raise PlanarArmError("--line-tolerance 0 is for planning only; --execute follows lines")
    stop = StopEvent()
    stop.install()
    client = PathClient(description, stop.is_set)
    duration = 0.0 if motion.trajectory is None else motion.trajectory.duration
    try:
        client.connect(_PATIENCE)
        result = client.execute(waypoints, 2.0 * duration + _PATIENCE, **_request(options))
    except Stopped:
        client.cancel(_PATIENCE)
        complain("canceled; the arm has stopped on the path")
        return {"status": IkStatus.CANCELED.name, "message": "canceled by the user"}
    finally:
        client.close()
    return {
        "status": IkStatus(result.status.code).name,
        "message": result.status.message,
        "fraction": result.fraction,
        "max_tracking_error": result.max_tracking_error,
    }


def _request(options: PathOptions) -> dict[str, Any]:
    """Say to path_executor what was planned with; there 0 is a step without limit.

    A blend of 0 would be the node's own; negative is none.
    """
    step = options.max_joint_step
    return {
        "rule": options.rule,
        "search": options.search,
        "max_joint_step": 0.0 if math.isinf(step) else step,
        "line_tolerance": options.line_tolerance,
        "blend_tolerance": options.blend_tolerance or -1.0,
        "allow_branch_switch": options.allow_branch_switch,
        "tip_speed": options.tip_speed,
        "velocity_scaling": options.velocity_scaling,
        "acceleration_scaling": options.acceleration_scaling,
    }
