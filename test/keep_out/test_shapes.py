"""Keep-out shapes: signed distances of segments, and what is no shape."""

import math

import numpy as np
import pytest

from planar_arm_ik import PlanarArmError
from planar_arm_ik.keep_out.shapes import Circle, Polygon

SQUARE = Polygon("square", ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))


def distance(shape, start, end):
    return float(shape.distance(np.array([start], float), np.array([end], float))[0])


@pytest.mark.parametrize(
    ("start", "end", "wanted"),
    [
        ((2.0, 0.0), (2.0, 1.0), 1.0),  # beside an edge
        ((2.0, 2.0), (3.0, 2.0), math.sqrt(2.0)),  # off a corner
        ((-1.0, 0.5), (2.0, 0.5), -0.5),  # right through: half a side parts them
        ((0.9, 0.5), (2.0, 0.5), -0.1),  # a tip inside
        ((0.2, 0.4), (0.8, 0.4), -0.4),  # wholly inside
        ((1.0, -1.0), (1.0, 2.0), 0.0),  # along an edge
        ((1.5, -0.5), (-0.5, 1.5), -math.sqrt(0.5)),  # through the centre: half a diagonal
    ],
)
def test_signed_distance_of_a_segment_to_a_square(start, end, wanted):
    assert distance(SQUARE, start, end) == pytest.approx(wanted, abs=1e-12)
    assert distance(SQUARE, end, start) == pytest.approx(wanted, abs=1e-12)


def test_signed_distance_to_a_circle():
    circle = Circle("post", 0.0, 0.0, 0.5)
    assert distance(circle, (1.0, -1.0), (1.0, 1.0)) == pytest.approx(0.5)
    assert distance(circle, (0.2, -1.0), (0.2, 1.0)) == pytest.approx(-0.3)
    assert distance(circle, (1.0, 1.0), (2.0, 2.0)) == pytest.approx(math.sqrt(2.0) - 0.5)


def test_the_depth_is_the_least_translation_that_parts_them():
    rng = np.random.default_rng(4)
    triangle = Polygon("t", ((-0.4, -0.3), (0.5, -0.2), (0.1, 0.6)))
    for _ in range(200):
        start, end = rng.uniform(-0.6, 0.6, (2, 2))
        depth = -distance(triangle, start, end)
        if depth <= 0.0:
            continue
        turns = np.linspace(0.0, 2.0 * math.pi, 721)
        moves = depth * np.stack((np.cos(turns), np.sin(turns)), axis=1)
        short = triangle.distance(start + 0.99 * moves, end + 0.99 * moves)
        assert short.max() < 0.0  # nothing shorter parts them
        assert triangle.distance(start + 1.01 * moves, end + 1.01 * moves).max() > -1e-4 * depth


def test_corners_may_be_listed_either_way_round():
    other = Polygon("square", SQUARE.corners[::-1])
    assert distance(other, (2.0, 0.0), (2.0, 1.0)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "corners",
    [
        ((0.0, 0.0), (1.0, 0.0)),
        ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0)),
        ((0.0, 0.0), (1.0, 0.0), (0.2, 0.2), (0.0, 1.0)),
        ((0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)),
        ((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 1.0)),
        ((0.0, 0.0), (1.0, 0.0), (1.0, math.nan)),
        tuple((math.cos(0.8 * math.pi * k), math.sin(0.8 * math.pi * k)) for k in range(5)),
    ],
    ids=["two", "flat", "dent", "bow tie", "repeated", "nan", "star"],
)
def test_what_is_not_a_convex_polygon_is_refused(corners):
    with pytest.raises(PlanarArmError, match="polygon 'p'"):
        Polygon("p", corners)


@pytest.mark.parametrize("numbers", [(0.3, 0.2, 0.0), (0.3, 0.2, -1.0), (math.inf, 0.0, 0.1)])
def test_what_is_not_a_circle_is_refused(numbers):
    with pytest.raises(PlanarArmError, match="circle 'c'"):
        Circle("c", *numbers)
