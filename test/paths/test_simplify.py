"""What is left out of a polyline, and how far it lies from what stays."""

import numpy as np
import pytest

from planar_arm_ik.paths.simplify import distinct, offset_from_segment, simplify, zigzags


@pytest.mark.parametrize("seed", range(20))
def test_no_point_is_farther_from_its_chord_than_is_said_and_allowed(seed):
    rng = np.random.default_rng(seed)
    points = np.cumsum(rng.normal(0.0, 1.0, (60, 2)), axis=0)
    kept, off = simplify(points, 0.8)
    assert kept[0] == 0
    assert kept[-1] == 59
    assert (np.diff(kept) > 0).all()
    assert len(kept) < 60
    for begin, end, said in zip(kept[:-1], kept[1:], off, strict=True):
        away = offset_from_segment(points[begin : end + 1], points[begin], points[end])
        assert np.hypot(*away.T).max() == pytest.approx(said)
        assert said <= 0.8


def test_a_point_where_the_path_turns_back_stays():
    kept, _ = simplify(np.array([(0.0, 0.0), (1.0, 0.0), (0.5, 0.0)]), 0.1)
    assert kept.tolist() == [0, 1, 2]


def test_doubled_points_are_one():
    assert distinct(np.array([(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 0.0)])).tolist() == [0, 2]


def test_a_shaking_hand_is_told_from_a_circle():
    a = np.linspace(0.0, 6.0, 60)
    circle = np.stack((np.cos(a), np.sin(a)), axis=1)
    assert not zigzags(circle)
    shaken = circle + np.random.default_rng(1).normal(0.0, 0.05, circle.shape)
    assert zigzags(shaken)
