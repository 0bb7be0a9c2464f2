"""``planar-arm servo calibrate FILE``: guided, or step by step for scripts."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from planar_arm_ik.cli.options import CONFIG, DEGREES, JSON, angle, angles, description_of
from planar_arm_ik.cli.output import answer
from planar_arm_ik.cli.servo.guide import Interview, guide
from planar_arm_ik.cli.servo.options import BUS, JOINT, i2c_bus
from planar_arm_ik.cli.servo.taught import Notes, fitted, index_of, raw_now, with_joint
from planar_arm_ik.cli.verb import Option, Run, Verb, option
from planar_arm_ik.servo.calibration.teach import tip_errors, with_hard_range
from planar_arm_ik.servo.settings.backends import DEFAULT_BAUD
from planar_arm_ik.servo.settings.files import save_settings, template
from planar_arm_ik.servo.settings.settings import BusSettings, ServoSettings, load_settings

_HELP = """\
example: planar-arm servo calibrate arm.yaml
         asks for everything
step by step, every step alone, in this order:
example: planar-arm servo calibrate arm.yaml new --backend feetech --port /dev/ttyACM0 --ids 1 2
example: planar-arm servo calibrate arm.yaml range joint1 300 3800
         hard range, never sent beyond
example: planar-arm servo calibrate arm.yaml teach 90 90 --degrees
         arm held by hand at these angles
example: planar-arm servo calibrate arm.yaml measure joint1 1200 -0.42
         without feedback: pulse and protractor, going up
example: planar-arm servo calibrate arm.yaml measure joint1 1200 -0.40 --down
example: planar-arm servo calibrate arm.yaml finish
         writes the file, keeps the old one
example: planar-arm servo calibrate arm.yaml verify 0.5 0.4
         arm held with its tip there; twice
"""

#: Line of an example in the help of each step.
_EXAMPLES = {
    line.split()[5]: line.removeprefix("example: planar-arm ")
    for line in _HELP.splitlines()
    if line.startswith("example") and len(line.split()) > 5
}

_RAW = option("--raw", type=float, nargs=2, help="instead of reading the servos")
# Options that the command has, too, keep what was said there.
_STEP_JSON = option(
    "--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object"
)
_STEP_DEGREES = option(
    "--degrees", action="store_true", default=argparse.SUPPRESS, help="angles are in degrees"
)


def _step(name: str, text: str, *options: Option) -> Callable[[Run], Verb]:
    """Declare one step."""
    return Verb(name, text, examples=[_EXAMPLES[name]], options=[_STEP_JSON, *options])


@_step(
    "new",
    "start a file",
    *BUS,
    option("--ids", type=int, nargs=2, default=[1, 2], help="ids or channels"),
)
def _new(arguments: argparse.Namespace) -> int:
    description = description_of(arguments)
    bus = {"backend": arguments.backend}
    if arguments.backend == "pca9685":
        made = BusSettings(**bus, i2c_bus=i2c_bus(arguments.port))
    else:
        baud = arguments.baud or DEFAULT_BAUD[arguments.backend]
        made = BusSettings(**bus, port=arguments.port, baud=baud)
    settings = template(made, description.arm, description.joint_names, tuple(arguments.ids))
    Notes(arguments.file).path.unlink(missing_ok=True)
    return _saved(arguments, settings)


@_step(
    "range",
    "hard range of one joint",
    JOINT,
    option("low", type=float, help="smallest raw value"),
    option("high", type=float, help="largest raw value"),
)
def _range(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.file)
    k = index_of(settings, arguments.joint)
    joint = with_hard_range(settings.joints[k], arguments.low, arguments.high)
    return _saved(arguments, with_joint(settings, k, joint))


@_step(
    "teach",
    "a pose with known angles, read from the servos",
    option("q", type=float, nargs=2, metavar="Q", help="angles of both joints"),
    _RAW,
    _STEP_DEGREES,
)
def _teach(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.file)
    notes = Notes(arguments.file)
    raw = arguments.raw or raw_now(settings)
    q = angles(arguments.q, arguments.degrees)
    notes.poses.append({"raw": list(raw), "q": q})
    notes.save()
    return _say(arguments, {"raw": list(raw), "q": q, "poses": len(notes.poses)})


@_step(
    "measure",
    "one angle at one pulse, without feedback",
    JOINT,
    option("raw", type=float, help="pulse [us]"),
    option("angle", type=float, help="angle measured"),
    option("--down", action="store_true", help="coming from above"),
    _STEP_DEGREES,
)
def _measure(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.file)
    index_of(settings, arguments.joint)
    notes = Notes(arguments.file)
    q = angle(arguments.angle, arguments.degrees)
    notes.measured.append(
        {"joint": arguments.joint, "raw": arguments.raw, "q": q, "down": arguments.down}
    )
    notes.save()
    return _say(arguments, {"joint": arguments.joint, "raw": arguments.raw, "q": q})


@_step("finish", "fit and write the file")
def _finish(arguments: argparse.Namespace) -> int:
    return _saved(arguments, fitted(load_settings(arguments.file), Notes(arguments.file)))


@_step(
    "verify",
    "compare with a tip position measured by hand",
    option("tip", type=float, nargs=2, metavar="M", help="x and y of the tip [m]"),
    option("--tolerance", type=float, default=0.01, help="of the tip [m]"),
    _RAW,
)
def _verify(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.file)
    description = description_of(arguments)
    raw = arguments.raw or raw_now(settings)
    error = float(
        tip_errors(description.arm, settings.joints, np.array([raw]), np.array([arguments.tip]))[0]
    )
    good = error <= arguments.tolerance
    _say(arguments, {"tip_error": error, "tolerance": arguments.tolerance, "passed": good})
    return 0 if good else 1


def _saved(arguments: argparse.Namespace, settings: ServoSettings) -> int:
    kept = save_settings(settings, arguments.file)
    document: dict[str, Any] = {"file": str(arguments.file)}
    if kept is not None:
        document["old file"] = str(kept)
    for joint in settings.joints:
        document[joint.joint] = (
            f"zero {joint.zero:.1f}, sign {joint.sign}, gear {joint.gear:.3f}, "
            f"{len(joint.points)} points, limits {joint.lower:.3f} to {joint.upper:.3f} rad"
        )
    return _say(arguments, document)


def _say(arguments: argparse.Namespace, document: dict[str, Any]) -> int:
    line = "; ".join(f"{key}: {value}" for key, value in document.items())
    answer(arguments.json, document, line)
    return 0


@Verb(
    "calibrate",
    "teach a servo arm where its joints are",
    "Teach a servo arm where its joints are; the old file is kept.",
    notes=_HELP,
    options=[
        option("file", type=Path, help="servo arm's file, made or changed"),
        JSON,
        CONFIG,
        DEGREES,
    ],
    title="steps",
    verbs=[_new, _range, _teach, _measure, _finish, _verify],
)
def calibrate(arguments: argparse.Namespace) -> int:
    """Ask for everything, one question at a time."""
    description = description_of(arguments)
    settings = guide(arguments.file, description, Interview(arguments.degrees))
    return _saved(arguments, settings)
