"""``planar-arm emulate sts|dxl|pca9685``: wire-level servos to talk to, with faults on demand."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from planar_arm_ik.cli.options import JSON
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.stop_event import StopEvent
from planar_arm_ik.servo.emulate.arm import FAMILIES, EmulatedArm

_HELP = """\
lines on standard input while it runs:
  state                    id, place, goal and torque of every servo
  place ID RAW             turn a shaft by hand
  fault NAME [VALUE]       silent ID, overload ID, bad_checksum, partial, late SECONDS, noise,
                           echo, wrong_id, burst COUNT (how many answers the next faults spoil)
  clear                    no more faults
  restart ID               brown-out
  unplug, replug           take the adapter away, and back
  quit

example: planar-arm emulate sts --link /tmp/arm &
example: planar-arm servo scan --backend feetech --port /tmp/arm
"""


@Verb(
    "emulate",
    "emulated servos behind a pseudo-terminal",
    "Emulate two servos of one family, at the level of the wire.",
    notes=_HELP,
    options=[
        option("family", choices=FAMILIES, help="family of servos"),
        option("--link", type=Path, default=Path("/tmp/planar_arm"), help="path of the terminal"),
        option(
            "--positions", type=int, nargs=2, metavar="RAW", help="where the shafts are at first"
        ),
        option(
            "--goal", type=int, default=100, metavar="RAW", help="stale goal left in bus servos"
        ),
        option("--ids", type=int, nargs=2, metavar="ID", help="ids or channels"),
        option(
            "--oscillator-hz", type=float, default=25.0e6, help="the pulse chip's real oscillator"
        ),
        option("--seconds", type=float, default=0.0, help="end after this time; 0: never"),
        JSON,
    ],
)
def emulate(arguments: argparse.Namespace) -> int:
    """Serve until end of input and a signal, ``quit``, or the time is over."""
    stop = StopEvent()
    stop.install()
    pulses = arguments.family == "pca9685"
    with EmulatedArm(
        arguments.family,
        arguments.link,
        arguments.positions or ((1500, 1500) if pulses else (2048, 2048)),
        arguments.goal,
        arguments.oscillator_hz,
        arguments.ids or ((0, 1) if pulses else (1, 2)),
    ) as arm:
        _print(arguments.json, {"family": arm.family, "bus": arm.bus_block})
        return _serve(arguments, arm, stop)


def _serve(arguments: argparse.Namespace, arm: EmulatedArm, stop: StopEvent) -> int:
    import select

    end = time.monotonic() + arguments.seconds if arguments.seconds > 0.0 else float("inf")
    listening = True
    while not stop.is_set() and time.monotonic() < end:
        if not listening:
            stop.wait(0.1)
            continue
        ready, _, _ = select.select([sys.stdin], [], [], 0.1)
        if not ready:
            continue
        line = sys.stdin.readline()
        if not line:
            listening = False
        elif line.split() == ["quit"]:
            break
        elif line.strip():
            _obey(arguments.json, arm, line.split())
    return 0


def _obey(as_json: bool, arm: EmulatedArm, words: list[str]) -> None:
    try:
        answer = command(arm, words)
    except (PlanarArmError, ValueError, IndexError) as error:
        answer = {"error": str(error) or "the command lacks a value"}
    _print(as_json, answer)


def command(arm: EmulatedArm, words: list[str]) -> dict[str, Any]:
    """Do what one line says; returns what to print.

    Raises:
        PlanarArmError: the line makes no sense.
    """
    name, *values = words
    if name == "place":
        arm.motors[arm.ids.index(int(values[0]))].place(float(values[1]))
    elif name == "restart":
        arm.restart(arm.ids.index(int(values[0])))
    elif name == "fault":
        arm.faults.set(values[0], *values[1:2])
    elif name == "clear":
        arm.faults.clear()
    elif name == "unplug":
        arm.wire.unplug()
    elif name == "replug":
        arm.wire.plug()
    elif name != "state":
        raise PlanarArmError(f"{name!r} is no command; see planar-arm emulate --help")
    return {"servos": arm.state()}


def _print(as_json: bool, document: dict[str, Any]) -> None:
    if as_json:
        print(json.dumps(document), flush=True)
        return
    for key, value in document.items():
        print(f"{key}: {value}", flush=True)
