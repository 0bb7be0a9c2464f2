"""Settings described where they stand: dataclass fields with meaning, unit, range and choices.

Whoever offers a setting to people (the parameters of a node) takes the description from here, so
that a default or a unit is written once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any


def setting(
    default: Any,
    text: str,
    *,
    lower: float | None = None,
    upper: float | None = None,
    choices: Sequence[Any] = (),
) -> Any:
    """Declare a dataclass field that people may set.

    Args:
        default: default value.
        text: what it does, with its unit.
        lower: smallest number people may set; the dataclass itself may allow more.
        upper: largest number people may set.
        choices: accepted words or members of an enumeration.
    """
    metadata = {"text": text, "lower": lower, "upper": upper, "choices": tuple(choices)}
    return dataclasses.field(default=default, metadata=metadata)


def setting_of(owner: type, name: str) -> dataclasses.Field[Any]:
    """The field of a dataclass that was made by :func:`setting`."""
    return {field.name: field for field in dataclasses.fields(owner)}[name]


def same_as(owner: type, name: str) -> Any:
    """Declare a dataclass field with default and description of a setting elsewhere."""
    field = setting_of(owner, name)
    return dataclasses.field(default=field.default, metadata=field.metadata)
