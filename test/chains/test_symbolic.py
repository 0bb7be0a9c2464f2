"""Denavit-Hartenberg transforms as formulas."""

import math
import sys

import numpy as np
import pytest

from planar_arm_ik.chains.chain import DhChain
from planar_arm_ik.chains.rows import DhRow
from planar_arm_ik.chains.symbolic import forward_matrix, print_chain, row_matrix
from planar_arm_ik.chains.tables import load_table, shipped_tables
from planar_arm_ik.errors import PlanarArmError


def test_without_sympy_the_line_to_install_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(PlanarArmError, match=r"pip install 'planar_arm_ik\[symbolic\]'"):
        print_chain(load_table("rr"))


def evaluate(matrix, q):
    import sympy

    symbols = [sympy.Symbol(f"q{i}", real=True) for i in range(1, len(q) + 1)]
    return np.array(matrix.subs(dict(zip(symbols, q, strict=True))).evalf(), dtype=float)


@pytest.mark.parametrize("name", shipped_tables())
def test_the_formula_gives_the_numbers(name):
    pytest.importorskip("sympy")
    chain = load_table(name)
    q = np.random.default_rng(1).uniform(-2, 2, len(chain))
    pose = chain.forward(q)
    formula = evaluate(forward_matrix(chain), q)
    assert np.abs(formula - pose).max() <= 1e-12 * np.abs(pose).max()
    product = np.eye(4)
    for i, row in enumerate(chain.rows, 1):
        product = product @ evaluate(row_matrix(row, i), q)
    assert np.abs(product - pose).max() <= 1e-12 * np.abs(pose).max()


def test_odd_angles_offsets_and_lengths_stay_numbers():
    pytest.importorskip("sympy")
    rows = [
        DhRow("R", a=0.123, alpha=0.777, d=0.5, theta=math.pi / 6, offset=0.1),
        DhRow("P", a=1.0, alpha=math.pi / 4, d=0.25, theta=-0.4, offset=0.05),
        DhRow("R", a=2.0),
    ]
    chain = DhChain(rows)
    q = [0.3, 0.7, -1.1]
    np.testing.assert_allclose(evaluate(forward_matrix(chain), q), chain.forward(q), atol=1e-13)
    assert "0.123" in print_chain(chain)


def test_parallel_axes_print_their_sum_of_angles():
    pytest.importorskip("sympy")
    text = print_chain(load_table("rr"))
    assert "A1 =" in text
    assert "A2 =" in text
    assert "0.5⋅c₁ + 0.4⋅c₁₂" in text.split("T =")[1]
    assert "c₂₃" in print_chain(load_table("abb_irb_140")).split("T =")[1]
