"""Options that several verbs share (arm, unit of angles, plot, branch rule), and their values."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from planar_arm_ik.arm.planar_arm import LARGEST_ANGLE
from planar_arm_ik.cli.verb import Option, option
from planar_arm_ik.config import ArmDescription, installed_config, load_description
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.figures import save
from planar_arm_ik.figures.style import DARK, LIGHT, Figure, Theme
from planar_arm_ik.inverse.branches import METRICS, Rule

JSON = option("--json", action="store_true", help="print one JSON object")
CONFIG = option(
    "--config", type=Path, metavar="FILE", help="arm description (default: config/arm.yaml)"
)
DEGREES = option("--degrees", action="store_true", help="angles are read and printed in degrees")
PLOT = (
    option("--plot", type=Path, metavar="FILE", help="draw it into a .svg, .pdf or .png file"),
    option("--dark", action="store_true", help="draw for a dark page"),
)
RULE = option(
    "--rule", default="nearest", choices=[rule.value for rule in Rule], help="branch rule"
)
METRIC = option(
    "--metric", default="l2", choices=METRICS, help="joint distance of the rule nearest"
)


def pose(flag: str, text: str) -> Option:
    """Declare an option that takes the angles of both joints."""
    return option(flag, type=float, nargs=2, metavar=("Q1", "Q2"), help=text)


def config_of(arguments: argparse.Namespace) -> Path:
    """The file that ``--config`` names, else the package's own."""
    return arguments.config or installed_config()


def description_of(arguments: argparse.Namespace) -> ArmDescription:
    """Load the arm that ``--config`` names, else the package's own.

    Raises:
        ConfigError: the file is missing or malformed.
    """
    return load_description(config_of(arguments))


def angle(value: float, degrees: bool) -> float:
    """Bring an angle from the user into radians.

    Raises:
        PlanarArmError: it is not finite, or too large to be told from its neighbours.
    """
    radians = math.radians(value) if degrees else value
    if not abs(radians) <= LARGEST_ANGLE:
        raise PlanarArmError(f"angle {value} must be finite and within +-{LARGEST_ANGLE:.0e} rad")
    return radians


def angles(values: Sequence[float], degrees: bool) -> list[float]:
    """Bring angles from the user into radians, as :func:`angle` does."""
    return [angle(value, degrees) for value in values]


def plot(arguments: argparse.Namespace, build: Callable[[Theme], Figure]) -> str:
    """Draw one figure into the file that ``--plot`` names; returns its path.

    Raises:
        PlanarArmError: an unknown format, matplotlib is missing, or the file cannot be written.
    """
    path: Path = arguments.plot
    save(build, DARK if arguments.dark else LIGHT, path)
    return str(path)
