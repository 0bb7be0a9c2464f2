"""What sub-commands share: options, the arm, angles and JSON."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import LARGEST_ANGLE
from planar_arm_ik.config import ArmDescription, installed_config, load_description
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.figures import save
from planar_arm_ik.figures.style import DARK, LIGHT, Figure, Theme


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_arm(parser: argparse.ArgumentParser) -> None:
    """Add ``--config``."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="arm description (default: config/arm.yaml)"
    )


def add_degrees(parser: argparse.ArgumentParser) -> None:
    """Add ``--degrees``."""
    parser.add_argument(
        "--degrees", action="store_true", help="angles are read and printed in degrees"
    )


def add_plot(parser: argparse.ArgumentParser) -> None:
    """Add ``--plot`` and ``--dark``."""
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw it into a .svg, .pdf or .png file"
    )
    parser.add_argument("--dark", action="store_true", help="draw for a dark page")


def plot(arguments: argparse.Namespace, build: Callable[[Theme], Figure]) -> str:
    """Draw one figure into the file that ``--plot`` names; returns its path.

    Raises:
        PlanarArmError: an unknown format, matplotlib is missing, or the file cannot be written.
    """
    path: Path = arguments.plot
    save(build, DARK if arguments.dark else LIGHT, path)
    return str(path)


def description_of(arguments: argparse.Namespace) -> ArmDescription:
    """Load the arm that ``--config`` names, else the package's own.

    Raises:
        ConfigError: the file is missing or malformed.
    """
    return load_description(arguments.config or installed_config())


def warn_about(hint: str) -> None:
    """Print a hint to standard error when there is one."""
    if hint:
        print(f"planar-arm: {hint}", file=sys.stderr)


def angle(value: float, degrees: bool) -> float:
    """Bring an angle from the user into radians.

    Raises:
        PlanarArmError: it is not finite, or too large to be told from its neighbours.
    """
    radians = math.radians(value) if degrees else value
    if not abs(radians) <= LARGEST_ANGLE:
        raise PlanarArmError(f"angle {value} must be finite and within +-{LARGEST_ANGLE:.0e} rad")
    return radians


def shown(value: Any, degrees: bool) -> Any:
    """Bring angles [rad] to the user's unit, as plain numbers."""
    converted = np.degrees(value) if degrees else np.asarray(value)
    return converted.tolist()


def fixed(value: float, width: int, digits: int) -> str:
    """Write a number with fixed digits; what rounds to zero has no sign."""
    return f"{round(float(value), digits) + 0.0:{width}.{digits}f}"


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON object; infinities become null."""
    print(json.dumps(_finite(document), indent=2))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
