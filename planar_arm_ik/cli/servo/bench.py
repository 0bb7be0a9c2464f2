"""``planar-arm servo scan`` and ``set-id``: servos on a bench, before there is a file."""

from __future__ import annotations

import argparse
from typing import Any

from planar_arm_ik.cli.options import JSON
from planar_arm_ik.cli.output import answer
from planar_arm_ik.cli.progress import progress
from planar_arm_ik.cli.servo.options import BUS, guarded, i2c_bus
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses import workshop
from planar_arm_ik.servo.settings.backends import DEFAULT_BAUD


@Verb(
    "scan",
    "who is on the bus",
    "Ask every id of a bus who is there.",
    examples=[
        "servo scan --backend feetech --port /dev/ttyACM0",
        "servo scan --backend pca9685 --port 1",
    ],
    options=[*BUS, JSON, option("--last", type=int, default=20, help="largest id to ask")],
)
@guarded
def scan(arguments: argparse.Namespace) -> int:
    """Ask and print; exit code 0 when somebody answered."""
    if arguments.backend == "pca9685":
        chips = workshop.scan_i2c(i2c_bus(arguments.port))
        document: dict[str, Any] = {"chips": [f"0x{chip:02x}" for chip in chips]}
        lines = [f"chip at 0x{chip:02x}" for chip in chips]
    else:
        baud = _baud(arguments)
        ids = progress(range(arguments.last + 1), arguments.last + 1, "asking")
        found = workshop.scan_serial(arguments.backend, arguments.port, baud, ids)
        document = {"servos": [{"id": servo, "model": model} for servo, model in found]}
        lines = [f"servo {servo}: model {model}" for servo, model in found]
    nobody = "nobody answered: check cable, power, and baud (--baud)"
    answer(arguments.json, document, *(lines or [nobody]))
    return 0 if lines else 1


def _baud(arguments: argparse.Namespace) -> int:
    """Bit rate of a serial bus; its port must be named."""
    if not arguments.port:
        raise PlanarArmError("--port is missing: the serial port, such as /dev/ttyACM0")
    return arguments.baud or DEFAULT_BAUD[arguments.backend]


@Verb(
    "set-id",
    "give a servo another id",
    "Give a servo another id; connect one servo at a time.",
    examples=["servo set-id 1 2 --backend feetech --port /dev/ttyACM0"],
    options=[
        *BUS,
        JSON,
        option("old", type=int, help="id it has"),
        option("new", type=int, help="id it gets"),
    ],
)
@guarded
def set_id(arguments: argparse.Namespace) -> int:
    """Rename and print."""
    if arguments.backend == "pca9685":
        raise PlanarArmError("a pulse chip has channels, not ids")
    baud = _baud(arguments)
    workshop.set_id(arguments.backend, arguments.port, baud, arguments.old, arguments.new)
    document = {"old": arguments.old, "new": arguments.new}
    answer(arguments.json, document, f"servo {arguments.old} is now {arguments.new}")
    return 0
