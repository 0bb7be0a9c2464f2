r"""Rows of a Denavit-Hartenberg table, in the standard (distal) or modified (proximal) convention.

One row carries frame i-1 into frame i (Denavit and Hartenberg 1955; Spong, Hutchinson, Vidyasagar,
*Robot Modeling and Control*, 3.2):

    A_i = Rot_z(theta_i) Trans_z(d_i) Trans_x(a_i) Rot_x(alpha_i)

In the modified convention (Craig, *Introduction to Robotics*, 3.4) frame i sits on the axis of
joint i, and a and alpha belong to the link before it:

    A_i = Rot_x(alpha_i) Trans_x(a_i) Rot_z(theta_i) Trans_z(d_i)

The joint variable q_i [rad or the table's length unit] adds to theta_i where the joint is
revolute (R) and to d_i where it is prismatic (P); ``offset`` is added to the variable first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planar_arm_ik.errors import PlanarArmError

#: Largest magnitude of any length or angle: beyond it sums of float64 no longer mean anything.
LARGEST = 1e9

LENGTH_UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254}
ANGLE_UNITS = {"rad": 1.0, "deg": math.pi / 180.0}

_LENGTHS = ("a", "d")
_NUMBERS = ("a", "alpha", "d", "theta", "offset")


@dataclass(frozen=True, slots=True)
class DhRow:
    """One joint and the link behind it.

    Args:
        joint: "R" (revolute) or "P" (prismatic).
        a: link length along the new x axis [length].
        alpha: link twist about the new x axis [rad].
        d: link offset along the old z axis [length]; the constant part where the joint slides.
        theta: joint angle about the old z axis [rad]; the constant part where the joint turns.
        offset: added to the joint variable, in its unit: the table's zero seen from the joint's.
        modified: Craig's convention: a and alpha about the old x axis, before theta and d about
            the new z axis.

    Raises:
        PlanarArmError: the joint is neither R nor P, or a number is not finite or beyond 1e9.
    """

    joint: str
    a: float = 0.0
    alpha: float = 0.0
    d: float = 0.0
    theta: float = 0.0
    offset: float = 0.0
    modified: bool = False

    def __post_init__(self) -> None:
        if self.joint not in ("R", "P"):
            raise PlanarArmError(f"joint {self.joint!r} must be R (revolute) or P (prismatic)")
        for name in _NUMBERS:
            object.__setattr__(self, name, _number(name, getattr(self, name)))

    @property
    def revolute(self) -> bool:
        """Whether the joint turns (R); else it slides (P)."""
        return self.joint == "R"

    @property
    def theta_constant(self) -> float:
        """The part of theta_i that does not depend on q_i [rad]."""
        return self.theta + (self.offset if self.revolute else 0.0)

    @property
    def d_constant(self) -> float:
        """The part of d_i that does not depend on q_i [length]."""
        return self.d + (0.0 if self.revolute else self.offset)


def parse_rows(
    rows: Iterable[Mapping[str, Any]], length: str | None, angle: str | None, chain_length: str
) -> list[DhRow]:
    """Read rows of the keys joint, a, alpha, d, theta and perhaps offset.

    A key may name its own unit, as in ``alpha_deg`` or ``a_mm``.

    Args:
        rows: keys and values, one mapping a row; numbers may be texts (as CSV gives them).
        length: unit of lengths without a suffix; None when every one must name its own.
        angle: unit of angles without a suffix; None when every one must name its own.
        chain_length: unit the lengths of the rows come back in.

    Raises:
        PlanarArmError: a key is missing, unknown or there twice (with two units), a unit is not
            named, or a value is no usable number; the message names row, key and rule.
    """
    parsed = []
    for number, row in enumerate(rows, 1):
        try:
            parsed.append(_row(row, length, angle, chain_length))
        except PlanarArmError as error:
            raise PlanarArmError(f"row {number}: {error}") from None
    return parsed


def _row(
    row: Mapping[str, Any], length: str | None, angle: str | None, chain_length: str
) -> DhRow:
    if not isinstance(row, Mapping):
        raise PlanarArmError(f"{row!r} must be a mapping with joint, a, alpha, d, theta")
    if "joint" not in row:
        raise PlanarArmError("'joint' is missing")
    joint = str(row["joint"]).strip()
    values: dict[str, Any] = {}
    for key, value in row.items():
        if key == "joint":
            continue
        name, suffix = split_key(key)
        if name in values:
            raise PlanarArmError(f"{name!r} stands there twice")
        number = _number(name, value)
        if name in _LENGTHS or (name == "offset" and joint == "P"):
            values[name] = number * _length_factor(str(key), suffix or length, chain_length)
        else:
            values[name] = number * _angle_factor(str(key), suffix or angle)
    for name in _NUMBERS[:4]:
        if name not in values:
            raise PlanarArmError(f"{name!r} is missing")
    return DhRow(joint, **values)


def split_key(key: Any) -> tuple[str, str]:
    """Split the key of a number into name and unit: ``alpha_deg`` to ("alpha", "deg").

    Raises:
        PlanarArmError: no number of a row is called so.
    """
    name, _, unit = str(key).strip().partition("_")
    if name not in _NUMBERS:
        raise PlanarArmError(f"{key!r} is no key of a row; use joint, {', '.join(_NUMBERS)}")
    return name, unit


def check_unit(unit: Any, known: Mapping[str, float], what: str) -> str:
    """Return `unit` when it is known.

    Raises:
        PlanarArmError: it is not; the message lists those that are.
    """
    if not isinstance(unit, str) or unit not in known:
        raise PlanarArmError(f"{what} unit {unit!r} is unknown; choose one of {', '.join(known)}")
    return unit


def _length_factor(key: str, unit: str | None, chain_length: str) -> float:
    if unit is None:
        raise PlanarArmError(f"{key!r} names no length unit, and the table names none for all")
    check_unit(unit, LENGTH_UNITS, "length")
    return 1.0 if unit == chain_length else LENGTH_UNITS[unit] / LENGTH_UNITS[chain_length]


def _angle_factor(key: str, unit: str | None) -> float:
    if unit is None:
        raise PlanarArmError(f"{key!r} names no angle unit, and the table names none for all")
    return ANGLE_UNITS[check_unit(unit, ANGLE_UNITS, "angle")]


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise PlanarArmError(f"{name} = {value!r} must be a number") from None
    if isinstance(value, bool) or not abs(number) <= LARGEST:
        raise PlanarArmError(f"{name} = {value!r} must be a finite number of at most {LARGEST:g}")
    return number
