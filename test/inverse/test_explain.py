"""Refusals say the cause, the numbers, and what would do."""

import math

import pytest

from planar_arm_ik import IkStatus, JointLimits, PlanarArm, solve
from planar_arm_ik.inverse.explain import seed_hint

ARM = PlanarArm(0.5, 0.4, JointLimits(-1.0, 1.0), JointLimits(-2.6, 2.6))


def test_an_answer_without_a_warning_has_no_message():
    assert solve(ARM, (0.6, 0.0)).message == ""


def test_too_far_names_distance_shortfall_and_reach():
    message = solve(ARM, (0.93, 0.0)).message
    for number in ("0.93 m", "0.03 m", "0.9 m"):
        assert number in message


def test_too_close_names_distance_shortfall_and_hole():
    message = solve(ARM, (0.04, 0.0)).message
    for number in ("0.04 m", "0.06 m", "0.1 m"):
        assert number in message


def test_a_limit_names_joint_wanted_value_limit_and_the_other_branch():
    target = ARM.forward((1.2, 1.0))
    solution = solve(ARM, target, rule="positive")
    assert solution.status is IkStatus.JOINT_LIMIT
    for part in ("positive branch", "joint1", "1.2 rad", "(68.75 deg)", "limit of 1 rad"):
        assert part in solution.message
    assert math.isclose(solution.candidates[0].q[0], 1.2, rel_tol=1e-9)


def test_the_message_says_when_the_other_branch_would_do():
    target = ARM.forward((0.9, -1.0))
    solution = solve(PlanarArm(0.5, 0.4, joint2=JointLimits(-2.6, 0.5)), target, rule="positive")
    assert solution.status is IkStatus.JOINT_LIMIT
    assert "the negative branch would do" in solution.message


@pytest.mark.parametrize("target", [(0.9, 0.0), (0.6, 0.67), (0.899, 0.0)])
def test_a_singular_answer_says_how_close(target):
    message = solve(ARM, target).message
    assert "sigma_min" in message
    assert "0.045" in message


@pytest.mark.parametrize(
    ("arm", "target", "words"),
    [
        (PlanarArm(0.08, 0.08), (120.0, 40.0), ("791 times the reach", "millimetres")),
        (PlanarArm(0.5, 0.4), (60.0, 0.0), ("66.7 times the reach", "centimetres")),
        (PlanarArm(300.0, 250.0), (0.3, 0.25), ("link lengths in millimetres",)),
    ],
)
def test_a_target_in_another_unit_gets_a_hint(arm, target, words):
    message = solve(arm, target).message
    for word in words:
        assert word in message


@pytest.mark.parametrize("target", [(1.0, 0.0), (10.0, 0.0), (0.05, 0.0), (1e9, 0.0), (0.0, 0.0)])
def test_a_target_that_is_just_out_of_reach_gets_no_hint(target):
    assert "?" not in solve(ARM, target).message


def test_a_seed_in_degrees_gets_a_hint():
    assert "q1 = 45 rad" in seed_hint(ARM, (45.0, 0.5))
    assert "q2 = -90 rad" in seed_hint(ARM, (0.3, -90.0))
    assert seed_hint(ARM, (0.9, -2.0)) == ""
    assert seed_hint(PlanarArm(0.5, 0.4), (45.0, 90.0)) == ""


@pytest.mark.parametrize("seed", [(2e6, 0.0), (0.0, -1e300)])
def test_a_seed_beyond_the_resolution_of_angles_is_refused(seed):
    solution = solve(PlanarArm(0.5, 0.4), (0.6, 0.0), seed)
    assert solution.status is IkStatus.INVALID_INPUT
    assert "1e+06 rad" in solution.message


def test_a_joint_step_names_the_joint_and_its_step():
    solution = solve(PlanarArm(0.5, 0.4), (0.6, 0.0), (0.0, 0.0), max_joint_step=0.5)
    assert solution.status is IkStatus.JOINT_STEP
    for part in ("1.69612 rad (97.18 deg) of joint2", "max_joint_step = 0.5 rad (28.65 deg)"):
        assert part in solution.message
