"""Rounded corners: within the tolerance, on the elbow, in the limits, with reasons where not."""

import itertools
import math

import numpy as np
import pytest

from arms import DEFAULT, SHAPES
from planar_arm_ik import IkStatus, PlanarArmError, plan_path
from planar_arm_ik.keep_out.collision import first_touch
from planar_arm_ik.paths.bspline import chord_length_spline
from planar_arm_ik.paths.simplify import offset_from_segment

CORNER = np.array([(0.5, 0.0), (0.54, 0.0), (0.54, 0.04)])
TOLERANCE = 0.5e-3


def distances(points, polyline):
    each = [
        np.hypot(*offset_from_segment(points, *pair).T) for pair in itertools.pairwise(polyline)
    ]
    return np.min(each, axis=0)


def rounded(points, **options):
    options = {"line_tolerance": 1e-3, "blend_tolerance": TOLERANCE} | options
    return plan_path(DEFAULT, points, **options)


def test_the_spline_has_a_continuous_second_derivative():
    rng = np.random.default_rng(3)
    curve = chord_length_spline(np.cumsum(rng.uniform(0.1, 1.0, (9, 2)), axis=0))
    h = 1e-3
    for knot in curve.breaks[1:-1]:
        left = curve.at(knot - h * np.arange(3))
        right = curve.at(knot + h * np.arange(3))
        bends = [(side[0] - 2.0 * side[1] + side[2]) / h**2 for side in (left, right)]
        scale = np.abs(curve.at(curve.breaks)).max()
        np.testing.assert_allclose(*bends, atol=0.05 * scale)
    np.testing.assert_array_equal(curve.at(curve.breaks[[0, -1]]), curve.control[[0, -1]])


def test_a_corner_is_rounded_within_the_tolerance_and_both_ends_stay():
    exact, plan = rounded(CORNER, blend_tolerance=0.0), rounded(CORNER)
    tips = DEFAULT.forward(plan.q)
    away = distances(tips, CORNER)
    assert 0.5 * TOLERANCE < away.max() < TOLERANCE
    np.testing.assert_array_equal(plan.q[[0, -1]], exact.q[[0, -1]])
    assert not plan.corners.any()
    assert plan.kept_corners == ()
    assert np.hypot(*(tips - CORNER[1]).T).min() < 1.5 * TOLERANCE


def test_the_last_waypoint_at_or_before_each_row_is_told():
    plan = rounded(CORNER)
    assert (np.diff(plan.waypoint_index) >= 0).all()
    tips = DEFAULT.forward(plan.q)
    on_first = tips[:, 1] < 1e-9
    assert (plan.waypoint_index[on_first] == 0).all()
    assert plan.waypoint_index[-1] == 2
    assert 1 in plan.waypoint_index


@pytest.mark.parametrize("tolerance", [1e-4, 1e-3, 5e-3])
def test_more_tolerance_is_used(tolerance):
    plan = rounded(CORNER, blend_tolerance=tolerance)
    away = distances(DEFAULT.forward(plan.q), CORNER).max()
    assert 0.5 * tolerance < away < tolerance


def test_straight_joint_moves_are_rounded_within_the_tolerance_of_the_tip():
    plan = rounded(CORNER, line_tolerance=None)
    exact = plan_path(DEFAULT, CORNER).q
    way = np.concatenate([np.linspace(a, b, 2000) for a, b in itertools.pairwise(exact)])
    away = distances(DEFAULT.forward(plan.q), DEFAULT.forward(way))
    assert 0.1 * TOLERANCE < away.max() < TOLERANCE


def test_zero_is_exact():
    plan = rounded(CORNER, blend_tolerance=0.0)
    assert plan.corners is None
    assert np.hypot(*(DEFAULT.forward(plan.q) - CORNER[1]).T).min() < 1e-12


@pytest.mark.parametrize("value", [-1e-3, math.nan, math.inf])
def test_a_tolerance_out_of_range_is_refused(value):
    with pytest.raises(PlanarArmError, match="blend_tolerance"):
        rounded(CORNER, blend_tolerance=value)


def test_where_the_path_turns_back_it_says_so_and_reaches_the_point():
    points = [(0.5, 0.0), (0.55, 0.0), (0.5, 0.0), (0.5, 0.05)]
    plan = rounded(points)
    assert [(corner.waypoint, corner.reason) for corner in plan.kept_corners] == [
        (1, "the path turns back")
    ]
    tips = DEFAULT.forward(plan.q[plan.corners])
    np.testing.assert_allclose(tips, [points[1]], atol=1e-12)


def test_doubled_points_make_no_difference():
    doubled = rounded(np.repeat(CORNER, 2, axis=0))
    np.testing.assert_allclose(doubled.q, rounded(CORNER).q, atol=1e-12)
    assert doubled.waypoint_index[-1] == 5


def test_a_shaking_hand_is_smoothed_within_the_tolerance():
    rng = np.random.default_rng(5)
    x = np.linspace(0.45, 0.6, 400)
    points = np.stack((x, 0.1 + rng.uniform(-1e-4, 1e-4, 400)), axis=1)
    plan = rounded(points)
    assert len(plan.q) < 100
    assert not plan.corners.any()
    assert distances(DEFAULT.forward(plan.q), points).max() < TOLERANCE


def test_a_refused_path_is_refused_alike():
    exact, plan = (
        rounded([(0.5, 0.0), (0.5, 0.8), (0.6, 0.1)], blend_tolerance=tolerance)
        for tolerance in (0.0, TOLERANCE)
    )
    assert plan.status is IkStatus.TOO_FAR
    assert (plan.status, plan.message) == (exact.status, exact.message)


def test_no_rounded_path_touches_a_shape():
    rng = np.random.default_rng(11)
    rounded_paths = 0
    for _ in range(60):
        points = rng.uniform(-0.7, 0.7, 2) + np.cumsum(rng.normal(0.0, 0.05, (6, 2)), axis=0)
        plan = rounded(points, obstacles=SHAPES)
        if plan.ok and plan.corners is not None:
            rounded_paths += 1
            assert not np.isfinite(first_touch(DEFAULT, SHAPES, plan.q[:-1], plan.q[1:])).any()
    assert rounded_paths > 10


def test_joint_limits_hold_along_rounded_joint_moves():
    rng = np.random.default_rng(2)
    seen = 0
    for _ in range(80):
        points = rng.uniform(-0.8, 0.8, (5, 2))
        plan = rounded(points, line_tolerance=None)
        if plan.ok and plan.corners is not None:
            seen += 1
            assert plan.limit_margin >= 0.0
            for axis, joint in enumerate(DEFAULT.joints):
                assert plan.q[:, axis].min() >= joint.lower
                assert plan.q[:, axis].max() <= joint.upper
    assert seen > 10
