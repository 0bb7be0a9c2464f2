"""Parameters from one table: the fields of a frozen dataclass.

Each field made by :func:`parameter` carries its description, unit, range or choices. From them
come the ROS descriptors; the dataclass's own ``__post_init__`` checks rules between parameters.
An integer is accepted where a double is meant. A bad update is refused and the old set stays.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.node import Node
from rclpy.parameter import Parameter

from planar_arm_ik.errors import PlanarArmError

ConfigT = TypeVar("ConfigT")


def parameter(
    default: Any,
    text: str,
    *,
    lower: float | None = None,
    upper: float | None = None,
    choices: Sequence[str] = (),
    read_only: bool = False,
) -> Any:
    """Declare a dataclass field that is a ROS parameter.

    Args:
        default: default value; its type is the parameter's type.
        text: what it does, with its unit.
        lower: smallest accepted number.
        upper: largest accepted number.
        choices: accepted strings.
        read_only: only settable at start.
    """
    metadata = {
        "text": text,
        "lower": lower,
        "upper": upper,
        "choices": tuple(choices),
        "read_only": read_only,
    }
    return dataclasses.field(default=default, metadata=metadata)


class Parameters(Generic[ConfigT]):
    """The live parameters of a node as one frozen dataclass value.

    Args:
        node: the node that owns them.
        config_type: dataclass whose fields were made by :func:`parameter`.
        changed: called with the new value after each accepted update.

    Raises:
        PlanarArmError: a value given at start breaks its rule.
    """

    def __init__(
        self,
        node: Node,
        config_type: type[ConfigT],
        changed: Callable[[ConfigT], None] | None = None,
    ) -> None:
        self._changed = changed
        self._fields = {field.name: field for field in dataclasses.fields(config_type)}  # type: ignore[arg-type]
        values = {name: _declare(node, field) for name, field in self._fields.items()}
        self.value: ConfigT = config_type(**values)
        node.add_pre_set_parameters_callback(self._convert)
        node.add_on_set_parameters_callback(self._check)
        node.add_post_set_parameters_callback(self._take)

    def _convert(self, parameters: list[Parameter]) -> list[Parameter]:
        """Turn integers into doubles where the table says double."""
        return [
            Parameter(item.name, value=_converted(self._fields[item.name], item.value))
            if item.name in self._fields and item.value is not None
            else item
            for item in parameters
        ]

    def _candidate(self, parameters: list[Parameter]) -> ConfigT:
        changes = {}
        for item in parameters:
            if item.name in self._fields:
                check(self._fields[item.name], item.value)
                changes[item.name] = item.value
        return dataclasses.replace(self.value, **changes) if changes else self.value  # type: ignore[type-var]

    def _check(self, parameters: list[Parameter]) -> SetParametersResult:
        try:
            self._candidate(parameters)
        except PlanarArmError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _take(self, parameters: list[Parameter]) -> None:
        value = self._candidate(parameters)
        if value is not self.value:
            self.value = value
            if self._changed is not None:
                self._changed(value)


def check(field: dataclasses.Field[Any], value: Any) -> None:
    """Compare one value with the rule of its field.

    Raises:
        PlanarArmError: it breaks the rule; the message names parameter, value and rule.
    """
    rule, name = field.metadata, field.name
    default: Any = field.default
    if type(value) is not type(default):
        wanted = type(default).__name__
        raise PlanarArmError(f"parameter {name} = {value!r} must be of type {wanted}")
    if isinstance(default, tuple) and len(value) != len(default):
        raise PlanarArmError(f"parameter {name} = {value} must have {len(default)} numbers")
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, float) and not math.isfinite(item):
            raise PlanarArmError(f"parameter {name} = {value} must be finite")
        if rule["choices"] and item not in rule["choices"]:
            raise PlanarArmError(
                f"parameter {name} = {value!r} must be one of {', '.join(rule['choices'])}"
            )
        if (rule["lower"] is not None and item < rule["lower"]) or (
            rule["upper"] is not None and item > rule["upper"]
        ):
            raise PlanarArmError(
                f"parameter {name} = {value} must be in [{rule['lower']}, {rule['upper']}]"
            )


def read_override(node: Node, name: str) -> Any:
    """Value given at start for a parameter of any type, None without one.

    It leaves the parameter undeclared.
    """
    descriptor = ParameterDescriptor(dynamic_typing=True)
    value = node.declare_parameter(name, None, descriptor).value
    node.undeclare_parameter(name)
    return value


def _declare(node: Node, field: dataclasses.Field[Any]) -> Any:
    value = read_override(node, field.name)
    value = field.default if value is None else _converted(field, value)
    check(field, value)
    node.declare_parameter(field.name, value, _descriptor(field), ignore_override=True)
    return value


def _converted(field: dataclasses.Field[Any], value: Any) -> Any:
    if isinstance(field.default, float) and type(value) is int:
        return float(value)
    if isinstance(field.default, tuple) and isinstance(value, Iterable):
        return tuple(float(item) if type(item) is int else item for item in value)
    return value


def _descriptor(field: dataclasses.Field[Any]) -> ParameterDescriptor:
    rule = field.metadata
    text = rule["text"]
    if rule["choices"]:
        text = f"{text} ({', '.join(rule['choices'])})"
    descriptor = ParameterDescriptor(description=text, read_only=rule["read_only"])
    if rule["lower"] is None or rule["upper"] is None:
        return descriptor
    if isinstance(field.default, float):
        descriptor.floating_point_range = [
            FloatingPointRange(from_value=float(rule["lower"]), to_value=float(rule["upper"]))
        ]
    else:
        descriptor.integer_range = [
            IntegerRange(from_value=int(rule["lower"]), to_value=int(rule["upper"]))
        ]
    return descriptor
