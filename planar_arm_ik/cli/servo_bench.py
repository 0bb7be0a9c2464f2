"""``planar-arm servo scan`` and ``set-id``: servos on a bench, before there is a file."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from planar_arm_ik.cli.common import add_json, print_json
from planar_arm_ik.cli.progress import progress
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.buses.workshop import scan_i2c, scan_serial, set_id
from planar_arm_ik.servo.settings.backends import DEFAULT_BAUD


def register(commands: Any) -> None:
    """Add both sub-commands."""
    scan = commands.add_parser(
        "scan",
        help="who is on the bus",
        description="Ask every id of a bus who is there.",
        epilog="example: planar-arm servo scan --backend feetech --port /dev/ttyACM0\n"
        "example: planar-arm servo scan --backend pca9685 --port 1",
    )
    rename = commands.add_parser(
        "set-id",
        help="give a servo another id",
        description="Give a servo another id; connect one servo at a time.",
        epilog="example: planar-arm servo set-id 1 2 --backend feetech --port /dev/ttyACM0",
    )
    for one in (scan, rename):
        add_bus(one)
        add_json(one)
    scan.add_argument("--last", type=int, default=20, help="largest id to ask")
    scan.set_defaults(run=guarded(_scan))
    rename.add_argument("old", type=int, help="id it has")
    rename.add_argument("new", type=int, help="id it gets")
    rename.set_defaults(run=guarded(_set_id))


def add_bus(parser: argparse.ArgumentParser) -> None:
    """Add ``--backend``, ``--port`` and ``--baud``."""
    parser.add_argument(
        "--backend",
        required=True,
        choices=["feetech", "dynamixel", "pca9685"],
        help="family of servos",
    )
    parser.add_argument("--port", default="", help="serial port, or I2C bus number or path")
    parser.add_argument("--baud", type=int, default=0, help="bit rate; 0 = factory setting")


def guarded(run: Any) -> Any:
    """Print a bus error as one sentence, as any refusal."""

    def guarded(arguments: argparse.Namespace) -> int:
        try:
            code: int = run(arguments)
        except BusError as error:
            print(f"planar-arm: {error}", file=sys.stderr)
            return 1
        return code

    return guarded


def _scan(arguments: argparse.Namespace) -> int:
    if arguments.backend == "pca9685":
        bus = arguments.port or "1"
        chips = scan_i2c(int(bus) if bus.isdecimal() else bus)
        document: dict[str, Any] = {"chips": [f"0x{chip:02x}" for chip in chips]}
        lines = [f"chip at 0x{chip:02x}" for chip in chips]
    else:
        baud = _baud(arguments)
        ids = progress(range(arguments.last + 1), arguments.last + 1, "asking")
        found = scan_serial(arguments.backend, arguments.port, baud, ids)
        document = {"servos": [{"id": servo, "model": model} for servo, model in found]}
        lines = [f"servo {servo}: model {model}" for servo, model in found]
    if arguments.json:
        print_json(document)
    else:
        print("\n".join(lines) or "nobody answered: check cable, power, and baud (--baud)")
    return 0 if lines else 1


def _baud(arguments: argparse.Namespace) -> int:
    """Bit rate of a serial bus; its port must be named."""
    if not arguments.port:
        raise PlanarArmError("--port is missing: the serial port, such as /dev/ttyACM0")
    return arguments.baud or DEFAULT_BAUD[arguments.backend]


def _set_id(arguments: argparse.Namespace) -> int:
    if arguments.backend == "pca9685":
        raise PlanarArmError("a pulse chip has channels, not ids")
    baud = _baud(arguments)
    set_id(arguments.backend, arguments.port, baud, arguments.old, arguments.new)
    if arguments.json:
        print_json({"old": arguments.old, "new": arguments.new})
    else:
        print(f"servo {arguments.old} is now {arguments.new}")
    return 0
