import json
import math

import numpy as np
import pytest

from places import DATA
from planar_arm_ik import JointLimits, PlanarArm, PlanarArmError
from planar_arm_ik.following.differential import damped_step

TABLE = json.loads((DATA / "dls_table.json").read_text())
ARMS = [PlanarArm(0.5, 0.4), PlanarArm(0.3, 0.5), PlanarArm(0.4, 0.4)]


def random_cases(seed, count):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        arm = ARMS[rng.integers(len(ARMS))]
        yield arm, rng.uniform(-math.pi, math.pi, 2), rng.normal(size=2), rng.uniform(1e-3, 0.2)


@pytest.mark.parametrize(
    "row", TABLE["rows"], ids=lambda row: f"{row['q2_deg']:g}deg-{row['damping']:g}"
)
def test_every_row_of_the_damping_table_is_met_to_1e_12(row):
    arm = PlanarArm(*TABLE["link_lengths"])
    q = (0.0, math.radians(row["q2_deg"]))
    step = damped_step(arm, q, TABLE["tip_velocity"], row["damping"])
    np.testing.assert_allclose(step.joint_velocity, row["joint_velocity"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(step.achieved, row["achieved"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(step.residual, row["residual"], rtol=0, atol=1e-12)
    assert np.linalg.norm(step.joint_velocity) == pytest.approx(row["joint_speed"], abs=1e-12)
    assert np.linalg.norm(step.residual) == pytest.approx(row["residual_norm"], abs=1e-12)
    assert [step.sigma_max, step.sigma_min] == pytest.approx(row["singular_values"], abs=1e-12)


def test_the_jacobian_agrees_with_central_differences():
    h = 1e-6
    for arm, q, _, _ in random_cases(1, 200):
        columns = [(arm.forward(q + h * e) - arm.forward(q - h * e)) / (2 * h) for e in np.eye(2)]
        np.testing.assert_allclose(arm.jacobian(q), np.transpose(columns), atol=1e-9)


def test_the_damped_answer_satisfies_the_normal_equations():
    for arm, q, v, damping in random_cases(2, 1000):
        J = arm.jacobian(q)
        qd = damped_step(arm, q, v, damping).joint_velocity
        left = (J.T @ J + damping**2 * np.eye(2)) @ qd
        np.testing.assert_allclose(left, J.T @ v, atol=1e-12)


def test_the_joint_speed_never_exceeds_v_over_two_lambda():
    for arm, q, v, damping in random_cases(3, 1000):
        qd = damped_step(arm, q, v, damping).joint_velocity
        assert np.linalg.norm(qd) <= np.linalg.norm(v) / (2 * damping) * (1 + 1e-12)


def test_the_residual_is_asked_minus_achieved_and_achieved_is_j_qd():
    for arm, q, v, damping in random_cases(4, 1000):
        step = damped_step(arm, q, v, damping)
        np.testing.assert_allclose(
            step.achieved, arm.jacobian(q) @ step.joint_velocity, atol=1e-12
        )
        np.testing.assert_array_equal(step.residual, v - step.achieved)


def test_metres_and_millimetres_give_the_same_joint_speed():
    for arm, q, v, damping in random_cases(5, 300):
        for lam in (damping, 0.0):
            metres = damped_step(arm, q, v, lam)
            millimetres = damped_step(PlanarArm(1e3 * arm.l1, 1e3 * arm.l2), q, 1e3 * v, 1e3 * lam)
            np.testing.assert_allclose(
                millimetres.joint_velocity, metres.joint_velocity, rtol=1e-9, atol=1e-12
            )


def test_damping_zero_is_numpys_pseudoinverse():
    for arm, q, v, _ in random_cases(6, 500):
        expected = np.linalg.pinv(arm.jacobian(q), rcond=1e-12) @ v
        step = damped_step(arm, q, v, 0.0)
        np.testing.assert_allclose(step.joint_velocity, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("q2", [0.0, math.pi, -math.pi])
@pytest.mark.parametrize("arm", ARMS, ids=["longer", "shorter", "equal"])
def test_the_pseudoinverse_drops_a_singular_value_that_is_only_rounding(arm, q2):
    step = damped_step(arm, (0.3, q2), (0.1, -0.2), 0.0)
    assert np.linalg.norm(step.joint_velocity) < 10.0
    expected = np.linalg.pinv(arm.jacobian((0.3, q2)), rcond=1e-9) @ (0.1, -0.2)
    np.testing.assert_allclose(step.joint_velocity, expected, atol=1e-12)


def test_a_tool_velocity_at_a_right_angle_by_hand():
    arm = PlanarArm(0.30, 0.25)
    q = np.radians((30.0, 60.0))
    step = damped_step(arm, q, (0.0, 0.05), 0.0)
    np.testing.assert_allclose(step.joint_velocity, (0.19245, -0.30792), atol=1e-5)
    np.testing.assert_allclose(
        damped_step(arm, q, (0.05, 0.0), 0.0).joint_velocity, (0, -0.2), atol=1e-12
    )


def limited_arm(velocity=1.0):
    limits = JointLimits(velocity=velocity)
    return PlanarArm(0.30, 0.25, limits, limits)


def test_scaling_both_joints_keeps_the_direction_of_the_tip():
    step = damped_step(limited_arm(), (0.3, 0.4), (0.3, 0.0), 0.0, velocity_limits="scale")
    assert step.scale == pytest.approx(0.2037, abs=1e-4)
    np.testing.assert_allclose(step.achieved, (0.0611, 0.0), atol=1e-4)
    assert np.abs(step.joint_velocity).max() == pytest.approx(1.0)


def test_projection_finds_the_least_residual_among_allowed_speeds():
    grid = np.linspace(-1.0, 1.0, 201)
    rng = np.random.default_rng(7)
    arm = limited_arm()
    for _ in range(50):
        q, v = rng.uniform(-2.5, 2.5, 2), rng.normal(size=2)
        step = damped_step(arm, q, v, 0.0, velocity_limits="project")
        assert np.abs(step.joint_velocity).max() <= 1.0
        speeds = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
        best = np.linalg.norm(v - speeds @ arm.jacobian(q).T, axis=1).min()
        assert np.linalg.norm(step.residual) <= best + 1e-12


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"q": (0.1, math.nan)}, "q = .* must be finite"),
        ({"q": (0.1,)}, "q has shape"),
        ({"tip_velocity": (math.inf, 0.0)}, "tip_velocity = .* must be finite"),
        ({"tip_velocity": ()}, "tip_velocity has shape"),
        ({"damping": -1.0}, "damping = -1.0 must be finite and not negative"),
        ({"damping": math.nan}, "damping = nan"),
        ({"cutoff": -1.0}, "cutoff = -1.0"),
        ({"velocity_limits": "clip"}, "'clip' is unknown"),
    ],
)
def test_a_bad_argument_is_named_with_its_rule(change, words):
    arguments = {"q": (0.1, 0.2), "tip_velocity": (0.1, 0.0), "damping": 0.01} | change
    with pytest.raises(PlanarArmError, match=words):
        damped_step(ARMS[0], **arguments)
