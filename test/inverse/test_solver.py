"""One target from question to answer: seeds, limits, steps, order of refusals."""

import math

import numpy as np
import pytest

from planar_arm_ik import (
    Branch,
    IkStatus,
    JointLimits,
    PlanarArm,
    PlanarArmError,
    solve,
    solve_batch,
)

DEG = math.pi / 180.0
ARM = PlanarArm(0.5, 0.4)
FREE = JointLimits(continuous=True)
TURN = 2.0 * math.pi


def target_with_q1(arm, q1, q2=1.0):
    return arm.forward((q1, q2))


def test_an_answer_is_near_a_near_seed():
    arm = PlanarArm(0.3, 0.2)
    solution = solve(arm, arm.forward((0.11, 1.21)), seed=(0.10, 1.20))
    assert np.abs(solution.q - (0.10, 1.20)).max() <= 0.02


@pytest.mark.parametrize(
    ("seed_q1", "raw", "expected"),
    [(3.10, -3.10, -3.10 + TURN), (20.0, 1.2, 1.2 + 3 * TURN), (-1000.0, 0.5, 0.5 - 159 * TURN)],
)
def test_a_continuous_shoulder_follows_its_seed_over_turns(seed_q1, raw, expected):
    arm = PlanarArm(0.5, 0.4, FREE, FREE)
    solution = solve(arm, target_with_q1(arm, raw), seed=(seed_q1, 1.0))
    np.testing.assert_allclose(solution.q, (expected, 1.0), atol=1e-9)


def test_a_bounded_shoulder_goes_the_long_way_and_reports_it():
    arm = PlanarArm(0.5, 0.4, JointLimits(-math.pi, math.pi))
    solution = solve(arm, target_with_q1(arm, -3.10), seed=(3.10, 1.0), rule="positive")
    assert solution.q[0] == pytest.approx(-3.10)
    assert solution.candidates[0].distance == pytest.approx(6.2)


def test_without_a_seed_angles_lie_in_one_turn():
    arm = PlanarArm(0.5, 0.4, FREE, FREE)
    for bearing in np.linspace(-10.0, 10.0, 500):
        for candidate in solve(arm, target_with_q1(arm, bearing)).candidates:
            assert (candidate.q > -math.pi).all()
            assert (candidate.q <= math.pi).all()


def test_each_limit_of_a_mixed_arm_is_named():
    target = (0.425, -0.2165)
    elbow_only = PlanarArm(0.3, 0.25, joint2=JointLimits(0.0, 150 * DEG))
    solution = solve(elbow_only, target)
    assert solution.status is IkStatus.OK
    assert solution.branch is Branch.POSITIVE
    np.testing.assert_allclose(solution.q / DEG, (-53.99, 60.0), atol=0.02)
    both = PlanarArm(0.3, 0.25, JointLimits(-45 * DEG, 45 * DEG), elbow_only.joint2)
    solution = solve(both, target)
    assert solution.status is IkStatus.JOINT_LIMIT
    assert solution.q is None
    assert [c.limiting_joint for c in solution.candidates] == ["joint1", "joint2"]
    for part in ("joint1", "joint2", "-53.9", "-45.00", "-60.0", "0.00"):
        assert part in solution.message


def test_no_answer_is_ever_outside_its_limits():
    rng = np.random.default_rng(9)
    for _ in range(1500):
        lower = rng.uniform(-7.0, 2.0, 2)
        limits = [JointLimits(a, a + w) for a, w in zip(lower, rng.uniform(0, 9, 2), strict=True)]
        arm = PlanarArm(*rng.uniform(0.1, 1.0, 2), *limits)
        target, seed = rng.uniform(-1.0, 1.0, 2), rng.uniform(-9.0, 9.0, 2)
        solution = solve(arm, target, seed)
        for candidate in solution.candidates:
            inside = all(
                joint.lower <= q <= joint.upper
                for joint, q in zip(arm.joints, candidate.q, strict=True)
            )
            assert candidate.usable == inside
            assert (candidate.limiting_joint == "") == inside
            assert (candidate.limit_margin >= 0.0) == inside
        if solution.status >= 0:
            assert math.dist(arm.forward(solution.q), target) < 1e-12
            assert any(solution.q is c.q and c.usable for c in solution.candidates)


def test_max_joint_step_is_a_hard_promise():
    rng, arm = np.random.default_rng(10), PlanarArm(0.3, 0.2, FREE, JointLimits(-3.0, 3.0))
    refused = 0
    for q in rng.uniform(-3.0, 3.0, (500, 2)):
        seed = q + rng.normal(size=2)
        solution = solve(arm, arm.forward(q), seed, max_joint_step=0.5)
        if solution.status >= 0:
            assert np.abs(solution.q - seed).max() <= 0.5
        else:
            refused += 1
            assert solution.status in (IkStatus.JOINT_STEP, IkStatus.JOINT_LIMIT)
    assert 100 < refused < 500


def test_a_forced_flip_breaks_the_joint_step_with_its_numbers():
    arm = PlanarArm(0.30, 0.25)
    first = solve(arm, (0.40, -0.10), rule="positive")
    second = solve(arm, (0.40, 0.0), first.q, "positive", max_joint_step=0.5)
    flipped = solve(arm, (0.40, 0.10), second.q, "negative", max_joint_step=0.5)
    assert second.q[0] - first.q[0] == pytest.approx(0.217, abs=1e-3)
    assert flipped.status is IkStatus.JOINT_STEP
    assert "0.5 rad" in flipped.message
    assert solve(arm, (0.40, 0.10), second.q, max_joint_step=0.5).status is IkStatus.OK


def test_a_joint_step_needs_a_seed():
    solution = solve(ARM, (0.6, 0.0), max_joint_step=0.5)
    assert solution.status is IkStatus.INVALID_INPUT
    assert "max_joint_step needs a seed" in solution.message


def test_singular_begins_at_the_threshold():
    threshold = 0.1
    for q2 in np.linspace(0.0, math.pi, 400):
        sigma_min = ARM.singular_values((0.3, q2))[1]
        if abs(sigma_min - threshold) < 1e-9:
            continue
        solution = solve(ARM, ARM.forward((0.3, q2)), singular_threshold=threshold)
        assert solution.status == (IkStatus.SINGULAR if sigma_min < threshold else IkStatus.OK)
        assert ("singularity" in solution.message) == (sigma_min < threshold)


def test_limits_come_before_steps_and_steps_before_singularity():
    bounded = PlanarArm(0.5, 0.4, JointLimits(-1.0, 1.0))
    behind, stretched = (-0.9, 0.0), (0.9, 0.0)
    near, far = (0.05, 0.0), (0.9, 0.1)
    assert solve(bounded, behind, far, max_joint_step=0.2).status is IkStatus.JOINT_LIMIT
    assert solve(bounded, stretched, far, max_joint_step=0.2).status is IkStatus.JOINT_STEP
    assert solve(bounded, stretched, near, max_joint_step=0.2).status is IkStatus.SINGULAR
    assert solve(bounded, (2.0, 0.0), far, max_joint_step=0.2).status is IkStatus.TOO_FAR
    assert solve(bounded, (math.nan, 0.0)).status is IkStatus.INVALID_INPUT


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"target": (1.0, 2.0, 3.0)}, "target"),
        ({"target": ("a", "b")}, "target"),
        ({"target": 1.0}, "target"),
        ({"seed": (1.0,)}, "seed"),
        ({"max_joint_step": 0.0}, "max_joint_step"),
        ({"max_joint_step": math.nan}, "max_joint_step"),
        ({"singular_threshold": -1.0}, "singular_threshold"),
        ({"singular_threshold": math.nan}, "singular_threshold"),
        ({"boundary_tolerance": -1e-9}, "boundary_tolerance"),
        ({"boundary_tolerance": math.nan}, "boundary_tolerance"),
    ],
)
def test_an_argument_of_the_wrong_shape_or_range_is_named(arguments, named):
    with pytest.raises(PlanarArmError, match=named):
        solve(ARM, **{"target": (0.6, 0.0), **arguments})


def test_targets_may_be_lists_tuples_arrays_and_integers():
    for target in ([0.6, 0.0], (0.6, 0), np.array((0.6, 0.0), dtype=np.float32)):
        assert solve(ARM, target).status is IkStatus.OK


def test_a_seed_many_turns_away_costs_no_exactness():
    arm, rng = PlanarArm(0.5, 0.4, FREE, FREE), np.random.default_rng(11)
    for seed in rng.uniform(-1e6, 1e6, (500, 2)):
        target = rng.uniform(-0.6, 0.6, 2)
        solution = solve(arm, target, seed)
        if solution.status >= 0:
            assert math.dist(arm.forward(solution.q), target) < 1e-9 * arm.outer_radius
            assert np.abs(solution.q - seed).max() < math.pi + 1e-9


@pytest.mark.parametrize("elbow", [0.0, math.pi])
def test_a_straight_or_folded_pose_on_its_shoulder_limit_is_its_own_inverse(elbow):
    for limit in np.linspace(-3.0, 2.9, 60):
        for shoulder in (JointLimits(limit, 3.0), JointLimits(-3.1, limit)):
            arm = PlanarArm(0.5, 0.4, shoulder, JointLimits(0.0, math.pi))
            solution = solve(arm, arm.forward((limit, elbow)), (limit, elbow))
            assert solution.status is IkStatus.SINGULAR
            np.testing.assert_allclose(solution.q, (limit, elbow), atol=1e-9)


def test_options_are_checked_every_time_and_remembered_apart():
    for weights in ([1.0, 2.0], (1.0, 2.0), np.array((1.0, 2.0))):
        assert solve(ARM, (0.6, 0.0), weights=weights).status is IkStatus.OK
    for step in np.linspace(0.1, 3.0, 200):
        solution = solve(ARM, (0.6, 0.0), (0.0, 0.0), max_joint_step=step)
        assert (solution.status is IkStatus.OK) == (step >= 97.19 * DEG)
    for _ in range(2):
        with pytest.raises(PlanarArmError):
            solve(ARM, (0.6, 0.0), rule="")


@pytest.mark.parametrize("arm", [ARM, PlanarArm(0.25, 0.25)])
def test_both_edges_are_singular_whatever_the_threshold(arm):
    for radius in (arm.outer_radius, arm.inner_radius):
        for bearing in np.linspace(-3.0, 3.0, 50):
            target = radius * np.array((math.cos(bearing), math.sin(bearing)))
            assert solve(arm, target, singular_threshold=0.0).status is IkStatus.SINGULAR
            both = solve_batch(arm, [target, (0.3, 0.1)], singular_threshold=0.0)
            assert both.status.tolist() == [[1, 1], [0, 0]]
