"""``planar-arm servo read|relax|test|jog FILE``: the joints of a servo arm, one at a time."""

from __future__ import annotations

import argparse
import time
from typing import Any

from planar_arm_ik.cli.options import DEGREES, JSON, angle
from planar_arm_ik.cli.output import angle_unit, answer, complain, shown
from planar_arm_ik.cli.servo.options import FILE, JOINT, guarded
from planar_arm_ik.cli.servo.taught import index_of
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.servo.control.session import ServoSession
from planar_arm_ik.servo.settings.settings import load_settings


def _open(arguments: argparse.Namespace) -> ServoSession:
    return ServoSession(
        load_settings(arguments.file), lambda level, text: complain(f"{level}: {text}")
    )


@Verb(
    "read",
    "angles, raw values and health, limp",
    examples=["servo read arm.yaml"],
    options=[
        FILE,
        JSON,
        DEGREES,
        option("--watch", action="store_true", help="print until Ctrl-C"),
    ],
)
@guarded
def read(arguments: argparse.Namespace) -> int:
    """Print what the servos say, once or until Ctrl-C."""
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
    joints = [
        {
            "joint": joint.joint,
            "id": joint.id,
            "angle": shown(q, arguments.degrees),
            "raw": joint.to_raw(q),
            "measured": report.measured,
            "voltage": health.voltage,
            "temperature": health.temperature,
        }
        for joint, q, health in zip(session.settings.joints, position, report.health, strict=True)
    ]
    unit = angle_unit(arguments.degrees)
    document = {"angle_unit": unit, "joints": joints}
    answer(arguments.json, document, *(_line(row, unit) for row in joints))


def _line(row: dict[str, Any], unit: str) -> str:
    """Write one joint for a reader."""
    how = "" if row["measured"] else "  (estimated)"
    power = f"  {row['voltage']:.1f} V" if row["voltage"] is not None else ""
    heat = f"  {row['temperature']:.0f} deg C" if row["temperature"] is not None else ""
    return (
        f"{row['joint']}  id {row['id']}  raw {row['raw']:8.1f}  "
        f"{row['angle']: .4f} {unit}{how}{power}{heat}"
    )


@Verb(
    "relax",
    "torque or pulses off",
    examples=["servo relax arm.yaml"],
    options=[FILE, JSON, DEGREES],
)
@guarded
def relax(arguments: argparse.Namespace) -> int:
    """Let go of the servos."""
    with _open(arguments) as session:
        session.relax()
    answer(arguments.json, {"state": "limp"}, "limp")
    return 0


@Verb(
    "jog",
    "move one joint by an angle",
    "Move a joint by an angle, or to one; then let go.",
    examples=[
        "servo jog arm.yaml joint1 10 --degrees",
        "servo jog arm.yaml joint2 -0.4 --to --hold 2",
    ],
    options=[
        FILE,
        JOINT,
        option("by", type=float, help="angle to move by; with --to, to move to"),
        option("--to", action="store_true", help="move to the angle, not by it"),
        option("--hold", type=float, default=0.0, help="stay there for this time [s]"),
        JSON,
        DEGREES,
    ],
)
@guarded
def jog(arguments: argparse.Namespace) -> int:
    """Move, print where it got, let go."""
    with _open(arguments) as session:
        index = index_of(session.settings, arguments.joint)
        session.enable()
        target = list(session.report.setpoint)
        by = angle(arguments.by, arguments.degrees)
        target[index] = by if arguments.to else target[index] + by
        session.move(target)
        reached = session.position[index]
        time.sleep(arguments.hold)
    q, unit = shown(reached, arguments.degrees), angle_unit(arguments.degrees)
    document = {"joint": arguments.joint, "angle": q}
    answer(arguments.json, document, f"{arguments.joint} at {q:.4f} {unit}, now limp")
    return 0


@Verb(
    "test",
    "move each joint a little and report how well it follows",
    examples=["servo test arm.yaml"],
    options=[
        FILE,
        JSON,
        DEGREES,
        option("--by", type=float, default=None, help="angle to move [rad], 0.1"),
    ],
)
@guarded
def test(arguments: argparse.Namespace) -> int:
    """Move joint after joint there and back; exit code 0 when all followed."""
    by = angle(arguments.by, arguments.degrees) if arguments.by is not None else 0.1
    rows = []
    with _open(arguments) as session:
        session.enable()
        home = list(session.report.setpoint)
        for k, joint in enumerate(session.settings.joints):
            rows.append((joint.joint, *_there_and_back(session, home, k, by)))
        measured = session.report.measured
    good = all(left < 0.5 * abs(by) for _, _, left in rows)
    verdict = "passed" if good else "a joint did not follow"
    answer(
        arguments.json,
        {
            "passed": good,
            "measured": measured,
            "joints": [{"joint": name, "lag": lag, "left": left} for name, lag, left in rows],
        },
        *(
            f"{name}: behind by at most {lag:.4f} rad on the way, {left:.4f} rad short at the end"
            for name, lag, left in rows
        ),
        verdict + ("" if measured else " (estimated)"),
    )
    return 0 if good else 1


def _there_and_back(
    session: ServoSession, home: list[float], k: int, by: float
) -> tuple[float, float]:
    """Move one joint away and home; returns how far it lagged, and fell short, both [rad]."""
    joint = session.settings.joints[k]
    target = list(home)
    target[k] += by if home[k] + by <= joint.upper else -by
    lag = session.move(target)
    left = abs(session.position[k] - joint.clamp(target[k]))
    session.move(home)
    return lag, left
