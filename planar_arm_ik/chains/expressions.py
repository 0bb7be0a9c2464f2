"""Formulas of one variable t, as typed on the command line: ``cos(t)``, ``0.5*sin(2*t) + pi/4``.

Only numbers, t, pi, e, arithmetic and the functions listed here are understood; nothing is ever
executed as Python.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.errors import PlanarArmError

_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    name: getattr(np, name)
    for name in ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sqrt", "exp", "log", "abs")
}
_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
_UNARY: dict[type[ast.AST], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_LONGEST = 500


def evaluate(text: str, t: ArrayLike = 0.0) -> Array:
    """Evaluate a formula.

    Args:
        text: the formula, at most 500 characters.
        t: the variable, any shape.

    Returns:
        The value at every t, same shape.

    Raises:
        PlanarArmError: the formula is malformed, uses an unknown name, or is not finite somewhere.
    """
    times = np.asarray(t, dtype=np.float64)
    if len(text) > _LONGEST:
        raise PlanarArmError(
            f"a formula of {len(text)} characters is too long; {_LONGEST} at most"
        )
    try:
        tree = ast.parse(text.strip(), mode="eval")
        with np.errstate(all="ignore"):
            value = _value(tree.body, text, times)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError) as error:
        if isinstance(error, PlanarArmError):
            raise
        raise PlanarArmError(f"{text!r} is no formula; write for example 0.5*cos(t)") from None
    values = np.broadcast_to(value, times.shape).astype(np.float64)
    if not np.isfinite(values).all():
        first = times[~np.isfinite(values)].flat[0]
        raise PlanarArmError(f"{text!r} is not finite at t = {first:g}")
    return values


def _value(node: ast.expr, text: str, t: Array) -> Any:
    """Evaluate one node of the syntax tree."""
    constants: dict[str, Any] = {"t": t, "pi": np.pi, "e": np.e}
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return np.float64(number)
        case ast.Name(id=name) if name in constants:
            return constants[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, text, t), _value(right, text, t))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand, text, t))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](_value(argument, text, t))
    part = ast.get_source_segment(text.strip(), node) or text
    known = ", ".join((*constants, *_FUNCTIONS))
    raise PlanarArmError(
        f"{part!r} is not understood in a formula; use numbers, + - * / **, {known}"
    )
