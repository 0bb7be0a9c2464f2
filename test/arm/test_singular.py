import math

import numpy as np
import pytest

from arms import ALL
from planar_arm_ik.arm.singular import decompose

EDGES = [0.0, 1e-9, -1e-9, 1e-3, math.pi, math.pi - 1e-9, -math.pi, 2.0 * math.pi]


def parts(now):
    j1x, j1y, j2x, j2y, ux, uy, vx, vy, sigma1, sigma2 = now
    U = np.array([[ux, -uy], [uy, ux]])
    V = np.array([[vx, -vy], [vy, vx]])
    J = np.array([[j1x, j2x], [j1y, j2y]])
    return U, np.diag([sigma1, sigma2]), V, J


def poses(seed, count):
    rng = np.random.default_rng(seed)
    for arm in ALL:
        for q in rng.uniform(-7.0, 7.0, (count, 2)):
            yield arm, q
        for q2 in EDGES:
            yield arm, np.array((0.7, q2))


def test_the_parts_multiply_to_the_jacobian():
    for arm, q in poses(1, 200):
        U, S, V, J = parts(decompose(arm.l1, arm.l2, *q))
        np.testing.assert_allclose(J, arm.jacobian(q), atol=1e-14)
        np.testing.assert_allclose(U @ S @ V.T, J, atol=1e-14)


def test_both_factors_are_rotations():
    for arm, q in poses(2, 200):
        U, _, V, _ = parts(decompose(arm.l1, arm.l2, *q))
        for R in (U, V):
            np.testing.assert_allclose(R @ R.T, np.eye(2), atol=1e-14)
            assert np.linalg.det(R) == pytest.approx(1.0)


def test_singular_values_agree_with_numpy_and_the_sign_is_the_branch():
    for arm, q in poses(3, 200):
        *_, sigma1, sigma2 = decompose(arm.l1, arm.l2, *q)
        expected = np.linalg.svd(arm.jacobian(q), compute_uv=False)
        assert [sigma1, abs(sigma2)] == pytest.approx(expected.tolist(), abs=1e-14)
        assert math.copysign(1.0, sigma2) == math.copysign(1.0, math.sin(q[1]))


def test_the_small_singular_value_keeps_its_digits_near_stretch():
    for arm in ALL:
        *_, sigma2 = decompose(arm.l1, arm.l2, 0.3, 1e-9)
        sigma_max = math.hypot(arm.l1 + arm.l2, arm.l2)
        assert sigma2 == pytest.approx(arm.l1 * arm.l2 * 1e-9 / sigma_max, rel=1e-12)
