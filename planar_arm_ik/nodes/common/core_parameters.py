"""Parameters that are settings of the core: described there, taken over here by name."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import Any

from planar_arm_ik.fields import setting_of
from planar_arm_ik.nodes.common.parameters import parameter


def declared_in(owner: type, name: str, *, zero: str = "") -> Any:
    """Declare a parameter that is a setting of a core dataclass; a member of an enum is a word.

    Args:
        owner: the dataclass.
        name: of its field, made by :func:`planar_arm_ik.fields.setting`.
        zero: what a 0 means, with its separator, where the core's default is no number of the
            range (None or inf); 0 is then the parameter's default.
    """
    source = setting_of(owner, name)
    rule = source.metadata
    field = parameter(
        0.0 if zero else _word(source.default),
        rule["text"] + zero,
        lower=rule["lower"],
        upper=rule["upper"],
        choices=[_word(choice) for choice in rule["choices"]],
    )
    origin = {"owner": owner, "name": name, "zero": bool(zero)}
    return dataclasses.field(default=field.default, metadata={**field.metadata, **origin})


def core_values(parameters: Any, owner: type) -> dict[str, Any]:
    """Arguments of a core dataclass: the parameters that are declared in it, by its own names."""
    values = {}
    for field in dataclasses.fields(parameters):
        if field.metadata.get("owner") is not owner:
            continue
        name, value = field.metadata["name"], getattr(parameters, field.name)
        default = setting_of(owner, name).default
        if field.metadata["zero"] and value == 0.0:
            value = default
        elif isinstance(default, Enum):
            value = type(default)[value.upper()]
        values[name] = value
    return values


def _word(value: Any) -> Any:
    return value.name.lower() if isinstance(value, Enum) else value
