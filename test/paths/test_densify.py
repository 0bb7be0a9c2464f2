"""Lines subdivided: as fine as the tolerance asks, and no finer where it does not."""

import numpy as np
import pytest

from arms import ALL, DEFAULT
from planar_arm_ik import plan_path
from planar_arm_ik.paths.densify import densify_points, tip_deviation


@pytest.mark.parametrize("arm", ALL, ids=lambda arm: f"{arm.l1}-{arm.l2}")
def test_the_tip_stays_within_the_bound_of_its_chord(arm):
    rng = np.random.default_rng(0)
    begin, dq = rng.uniform(-3.0, 3.0, (500, 2)), rng.normal(0.0, 0.5, (500, 2))
    t = np.linspace(0.0, 1.0, 41)[:, None, None]
    tips = arm.forward(begin + t * dq)
    off = np.linalg.norm(tips - tips[0] - t * (tips[-1] - tips[0]), axis=-1).max(axis=0)
    assert (off <= tip_deviation(arm, dq) + 1e-12).all()


def test_a_line_to_the_very_edge_takes_48_pieces_for_a_tenth_of_a_millimetre():
    plan = plan_path(DEFAULT, [(0.5, 0.0), (0.9, 0.0)], line_tolerance=1e-4)
    assert len(plan.q) - 1 == 48
    step = np.abs(np.diff(DEFAULT.forward(plan.q)[:, 0]))
    assert 0.4 / step.min() > 1000  # even spacing as fine as the finest piece
    np.testing.assert_allclose(plan.q[-1], [0.0, 0.0], atol=1e-7)


def test_pieces_and_their_waypoints_are_in_order():
    corners = [(0.5, 0.3), (0.5, -0.3), (0.3, -0.3)]
    plan = plan_path(DEFAULT, corners, line_tolerance=1e-3)
    assert plan.waypoint_index[0] == 0
    assert plan.waypoint_index[-1] == 2
    assert (np.diff(plan.waypoint_index) >= 0).all()
    rows = np.searchsorted(plan.waypoint_index, [0, 1, 2])
    np.testing.assert_allclose(DEFAULT.forward(plan.q[rows]), corners, atol=1e-12)
    assert len(set(plan.branches.tolist())) == 1


def test_points_are_spread_evenly():
    dense, index = densify_points(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.5]]), 0.3)
    assert index.tolist() == [0, 0, 0, 0, 1, 1, 2]
    np.testing.assert_allclose(dense[:5, 0], [0.0, 0.25, 0.5, 0.75, 1.0])
    assert np.hypot(*np.diff(dense, axis=0).T).max() <= 0.3


def test_points_on_one_spot_stay():
    dense, index = densify_points(np.zeros((3, 2)), 0.1)
    assert dense.shape == (3, 2)
    assert index.tolist() == [0, 1, 2]
