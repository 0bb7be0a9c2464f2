"""Refusals say the cause, the numbers, and what would do."""

import math

import pytest

from planar_arm_ik import IkStatus, JointLimits, PlanarArm, solve

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
