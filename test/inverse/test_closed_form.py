"""Both elbows of one target: round trips, edges of the ring, fold, statuses."""

import math

import numpy as np
import pytest

from planar_arm_ik import Branch, IkStatus, JointLimits, PlanarArm, solve

UNEQUAL = [PlanarArm(0.5, 0.4), PlanarArm(0.3, 0.2), PlanarArm(0.2, 0.3)]
EQUAL = [PlanarArm(0.25, 0.25), PlanarArm(0.08, 0.08)]
LOPSIDED = [PlanarArm(10.0, 1e-3), PlanarArm(1e-3, 10.0)]
BEARINGS = np.linspace(-math.pi, math.pi, 3600)


def check_answer(arm, target, solution, tolerance):
    """Every candidate of an answer is a pose of the target, without NaN."""
    assert solution.status >= 0
    assert len(solution.candidates) == 2
    for candidate, branch in zip(solution.candidates, (1, -1), strict=True):
        assert candidate.branch == branch
        assert np.isfinite(candidate.q).all()
        error = math.dist(arm.forward(candidate.q), target)
        assert error <= tolerance
        assert candidate.position_error == pytest.approx(error, abs=1e-15)


def test_the_default_arm_reaches_straight_ahead_with_the_known_angles():
    arm = PlanarArm(0.5, 0.4)
    positive, negative = solve(arm, (0.6, 0.0)).candidates
    np.testing.assert_allclose(np.degrees(positive.q), (-41.40962, 97.18076), atol=5e-6)
    np.testing.assert_allclose(np.degrees(negative.q), (41.40962, -97.18076), atol=5e-6)


@pytest.mark.parametrize(
    ("target", "positive_deg", "negative_deg"),
    [
        ((0.3, 0.2), (0.0, 90.0), (67.3801350519596, -90.0)),
        ((-0.3, 0.2), (112.619864948040, 90.0), (180.0, -90.0)),
    ],
)
def test_branches_are_named_by_the_sign_of_q2_on_both_sides(target, positive_deg, negative_deg):
    positive, negative = solve(PlanarArm(0.3, 0.2), target).candidates
    np.testing.assert_allclose(np.degrees(positive.q), positive_deg, atol=1e-9)
    np.testing.assert_allclose(np.degrees(negative.q), negative_deg, atol=1e-9)


def test_unequal_links_have_the_right_elbow_angle():
    positive, negative = solve(PlanarArm(0.3, 0.2), (0.4, 0.1)).candidates
    assert math.degrees(positive.q[1]) == pytest.approx(70.528779, abs=1e-6)
    assert math.degrees(negative.q[1]) == pytest.approx(-70.528779, abs=1e-6)


def test_a_right_angle_is_not_lost_to_a_sign():
    positive, _ = solve(PlanarArm(0.3, 0.25), (0.30, 0.25)).candidates
    np.testing.assert_allclose(positive.q, (0.0, math.pi / 2), atol=1e-12)


@pytest.mark.parametrize("arm", [*UNEQUAL, *EQUAL, *LOPSIDED])
def test_both_branches_of_random_poses_return_to_the_tip(arm):
    q = np.random.default_rng(3).uniform(-math.pi, math.pi, (700, 2))
    for pose, tip in zip(q, arm.forward(q), strict=True):
        solution = solve(arm, tip, seed=pose)
        check_answer(arm, tip, solution, 1e-12 * max(1.0, arm.outer_radius))
        if abs(math.sin(pose[1])) > 1e-3:
            assert max(abs(solution.q - pose)) < 1e-9 * (arm.l1 / arm.l2 + arm.l2 / arm.l1)


def around(radius):
    """Targets at every bearing [m], shape (3600, 2)."""
    return radius * np.stack((np.cos(BEARINGS), np.sin(BEARINGS)), axis=-1)


def edge_answers(arm, targets, tolerance, seeds=None):
    """Chosen angles of targets that all have to be singular answers, shape (N, 2)."""
    seeds = [None] * len(targets) if seeds is None else seeds
    solutions = [solve(arm, target, seed) for target, seed in zip(targets, seeds, strict=True)]
    assert {solution.status for solution in solutions} == {IkStatus.SINGULAR}
    both = np.array([[candidate.q for candidate in s.candidates] for s in solutions])
    reported = np.array(
        [[candidate.position_error for candidate in s.candidates] for s in solutions]
    )
    error = np.hypot(*np.moveaxis(arm.forward(both) - targets[:, None], -1, 0))
    assert np.isfinite(both).all()
    assert error.max() <= tolerance
    np.testing.assert_allclose(reported, error, atol=1e-15)
    return np.array([solution.q for solution in solutions])


@pytest.mark.parametrize("arm", [*UNEQUAL, *EQUAL])
def test_the_outer_edge_is_reached_at_every_bearing(arm):
    q = edge_answers(arm, around(arm.outer_radius), 1e-12)
    assert np.abs(q[:, 1]).max() < 1e-7
    assert (q[:, 0] > -math.pi).all()
    assert (q[:, 0] <= math.pi).all()


@pytest.mark.parametrize("arm", UNEQUAL)
def test_the_inner_edge_is_reached_at_every_bearing(arm):
    q = edge_answers(arm, around(arm.inner_radius), 1e-12)
    assert np.abs(np.abs(q[:, 1]) - math.pi).max() < 1e-7


@pytest.mark.parametrize("arm", EQUAL)
def test_the_folded_arm_takes_q1_from_the_seed_at_every_bearing(arm):
    targets = around(1e-10 * arm.outer_radius)
    seeds = np.stack((BEARINGS, np.full(3600, 2.5)), axis=-1)
    q = edge_answers(arm, targets, 1e-9 * arm.outer_radius, seeds)
    np.testing.assert_array_equal(q[:, 0], BEARINGS)
    np.testing.assert_allclose(q[:, 1], math.pi, atol=1e-9)


@pytest.mark.parametrize("target", [(0.0, 0.0), (1e-12, 0.0), (-0.0, -1e-300), (5e-324, 0.0)])
def test_the_origin_of_equal_links_is_singular_and_does_not_spin(target):
    arm = PlanarArm(0.25, 0.25)
    solution = solve(arm, target, seed=(0.7, 2.5))
    assert solution.status is IkStatus.SINGULAR
    np.testing.assert_allclose(solution.q, (0.7, math.pi), atol=1e-11)
    np.testing.assert_allclose(solve(arm, target).q, (0.0, math.pi), atol=1e-11)
    np.testing.assert_allclose(solve(arm, target, seed=(0.7, -2.5)).q, (0.7, -math.pi), atol=1e-11)


@pytest.mark.parametrize("arm", [*UNEQUAL, *EQUAL])
def test_the_edge_band_is_an_answer_and_beyond_it_a_refusal(arm):
    for scale in (1.0 - 1e-10, 1.0 - 1e-16, 1.0 + 1e-16, 1.0 + 9e-10):
        solution = solve(arm, (arm.outer_radius * scale, 0.0))
        assert solution.status is IkStatus.SINGULAR
    for scale in (1.0 + 1.1e-9, 1.0 + 1e-6, 2.0, 1e300):
        solution = solve(arm, (0.0, arm.outer_radius * scale))
        assert solution.status is IkStatus.TOO_FAR
        assert solution.q is None
        assert solution.candidates == ()
        assert solution.branch is Branch.NONE


@pytest.mark.parametrize(
    ("target", "shortfall"), [((10.0, 0.0), 9.45), ((0.56, 0.0), 0.01), ((0.5501, 0.0), 0.0001)]
)
def test_a_target_too_far_says_by_how_much(target, shortfall):
    solution = solve(PlanarArm(0.30, 0.25), target)
    assert solution.status is IkStatus.TOO_FAR
    assert solution.shortfall == pytest.approx(shortfall, abs=1e-12)
    assert solution.nearest_point == pytest.approx((0.55, 0.0))


@pytest.mark.parametrize(
    ("target", "shortfall"), [((0.0, 0.0), -0.1), ((0.0999, 0.0), -0.0001), ((0.0, -0.04), -0.06)]
)
def test_a_target_in_the_hole_says_by_how_much(target, shortfall):
    arm = PlanarArm(0.3, 0.2)
    solution = solve(arm, target)
    assert solution.status is IkStatus.TOO_CLOSE
    assert solution.shortfall == pytest.approx(shortfall, abs=1e-12)
    assert math.hypot(*solution.nearest_point) == pytest.approx(arm.inner_radius)


def test_the_inner_edge_itself_is_an_answer():
    solution = solve(PlanarArm(0.3, 0.2), (0.1, 0.0))
    assert solution.status is IkStatus.SINGULAR
    assert abs(solution.q[1]) == pytest.approx(math.pi, abs=1e-7)


@pytest.mark.parametrize("target", [(1.7e308, -1.7e308), (5e-324, 0.0), (-3e-310, 2e-312)])
def test_the_nearest_point_of_extreme_targets_lies_on_the_edge(target):
    arm = PlanarArm(0.3, 0.2)
    solution = solve(arm, target)
    edge = arm.outer_radius if solution.shortfall > 0.0 else arm.inner_radius
    assert math.isfinite(solution.shortfall)
    assert math.hypot(*solution.nearest_point) == pytest.approx(edge)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_target_or_seed_that_is_not_finite_is_invalid_input(bad):
    arm = PlanarArm(0.5, 0.4)
    for solution in (
        solve(arm, (bad, 0.0)),
        solve(arm, (0.6, bad)),
        solve(arm, (0.6, 0.0), seed=(bad, 0.0)),
        solve(arm, (0.6, 0.0), seed=(0.0, bad)),
    ):
        assert solution.status is IkStatus.INVALID_INPUT
        assert solution.q is None
        assert "finite" in solution.message


def test_huge_and_tiny_targets_give_a_status_and_never_nan():
    rng = np.random.default_rng(4)
    for arm in (*UNEQUAL, *EQUAL, *LOPSIDED, PlanarArm(1e50, 1e49), PlanarArm(1e-49, 1e-50)):
        for _ in range(300):
            target = rng.uniform(-1.7, 1.7, 2) * 10.0 ** rng.uniform(-320, 308)
            solution = solve(arm, target)
            assert math.isfinite(solution.shortfall)
            if solution.status >= 0:
                check_answer(arm, target, solution, 1e-9 * arm.outer_radius)
            else:
                assert solution.status in (IkStatus.TOO_FAR, IkStatus.TOO_CLOSE)
                assert np.isfinite(solution.nearest_point).all()


def test_the_pose_exactly_on_its_limits_is_its_own_inverse():
    limits = JointLimits(-2.1, 2.3), JointLimits(-1.7, 1.9)
    arm = PlanarArm(0.5, 0.4, *limits)
    for q1 in (limits[0].lower, limits[0].upper):
        for q2 in (limits[1].lower, limits[1].upper):
            solution = solve(arm, arm.forward((q1, q2)), seed=(q1, q2), rule="keep")
            assert solution.status is IkStatus.OK
            np.testing.assert_allclose(solution.q, (q1, q2), atol=1e-11)
            assert limits[0].lower <= solution.q[0] <= limits[0].upper
            assert limits[1].lower <= solution.q[1] <= limits[1].upper


def test_sigma_min_is_that_of_the_jacobian_for_both_candidates():
    rng = np.random.default_rng(5)
    for arm in (*UNEQUAL, *EQUAL):
        for q in rng.uniform(-math.pi, math.pi, (200, 2)):
            solution = solve(arm, arm.forward(q))
            for candidate in solution.candidates:
                expected = arm.singular_values(candidate.q)[1]
                assert solution.sigma_min == pytest.approx(expected, rel=1e-9, abs=1e-12)
