r"""Denavit-Hartenberg transforms as formulas (SymPy, extra ``[symbolic]``).

Neighbouring parallel axes (alpha = 0) turn about one direction, so their angles add up:
Rot_z(t1) Trans_x(a) Rot_z(t2) = Trans(a cos t1, a sin t1, 0) Rot_z(t1 + t2). Sums of angles are
written down at once that way, and nothing needs to be simplified afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from planar_arm_ik.chains.chain import DhChain
from planar_arm_ik.chains.rows import DhRow
from planar_arm_ik.errors import PlanarArmError

#: Denominators of the fractions of pi that angles are recognised as.
_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12)


def row_matrix(row: DhRow, joint: int) -> Any:
    """Return A_i of one row as a SymPy matrix of the joint variable.

    Args:
        row: the row.
        joint: its number i, from 1; the variable is called q<i>.

    Raises:
        PlanarArmError: SymPy is not installed.
    """
    if not row.modified:
        return _group((row,), (joint,))
    # Trans_x(a) and Rot_x(alpha) commute; what is left of the row is one without a and alpha.
    sympy, turned = _sympy(), _group((replace(row, a=0.0, alpha=0.0),), (joint,))
    ca, sa = sympy.cos(_angle(row.alpha)), sympy.sin(_angle(row.alpha))
    a = _length(row.a)
    before = sympy.Matrix([[1, 0, 0, a], [0, ca, -sa, 0], [0, sa, ca, 0], [0, 0, 0, 1]])
    return before * turned


def forward_matrix(chain: DhChain) -> Any:
    """Return T = A_1 ... A_n as a SymPy matrix of q1, ..., qn.

    Raises:
        PlanarArmError: SymPy is not installed.
    """
    sympy = _sympy()
    transform, group = sympy.eye(4), list[int]()
    for i, row in enumerate(chain.rows):
        if row.modified:
            transform = transform * row_matrix(row, i + 1)
            continue
        group.append(i)
        if row.alpha != 0.0 or i == len(chain) - 1 or chain.rows[i + 1].modified:
            rows = [chain.rows[j] for j in group]
            transform = transform * _group(rows, [j + 1 for j in group])
            group.clear()
    return transform


def print_chain(chain: DhChain) -> str:
    """Return every A_i and T as text, with c12 for cos(q1 + q2) and so on.

    Raises:
        PlanarArmError: SymPy is not installed.
    """
    sympy = _sympy()
    parts = [(f"A{i}", row_matrix(row, i)) for i, row in enumerate(chain.rows, 1)]
    parts.append(("T", forward_matrix(chain)))
    texts = []
    for name, matrix in parts:
        pretty = sympy.pretty(_shorthand(matrix), wrap_line=False, use_unicode=True)
        texts.append(f"{name} =\n{pretty}")
    return "\n\n".join(texts)


def _group(rows: Sequence[DhRow], joints: Sequence[int]) -> Any:
    """Multiply the A_i of parallel axes: only the last row's alpha may differ from 0."""
    sympy = _sympy()
    x, y, z, angle = sympy.S(0), sympy.S(0), sympy.S(0), sympy.S(0)
    for row, joint in zip(rows, joints, strict=True):
        variable = sympy.Symbol(f"q{joint}", real=True)
        angle += _angle(row.theta_constant) + (variable if row.revolute else 0)
        x += _length(row.a) * sympy.cos(angle)
        y += _length(row.a) * sympy.sin(angle)
        z += _length(row.d_constant) + (0 if row.revolute else variable)
    c, s = sympy.cos(angle), sympy.sin(angle)
    alpha = _angle(rows[-1].alpha)
    ca, sa = sympy.cos(alpha), sympy.sin(alpha)
    return sympy.Matrix(
        [[c, -s * ca, s * sa, x], [s, c * ca, -c * sa, y], [0, sa, ca, z], [0, 0, 0, 1]]
    )


def _angle(value: float) -> Any:
    """Return an angle [rad] as a fraction of pi where it is one, else as the number."""
    sympy = _sympy()
    for denominator in _DENOMINATORS:
        numerator = value / math.pi * denominator
        if abs(numerator - round(numerator)) < 1e-12:
            return sympy.pi * sympy.Rational(round(numerator), denominator)
    return sympy.Float(value)


def _length(value: float) -> Any:
    """Return a length as a whole number where it is one: 0 must vanish from products."""
    sympy = _sympy()
    return sympy.Integer(int(value)) if value == int(value) else sympy.Float(value)


def _shorthand(matrix: Any) -> Any:
    """Write cos(q1 + q2) as c12, sin(q3) as s3, and floats with few digits."""
    sympy = _sympy()
    names = {}
    for function, letter in ((sympy.cos, "c"), (sympy.sin, "s")):
        for term in matrix.atoms(function):
            numbers = sorted(str(symbol)[1:] for symbol in term.free_symbols)
            if term.args[0] == sum(term.free_symbols) and all(len(n) == 1 for n in numbers):
                names[term] = sympy.Symbol(letter + "".join(numbers))
    digits = {number: sympy.Float(number, 6) for number in matrix.atoms(sympy.Float)}
    return matrix.subs(names).xreplace(digits)


def _sympy() -> Any:
    try:
        import sympy
    except ImportError:
        raise PlanarArmError(
            "printing formulas needs SymPy; install it with: pip install 'planar_arm_ik[symbolic]'"
        ) from None
    return sympy
