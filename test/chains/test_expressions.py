"""Formulas of one variable t."""

import math

import numpy as np
import pytest

from planar_arm_ik.chains.expressions import evaluate
from planar_arm_ik.errors import PlanarArmError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2.0),
        ("t", 0.5),
        (" -t + 1 ", 0.5),
        ("2*t**2 - 3/4", -0.25),
        ("cos(t)", math.cos(0.5)),
        ("0.3*sin(2*pi*t) + e", 0.3 * math.sin(math.pi) + math.e),
        ("sqrt(abs(-4))", 2.0),
        ("arctan(1)*4", math.pi),
        ("2**-1", 0.5),
    ],
)
def test_formula_by_hand(text, value):
    assert evaluate(text, 0.5) == pytest.approx(value, abs=1e-15)


def test_a_formula_takes_the_shape_of_t():
    t = np.linspace(0.0, 1.0, 12).reshape(3, 4)
    np.testing.assert_array_equal(evaluate("cos(t) + 1", t), np.cos(t) + 1)
    assert evaluate("3", t).shape == (3, 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no formula"),
        ("cos t", "is no formula"),
        ("cos(t", "is no formula"),
        ("1; 2", "is no formula"),
        ("\0", "is no formula"),
        ("q", "'q' is not understood"),
        ("sinh(t)", "is not understood"),
        ("cos(t, t)", "is not understood"),
        ("cos(x=t)", "is not understood"),
        ("True", "'True' is not understood"),
        ("'t'", "is not understood"),
        ("t @ t", "is not understood"),
        ("t if t else t", "is not understood"),
        ("__import__('os').system('true')", "is not understood"),
        ("().__class__", "is not understood"),
        ("(lambda: t)()", "is not understood"),
        ("[t for t in t]", "is not understood"),
        ("log(t)", "is not finite at t = 0"),
        ("1/t", "is not finite at t = 0"),
        ("9**9**9**9", "is not finite"),
        ("1" + "0" * 450, "is no formula"),
        ("(" * 400, "is no formula"),
        ("t" * 600, "too long"),
    ],
)
def test_anything_else_is_refused_and_nothing_runs(text, words):
    with pytest.raises(PlanarArmError, match=words):
        evaluate(text, [0.0, 1.0])
