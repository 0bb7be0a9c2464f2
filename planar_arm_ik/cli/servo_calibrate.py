"""``planar-arm servo calibrate FILE``: guided, or step by step for scripts."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from planar_arm_ik.cli.common import (
    add_arm,
    add_degrees,
    add_json,
    angle,
    description_of,
    print_json,
)
from planar_arm_ik.cli.servo_bench import add_bus
from planar_arm_ik.cli.servo_guide import Interview, guide
from planar_arm_ik.cli.servo_taught import Notes, fitted, index_of, raw_now, with_joint
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
    line.split()[5]: line
    for line in _HELP.splitlines()
    if line.startswith("example") and len(line.split()) > 5
}


def register(commands: Any) -> None:
    """Add the sub-command."""
    parser = commands.add_parser(
        "calibrate",
        help="teach a servo arm where its joints are",
        description="Teach a servo arm where its joints are; the old file is kept.",
        epilog=_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, help="servo arm's file, made or changed")
    for add in (add_json, add_arm, add_degrees):
        add(parser)
    parser.set_defaults(run=_guide)
    _register_steps(parser.add_subparsers(title="steps", metavar="STEP"))


def _register_steps(steps: Any) -> None:
    new = _step(steps, "new", "start a file")
    add_bus(new)
    new.add_argument("--ids", type=int, nargs=2, default=[1, 2], help="ids or channels")
    new.set_defaults(run=_new)
    limits = _step(steps, "range", "hard range of one joint")
    limits.add_argument("joint", help="name of the joint")
    limits.add_argument("low", type=float, help="smallest raw value")
    limits.add_argument("high", type=float, help="largest raw value")
    limits.set_defaults(run=_range)
    teach = _step(steps, "teach", "a pose with known angles, read from the servos")
    teach.add_argument("q", type=float, nargs=2, metavar="Q", help="angles of both joints")
    teach.set_defaults(run=_teach)
    measure = _step(steps, "measure", "one angle at one pulse, without feedback")
    measure.add_argument("joint", help="name of the joint")
    measure.add_argument("raw", type=float, help="pulse [us]")
    measure.add_argument("angle", type=float, help="angle measured")
    measure.add_argument("--down", action="store_true", help="coming from above")
    measure.set_defaults(run=_measure)
    _step(steps, "finish", "fit and write the file").set_defaults(run=_finish)
    verify = _step(steps, "verify", "compare with a tip position measured by hand")
    verify.add_argument("tip", type=float, nargs=2, metavar="M", help="x and y of the tip [m]")
    verify.add_argument("--tolerance", type=float, default=0.01, help="of the tip [m]")
    verify.set_defaults(run=_verify)
    for step in (teach, verify):
        step.add_argument("--raw", type=float, nargs=2, help="instead of reading the servos")
    for step in (teach, measure):
        step.add_argument(
            "--degrees",
            action="store_true",
            default=argparse.SUPPRESS,
            help="angles are in degrees",
        )


def _step(steps: Any, name: str, text: str) -> argparse.ArgumentParser:
    """Add one step; options that the command has, too, keep what was said there."""
    step: argparse.ArgumentParser = steps.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}.", epilog=_EXAMPLES[name]
    )
    step.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object"
    )
    return step


def _new(arguments: argparse.Namespace) -> int:
    description = description_of(arguments)
    bus = {"backend": arguments.backend}
    if arguments.backend == "pca9685":
        port = arguments.port or "1"
        made = BusSettings(**bus, i2c_bus=int(port) if port.isdecimal() else port)
    else:
        baud = arguments.baud or DEFAULT_BAUD[arguments.backend]
        made = BusSettings(**bus, port=arguments.port, baud=baud)
    settings = template(made, description.arm, description.joint_names, tuple(arguments.ids))
    Notes(arguments.file).path.unlink(missing_ok=True)
    return _saved(arguments, settings)


def _range(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.file)
    k = index_of(settings, arguments.joint)
    joint = with_hard_range(settings.joints[k], arguments.low, arguments.high)
    return _saved(arguments, with_joint(settings, k, joint))


def _teach(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments.file)
    notes = Notes(arguments.file)
    raw = arguments.raw or raw_now(settings)
    q = [angle(value, arguments.degrees) for value in arguments.q]
    notes.poses.append({"raw": list(raw), "q": q})
    notes.save()
    return _say(arguments, {"raw": list(raw), "q": q, "poses": len(notes.poses)})


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


def _finish(arguments: argparse.Namespace) -> int:
    return _saved(arguments, fitted(load_settings(arguments.file), Notes(arguments.file)))


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
    if arguments.json:
        print_json(document)
    else:
        print("; ".join(f"{key}: {value}" for key, value in document.items()))
    return 0


def _guide(arguments: argparse.Namespace) -> int:
    """Ask for everything, one question at a time."""
    description = description_of(arguments)
    settings = guide(arguments.file, description, Interview(arguments.degrees))
    return _saved(arguments, settings)
