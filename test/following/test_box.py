import itertools

import numpy as np
import pytest

from planar_arm_ik.following.box import Box, clip, least_squares_in_box, nearest_on_ray

UNIT = Box(-1.0, 1.0, -1.0, 1.0)


def random_problem(rng):
    J = rng.normal(size=(2, 2))
    A = J.T @ J + 1e-6 * np.eye(2)
    low = rng.uniform(-2.0, 1.0, 2)
    high = low + rng.uniform(0.0, 2.0, 2)
    return rng.normal(scale=2.0, size=2), A, Box(low[0], high[0], low[1], high[1])


def test_the_answer_beats_every_point_of_a_grid():
    rng = np.random.default_rng(1)
    for _ in range(100):
        x, A, box = random_problem(rng)
        y = least_squares_in_box(*x, (A[0, 0], A[0, 1], A[1, 1]), box)
        assert clip(*y, box) == y
        grid = [np.linspace(box.low1, box.high1, 21), np.linspace(box.low2, box.high2, 21)]
        offsets = np.array(list(itertools.product(*grid))) - x
        best = ((offsets @ A) * offsets).sum(axis=1).min()
        assert (y - x) @ A @ (y - x) <= best + 1e-12


def test_the_answer_satisfies_the_optimality_conditions():
    rng = np.random.default_rng(2)
    for _ in range(1000):
        x, A, box = random_problem(rng)
        y = least_squares_in_box(*x, (A[0, 0], A[0, 1], A[1, 1]), box)
        slope = A @ (np.array(y) - x)
        bounds = ((box.low1, box.high1), (box.low2, box.high2))
        for value, g, (low, high) in zip(y, slope, bounds, strict=True):
            if g > 1e-9:
                assert value == low
            if g < -1e-9:
                assert value == high


def test_a_point_inside_is_its_own_answer():
    assert least_squares_in_box(0.3, -0.4, (2.0, 1.0, 3.0), UNIT) == (0.3, -0.4)


@pytest.mark.parametrize(
    ("k", "x", "box", "factor"),
    [
        (0.5, (1.0, 1.0), UNIT, 0.5),
        (1.0, (2.0, 1.0), UNIT, 0.5),
        (0.0, (1.0, 1.0), Box(0.2, 1.0, 0.1, 1.0), 0.2),
        (1.0, (1.0, 0.0), Box(0.5, 0.8, 0.1, 0.2), None),
        (1.0, (1.0, 1.0), Box(0.5, 0.8, -0.4, 0.2), None),
        (1.0, (-1.0, 1.0), Box(0.5, 0.8, 0.5, 0.8), None),
        (1.0, (0.0, 0.0), UNIT, 1.0),
        (1.0, (0.0, 0.0), Box(0.1, 1.0, -1.0, 1.0), None),
        (1.0, (5e-324, 1.0), UNIT, 1.0),
    ],
)
def test_a_ray_meets_the_box_at_the_nearest_factor(k, x, box, factor):
    assert nearest_on_ray(k, *x, box) == factor


def test_clip_moves_each_coordinate_alone():
    assert clip(3.0, -0.5, UNIT) == (1.0, -0.5)
