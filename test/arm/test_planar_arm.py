"""Geometry of the arm: forward kinematics, Jacobian, singular values, checks of its numbers."""

import copy
import math
import pickle

import numpy as np
import pytest

from planar_arm_ik import JointLimits, PlanarArm, PlanarArmError, solve

ARMS = [PlanarArm(0.5, 0.4), PlanarArm(0.2, 0.3), PlanarArm(0.25, 0.25), PlanarArm(1.0, 0.01)]


def random_q(n, seed=0):
    return np.random.default_rng(seed).uniform(-math.pi, math.pi, (n, 2))


@pytest.mark.parametrize(
    ("q_deg", "tip"),
    [((0, 0), (0.375, 0)), ((90, -90), (0.150, 0.225)), ((0, 90), (0.225, 0.150))],
)
def test_forward_has_the_zero_and_the_directions_of_the_picture(q_deg, tip):
    np.testing.assert_allclose(PlanarArm(0.225, 0.15).forward(np.radians(q_deg)), tip, atol=1e-15)


@pytest.mark.parametrize("arm", ARMS)
def test_the_elbow_is_l1_from_the_shoulder_and_l2_from_the_tip(arm):
    q = random_q(200)
    elbow, tip = arm.elbow(q), arm.forward(q)
    np.testing.assert_allclose(np.hypot(*elbow.T), arm.l1, rtol=1e-14)
    np.testing.assert_allclose(np.hypot(*(tip - elbow).T), arm.l2, rtol=1e-12)


def test_everything_broadcasts_over_leading_axes():
    arm, q = ARMS[0], random_q(24).reshape(2, 3, 4, 2)
    assert arm.forward(q).shape == arm.elbow(q).shape == (2, 3, 4, 2)
    assert arm.singular_values(q).shape == (2, 3, 4, 2)
    assert arm.jacobian(q).shape == (2, 3, 4, 2, 2)
    np.testing.assert_array_equal(arm.jacobian(q)[1, 2, 3], arm.jacobian(q[1, 2, 3]))
    assert arm.forward(np.empty((0, 2))).shape == (0, 2)


@pytest.mark.parametrize("arm", ARMS)
def test_the_jacobian_equals_central_differences(arm):
    q, h = random_q(200), 1e-6
    for joint in range(2):
        step = h * np.eye(2)[joint]
        slope = (arm.forward(q + step) - arm.forward(q - step)) / (2.0 * h)
        np.testing.assert_allclose(arm.jacobian(q)[..., joint], slope, atol=1e-9)


@pytest.mark.parametrize("arm", ARMS)
def test_singular_values_equal_those_of_numpy(arm):
    q = np.concatenate((random_q(300), [(0.3, 0.0), (0.1, math.pi), (2.0, 1e-9), (1, -1e-6)]))
    expected = np.linalg.svd(arm.jacobian(q), compute_uv=False)
    np.testing.assert_allclose(arm.singular_values(q), expected, atol=1e-15, rtol=1e-9)


def test_sigma_min_near_the_singularity_has_no_cancellation():
    arm = PlanarArm(0.5, 0.4)
    sigma_min = arm.singular_values((0.0, 1e-12))[1]
    assert sigma_min == pytest.approx(0.2e-12 / math.hypot(0.9, 0.4), rel=1e-9)


@pytest.mark.parametrize("arm", ARMS)
def test_the_largest_sigma_min_is_that_of_a_sweep(arm):
    sweep = arm.singular_values(np.stack((np.zeros(20001), np.linspace(0, math.pi, 20001)), -1))
    assert sweep[:, 1].max() == pytest.approx(arm.largest_sigma_min, rel=1e-6)


def test_the_default_threshold_is_the_smaller_of_two_shares():
    assert PlanarArm(0.5, 0.4).singular_threshold == pytest.approx(0.045)
    assert PlanarArm(1.0, 0.01).singular_threshold == pytest.approx(0.002)


@pytest.mark.parametrize("length", [0.0, -0.1, math.nan, math.inf, 1e-51, 1e51])
def test_a_link_length_that_is_not_finite_and_positive_is_refused(length):
    with pytest.raises(PlanarArmError, match="link length l2"):
        PlanarArm(0.5, length)


@pytest.mark.parametrize(
    "arguments",
    [
        {"lower": 1.0, "upper": -1.0},
        {"lower": math.nan},
        {"lower": math.inf},
        {"upper": -math.inf},
        {"upper": 2e6},
        {"velocity": 0.0},
        {"acceleration": math.nan},
        {"lower": -1.0, "continuous": True},
    ],
)
def test_limits_that_make_no_sense_are_refused(arguments):
    with pytest.raises(PlanarArmError):
        JointLimits(**arguments)


def test_q_of_the_wrong_shape_is_refused():
    for q in (1.0, (1.0, 2.0, 3.0), np.zeros((2, 3))):
        with pytest.raises(PlanarArmError, match="last axis"):
            PlanarArm(0.5, 0.4).forward(q)


def test_an_arm_that_has_solved_can_be_copied_and_pickled():
    arm = PlanarArm(0.5, 0.4, JointLimits(-1.0, 1.0))
    solve(arm, (0.6, 0.0))
    for copied in (pickle.loads(pickle.dumps(arm)), copy.deepcopy(arm), copy.copy(arm)):
        assert copied == arm
        assert copied.derived == {}
        assert copied.outer_radius == arm.outer_radius
        assert solve(copied, (0.6, 0.0)).status == solve(arm, (0.6, 0.0)).status


def test_an_answer_can_be_copied_and_pickled_and_stays_frozen():
    answer = solve(PlanarArm(0.5, 0.4), (0.6, 0.0))
    for copied in (pickle.loads(pickle.dumps(answer)), copy.deepcopy(answer)):
        np.testing.assert_array_equal(copied.q, answer.q)
        assert [c.branch for c in copied.candidates] == [c.branch for c in answer.candidates]
        with pytest.raises(AttributeError):
            copied.status = 3
    with pytest.raises(AttributeError):
        answer.candidates[0].status = 3
    assert answer._replace(message="other").message == "other"


def test_an_answer_is_equal_to_itself_only():
    answer = solve(PlanarArm(0.5, 0.4), (0.6, 0.0))
    for one in (answer, answer.candidates[0]):
        alike = one._replace()
        assert one != alike
        assert [alike, one].index(one) == 1
        assert len({one, alike, one}) == 2


@pytest.mark.parametrize("value", ["0.3", None, [0.3, 0.4]])
def test_what_is_no_number_is_refused_by_name(value):
    with pytest.raises(PlanarArmError, match="l1"):
        PlanarArm(value, 0.2)
    with pytest.raises(PlanarArmError, match="upper"):
        JointLimits(upper=value)
