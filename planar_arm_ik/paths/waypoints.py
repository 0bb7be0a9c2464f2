"""Tip paths: from files, and the arc of the worked example."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.errors import ConfigError


def example_arc() -> Array:
    """Return the 31-point arc of the worked example: radius 0.6 m, bearings -0.15 to 0.15 rad.

    Returns:
        Waypoints (x, y) [m], shape (31, 2).
    """
    bearing = np.arange(-15, 16) / 100.0
    return np.stack((0.6 * np.cos(bearing), 0.6 * np.sin(bearing)), axis=-1)


def load_waypoints(path: str | Path) -> Array:
    """Read a tip path.

    Args:
        path: a ``.json`` file (a list of ``[x, y]`` or ``{"x": .., "y": ..}``, or an object with
            such a list under ``points``), or CSV with two columns x, y [m] and an optional header.

    Returns:
        Waypoints (x, y) [m], shape (N, 2).

    Raises:
        ConfigError: the file cannot be read; the message names the first bad row.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
        rows = _json_rows(text) if file.suffix.lower() == ".json" else _csv_rows(text)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ConfigError(f"{path} is not readable: {error}") from None
    points = [_point(path, index, row) for index, row in enumerate(rows)]
    if not points:
        raise ConfigError(f"{path} holds no waypoints")
    return np.array(points)


def _json_rows(text: str) -> list[Any]:
    document = json.loads(text)
    if isinstance(document, dict):
        document = document.get("points")
    return document if isinstance(document, list) else []


def _csv_rows(text: str) -> list[Any]:
    rows = [row for row in csv.reader(text.splitlines()) if row and not row[0].startswith("#")]
    return rows[1:] if rows and not _is_number(rows[0][0]) else rows


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _point(path: str | Path, index: int, row: Any) -> tuple[float, float]:
    try:
        x, y = (row["x"], row["y"]) if isinstance(row, dict) else row
        point = float(x), float(y)
    except (KeyError, TypeError, ValueError):
        raise ConfigError(f"{path}: waypoint {index} = {row!r} must be two numbers") from None
    if not (math.isfinite(point[0]) and math.isfinite(point[1])):
        raise ConfigError(f"{path}: waypoint {index} = {row!r} must be finite")
    return point
