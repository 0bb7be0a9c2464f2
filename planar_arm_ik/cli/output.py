"""What verbs print: numbers and angles in the user's unit, JSON or lines, and hints."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import numpy as np


def angle_unit(degrees: bool) -> str:
    """The unit in which angles are read and printed."""
    return "deg" if degrees else "rad"


def shown(value: Any, degrees: bool) -> Any:
    """Bring angles [rad] to the user's unit, as plain numbers."""
    converted = np.degrees(value) if degrees else np.asarray(value)
    return converted.tolist()


def fixed(value: float, width: int, digits: int) -> str:
    """Write a number with fixed digits; what rounds to zero has no sign."""
    return f"{round(float(value), digits) + 0.0:{width}.{digits}f}"


def complain(text: str) -> None:
    """Print a sentence to standard error."""
    print(f"planar-arm: {text}", file=sys.stderr)


def answer(as_json: bool, document: dict[str, Any], *lines: str) -> None:
    """Print an answer: one JSON object, or the lines for a reader."""
    if as_json:
        print_json(document)
    else:
        print(*lines, sep="\n")


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
