"""Reads YAML strictly: unknown keys, keys that stand twice and odd values are refused by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

import yaml

from planar_arm_ik.errors import ConfigError


def build(kind: Any, where: str, block: Any) -> Any:
    """Make a dataclass from a block, each value checked against the field's type.

    Args:
        kind: the dataclass.
        where: name of the block for messages.
        block: what the file holds there.

    Raises:
        ConfigError: a key is unknown or missing, or a value is not of its field's type.
    """
    known = {item.name: item for item in fields(kind)}
    values = {
        key: _value(f"{where}.{key}", str(known[key].type), value)
        for key, value in known_keys(where, block, set(known)).items()
    }
    missing = [
        name for name, item in known.items()
        if item.default is MISSING and item.default_factory is MISSING and name not in values
    ]  # fmt: skip
    if missing:
        raise ConfigError(f"{where} lacks {missing}")
    return kind(**values)


def _value(where: str, kind: str, value: Any) -> Any:
    if kind == "SimOptions" or (kind.endswith("None") and value is None):
        return value
    if kind.startswith("tuple"):
        if not isinstance(value, (list, tuple)):
            raise ConfigError(f"{where} = {value!r} must be a list")
        inner = "tuple" if kind.startswith("tuple[tuple") else "float"
        return tuple(_value(f"{where}[{k}]", inner, item) for k, item in enumerate(value))
    if kind.startswith("float"):
        return _number(where, value)
    accepted = {"int": (int,), "bool": (bool,), "str": (str,), "int | str": (int, str)}
    wanted = accepted[kind.removesuffix(" | None")]
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        raise ConfigError(f"{where} = {value!r} must be {kind}")
    return value


def _number(where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ConfigError(f"{where} = {value!r} must be a number")
    if not math.isfinite(value):
        raise ConfigError(f"{where} = {value} must be finite")
    return float(value)


def known_keys(where: str, block: Any, known: set[str]) -> Mapping[str, Any]:
    """Return a block after a look at its keys.

    Args:
        where: name of the block for messages.
        block: what the file holds there.
        known: keys it may have.

    Raises:
        ConfigError: it is no block, or has other keys.
    """
    if not isinstance(block, Mapping):
        raise ConfigError(f"{where} must be a block of keys, got {block!r}")
    unknown = sorted(str(key) for key in set(block) - known)
    if unknown:
        raise ConfigError(f"{where} has unknown keys {unknown}; known are {sorted(known)}")
    return block


class StrictLoader(yaml.SafeLoader):
    """PyYAML keeps the last of two equal keys in silence; here the second is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Make a mapping, after a look for equal keys."""
        keys = [self.construct_object(key) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise ConfigError(
                    f"the key {key!r} stands twice (line {node.start_mark.line + 1})"
                )
        return super().construct_mapping(node, deep)
