"""Denavit-Hartenberg tables in files: YAML, JSON or CSV, with their units named.

YAML and JSON hold either a list of rows or a mapping::

    name: ABB IRB 140                    # optional
    convention: standard                 # optional: standard (also: classic), or modified (Craig)
    units: {length: mm, angle: deg}      # optional where every key names its own: a_mm, alpha_deg
    rows:
      - {joint: R, a: 70, alpha: 90, d: 352, theta: 0}

CSV holds the same keys in its header line (``joint,a_mm,alpha_deg,d_mm,theta_deg``); lines that
begin with # are skipped.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from planar_arm_ik.chains.chain import DhChain
from planar_arm_ik.chains.rows import ANGLE_UNITS, LENGTH_UNITS, check_unit, parse_rows, split_key
from planar_arm_ik.errors import ConfigError, PlanarArmError

_SHIPPED = Path(__file__).resolve().parents[1] / "data" / "dh"
_KEYS = ("name", "convention", "units", "rows")


def shipped_tables() -> list[str]:
    """Names of the tables that come with the package."""
    return sorted(path.stem for path in _SHIPPED.glob("*.yaml"))


def load_table(source: str | Path) -> DhChain:
    """Read a chain from a file, or one of those that come with the package by its name.

    Args:
        source: path of a .yaml, .yml, .json or .csv file, or a name of :func:`shipped_tables`.

    Returns:
        The chain in the table's own length unit.

    Raises:
        ConfigError: the file is missing or malformed; the message names file, row, key and rule.
    """
    path = Path(source)
    if str(source) in shipped_tables():
        path = _SHIPPED / f"{source}.yaml"
    reader = _READERS.get(path.suffix.lower())
    if not path.is_file():
        names = ", ".join(shipped_tables())
        raise ConfigError(f"{source}: no such file, and none of the shipped tables ({names})")
    if reader is None:
        raise ConfigError(f"{source}: a table ends in {', '.join(_READERS)}")
    try:
        return _chain(reader(path.read_text(encoding="utf-8-sig")), path.stem)
    except OSError as error:
        raise ConfigError(f"{source}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{source}: not a text file in UTF-8") from None
    except RecursionError:
        raise ConfigError(f"{source}: nested too deeply to be a table") from None
    except (PlanarArmError, yaml.YAMLError, json.JSONDecodeError, csv.Error) as error:
        raise ConfigError(f"{source}: {' '.join(str(error).split())}") from None


def _chain(content: Any, name: str) -> DhChain:
    """Build a chain from what a reader returned."""
    table = {"rows": content} if isinstance(content, list) else content
    if not isinstance(table, Mapping):
        raise PlanarArmError("a table is a list of rows or a mapping with the key 'rows'")
    for key in table:
        if key not in _KEYS:
            raise PlanarArmError(f"key {key!r} is unknown; use {', '.join(_KEYS)}")
    rows = table.get("rows")
    if not isinstance(rows, list) or not rows:
        raise PlanarArmError("'rows' must be a list with at least one row")
    modified = _is_modified(table.get("convention", "standard"))
    length, angle = _units(table.get("units", {}))
    chain_length = length or _first_length_unit(rows)
    parsed = parse_rows(rows, length, angle, chain_length)
    parsed = [replace(row, modified=modified) for row in parsed]
    return DhChain(parsed, chain_length, str(table.get("name", name)))


def _is_modified(convention: Any) -> bool:
    """Whether a table is in Craig's convention."""
    known = ("standard", "classic", "modified")
    if convention not in known:
        raise PlanarArmError(
            f"convention {convention!r} is not understood; use {', '.join(known)}"
        )
    return bool(convention == "modified")


def _units(units: Any) -> tuple[str | None, str | None]:
    """Read the block that names one unit for all lengths and one for all angles."""
    if not isinstance(units, Mapping) or not set(units) <= {"length", "angle"}:
        raise PlanarArmError(f"units {units!r} must be a mapping with the keys length and angle")
    length, angle = units.get("length"), units.get("angle")
    if length is not None:
        check_unit(length, LENGTH_UNITS, "length")
    if angle is not None:
        check_unit(angle, ANGLE_UNITS, "angle")
    return length, angle


def _first_length_unit(rows: Iterable[Any]) -> str:
    """Return the first length unit that a key of a row names, else m."""
    for row in rows:
        for key in row if isinstance(row, Mapping) else ():
            name, unit = split_key(key) if key != "joint" else ("", "")
            if name in ("a", "d") and unit:
                return check_unit(unit, LENGTH_UNITS, "length")
    return "m"


def _read_csv(text: str) -> list[dict[str, Any]]:
    """Read rows of a CSV table; the header names the keys."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    reader = csv.DictReader(lines, skipinitialspace=True, strict=True)
    header = [str(key).strip() for key in reader.fieldnames or ()]
    if len(set(header)) != len(header):
        raise PlanarArmError(f"the header {', '.join(header)} has a column twice")
    reader.fieldnames = header
    rows = list(reader)
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise PlanarArmError(f"row {number} must have {len(header)} fields like the header")
    return rows


class _OnceLoader(yaml.SafeLoader):
    """A safe YAML loader that refuses a key given twice."""


def _mapping_once(loader: _OnceLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    return _once(loader.construct_pairs(node, deep=True))


_OnceLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping_once)


def _once(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Make a mapping of pairs; a key that comes twice is refused, not overwritten."""
    mapping: dict[Any, Any] = {}
    for key, value in pairs:
        if not isinstance(key, str):
            raise PlanarArmError(f"key {key!r} must be a word")
        if key in mapping:
            raise PlanarArmError(f"key {key!r} stands there twice")
        mapping[key] = value
    return mapping


_READERS: dict[str, Callable[[str], Any]] = {
    ".yaml": lambda text: yaml.load(text, _OnceLoader),
    ".yml": lambda text: yaml.load(text, _OnceLoader),
    ".json": lambda text: json.loads(text, object_pairs_hook=_once),
    ".csv": _read_csv,
}
