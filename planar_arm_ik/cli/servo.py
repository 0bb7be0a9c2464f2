"""``planar-arm servo ...``: find, name, move and calibrate servos, without ROS."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from planar_arm_ik.cli import servo_bench, servo_calibrate
from planar_arm_ik.cli.common import add_degrees, add_json, angle, print_json, shown
from planar_arm_ik.cli.servo_bench import guarded
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.control.session import ServoSession
from planar_arm_ik.servo.settings.settings import load_settings


def register(subparsers: Any) -> None:
    """Add the sub-command and its own."""
    parser = subparsers.add_parser(
        "servo",
        help="find, name, move and calibrate servos",
        description="Work on the servos of an arm. Nothing here needs ROS.",
        epilog="example: planar-arm servo COMMAND --help",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    servo_bench.register(commands)
    for name, text, run in (
        ("read", "angles, raw values and health, limp", _read),
        ("relax", "torque or pulses off", _relax),
        ("test", "move each joint a little and report how well it follows", _test),
    ):
        one = commands.add_parser(
            name,
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            epilog=f"example: planar-arm servo {name} arm.yaml",
        )
        one.add_argument("file", type=Path, help="servo arm's file")
        one.set_defaults(run=guarded(run))
        add_json(one)
        add_degrees(one)
        if name == "read":
            one.add_argument("--watch", action="store_true", help="print until Ctrl-C")
        if name == "test":
            one.add_argument("--by", type=float, default=None, help="angle to move [rad], 0.1")
    _register_jog(commands)
    servo_calibrate.register(commands)


def _register_jog(commands: Any) -> None:
    jog = commands.add_parser(
        "jog",
        help="move one joint by an angle",
        description="Move a joint by an angle, or to one; then let go.",
        epilog="example: planar-arm servo jog arm.yaml joint1 10 --degrees\n"
        "example: planar-arm servo jog arm.yaml joint2 -0.4 --to --hold 2",
    )
    jog.add_argument("file", type=Path, help="servo arm's file")
    jog.add_argument("joint", help="name of the joint")
    jog.add_argument("by", type=float, help="angle to move by; with --to, to move to")
    jog.add_argument("--to", action="store_true", help="move to the angle, not by it")
    jog.add_argument("--hold", type=float, default=0.0, help="stay there for this time [s]")
    add_json(jog)
    add_degrees(jog)
    jog.set_defaults(run=guarded(_jog))


def say(level: str, text: str) -> None:
    """Print what the arm says."""
    print(f"planar-arm: {level}: {text}", file=sys.stderr)


def _open(arguments: argparse.Namespace) -> ServoSession:
    return ServoSession(load_settings(arguments.file), say)


def _read(arguments: argparse.Namespace) -> int:
    with _open(arguments) as session:
        while True:
            _show(arguments, session)
            if not arguments.watch:
                return 0
            time.sleep(0.2)


def _show(arguments: argparse.Namespace, session: ServoSession) -> None:
    position = session.position
    time.sleep(0.6)  # one round of health questions
    report = session.report
    joints = []
    for joint, q, health in zip(session.settings.joints, position, report.health, strict=True):
        joints.append(
            {
                "joint": joint.joint,
                "id": joint.id,
                "angle": shown(q, arguments.degrees),
                "raw": joint.to_raw(q),
                "measured": report.measured,
                "voltage": health.voltage,
                "temperature": health.temperature,
            }
        )
    if arguments.json:
        print_json({"angle_unit": "deg" if arguments.degrees else "rad", "joints": joints})
        return
    unit = "deg" if arguments.degrees else "rad"
    for row in joints:
        how = "" if row["measured"] else "  (estimated)"
        power = f"  {row['voltage']:.1f} V" if row["voltage"] is not None else ""
        heat = f"  {row['temperature']:.0f} deg C" if row["temperature"] is not None else ""
        print(
            f"{row['joint']}  id {row['id']}  raw {row['raw']:8.1f}  "
            f"{row['angle']: .4f} {unit}{how}{power}{heat}"
        )


def _relax(arguments: argparse.Namespace) -> int:
    with _open(arguments) as session:
        session.relax()
    if arguments.json:
        print_json({"state": "limp"})
    else:
        print("limp")
    return 0


def _jog(arguments: argparse.Namespace) -> int:
    with _open(arguments) as session:
        names = session.settings.joint_names
        if arguments.joint not in names:
            raise PlanarArmError(f"joint {arguments.joint!r} is not one of {', '.join(names)}")
        session.enable()
        index = names.index(arguments.joint)
        target = list(session.report.setpoint)
        by = angle(arguments.by, arguments.degrees)
        target[index] = by if arguments.to else target[index] + by
        session.move(target)
        reached = session.position[index]
        time.sleep(arguments.hold)
    unit = "deg" if arguments.degrees else "rad"
    if arguments.json:
        print_json({"joint": arguments.joint, "angle": shown(reached, arguments.degrees)})
    else:
        print(f"{arguments.joint} at {shown(reached, arguments.degrees):.4f} {unit}, now limp")
    return 0


def _test(arguments: argparse.Namespace) -> int:
    by = angle(arguments.by, arguments.degrees) if arguments.by is not None else 0.1
    rows = []
    with _open(arguments) as session:
        session.enable()
        home = list(session.report.setpoint)
        for k, joint in enumerate(session.settings.joints):
            target = list(home)
            target[k] += by if home[k] + by <= joint.upper else -by
            lag = session.move(target)
            left = abs(session.position[k] - joint.clamp(target[k]))
            session.move(home)
            rows.append((joint.joint, lag, left))
        measured = session.report.measured
    good = all(left < 0.5 * abs(by) for _, _, left in rows)
    if arguments.json:
        joints = [{"joint": name, "lag": lag, "left": left} for name, lag, left in rows]
        print_json({"passed": good, "measured": measured, "joints": joints})
    else:
        for name, lag, left in rows:
            print(
                f"{name}: behind by at most {lag:.4f} rad on the way, "
                f"{left:.4f} rad short at the end"
            )
        print(
            ("passed" if good else "a joint did not follow") + ("" if measured else " (estimated)")
        )
    return 0 if good else 1
