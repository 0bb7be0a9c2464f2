"""Options that verbs for servos share (file, bus, joint), and what they share beside them."""

from __future__ import annotations

import argparse
import functools
from pathlib import Path

from planar_arm_ik.cli.output import complain
from planar_arm_ik.cli.verb import Run, option
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.settings.makers import REAL

FILE = option("file", type=Path, help="servo arm's file")
JOINT = option("joint", help="name of the joint")
BUS = (
    option(
        "--backend",
        required=True,
        choices=REAL,
        help="family of servos",
    ),
    option("--port", default="", help="serial port, or I2C bus number or path"),
    option("--baud", type=int, default=0, help="bit rate; 0 = factory setting"),
)


def i2c_bus(port: str) -> int | str:
    """The I2C bus that a port names: its number, or its path; without a port bus 1."""
    port = port or "1"
    return int(port) if port.isdecimal() else port


def guarded(run: Run) -> Run:
    """Print a bus error as one sentence, as any refusal."""

    @functools.wraps(run)
    def guarded(arguments: argparse.Namespace) -> int:
        try:
            return run(arguments)
        except BusError as error:
            complain(str(error))
            return 1

    return guarded
