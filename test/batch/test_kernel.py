"""The block kernel: forward kinematics, edges, singular test, anything as input."""

import math

import numpy as np
import pytest

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.arm.ring import ring_of
from planar_arm_ik.batch.kernel import BlockKernel
from planar_arm_ik.status import IkStatus

ARMS = [
    PlanarArm(0.5, 0.4),
    PlanarArm(0.2, 0.3),
    PlanarArm(0.25, 0.25),
    PlanarArm(10.0, 1e-3),
    PlanarArm(1e-3, 10.0),
]


def run(arm, targets, threshold=None):
    x, y = (np.ascontiguousarray(column) for column in np.asarray(targets, dtype=float).T)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return BlockKernel(ring_of(arm, threshold), x.size).solve(x, y, *np.empty((3, x.size)))


def both(block):
    return (
        np.stack((block.q1_positive, block.q2), axis=-1),
        np.stack((block.q1_negative, -block.q2), axis=-1),
    )


def random_tips(arm, n=5000, seed=0):
    return arm.forward(np.random.default_rng(seed).uniform(-math.pi, math.pi, (n, 2)))


@pytest.mark.parametrize("arm", ARMS)
def test_both_elbows_of_random_poses_return_to_the_tip(arm):
    tips = random_tips(arm)
    block = run(arm, tips)
    assert block.reach is None
    for q in both(block):
        np.testing.assert_allclose(arm.forward(q), tips, rtol=0, atol=2e-12 * arm.outer_radius)


@pytest.mark.parametrize("arm", ARMS)
def test_angles_lie_in_one_turn_with_half_a_turn_positive(arm):
    bearings = np.linspace(-math.pi, math.pi, 721)
    rings = [arm.forward(np.stack((bearings, np.full(721, q2)), -1)) for q2 in (0, 1, 2, math.pi)]
    block = run(arm, np.concatenate((*rings, -np.abs(random_tips(arm)) * (1.0, 0.0))))
    for q1 in (block.q1_positive, block.q1_negative):
        assert q1.min() > -math.pi + 1e-15
        assert q1.max() <= math.pi
    assert block.q2.min() >= 0.0
    assert block.q2.max() <= math.pi


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("share", [0.01, 0.2, 0.9, 1.1, 30.0])
def test_singular_agrees_with_the_singular_values(arm, share):
    threshold = share * arm.largest_sigma_min
    q2 = np.linspace(-math.pi, math.pi, 2001)
    q = np.stack((np.full(2001, 0.3), q2), axis=-1)
    sigma_min = np.linalg.svd(arm.jacobian(q), compute_uv=False)[:, 1]
    clear = np.abs(sigma_min - threshold) > 1e-9 * arm.largest_sigma_min
    block = run(arm, arm.forward(q), threshold)
    np.testing.assert_array_equal(block.singular[clear], (sigma_min < threshold)[clear])


@pytest.mark.parametrize("arm", ARMS)
def test_the_determinant_and_the_radius_come_with_it(arm):
    q = np.random.default_rng(1).uniform(-math.pi, math.pi, (500, 2))
    block = run(arm, arm.forward(q))
    scale = arm.outer_radius**2
    determinant = np.abs(np.linalg.det(arm.jacobian(q)))
    np.testing.assert_allclose(block.two_det, 2.0 * determinant, atol=1e-7 * scale)
    np.testing.assert_allclose(block.r_squared, (arm.forward(q) ** 2).sum(-1), rtol=1e-15)


def test_every_kind_of_miss_has_its_status():
    nan, inf, huge = math.nan, math.inf, 1e308
    targets = [(0.6, 0), (0.91, 0), (0, 0.05), (nan, 0), (0, inf), (-inf, nan), (huge, huge)]
    block = run(ARMS[0], targets)
    assert block.reach.tolist() == [0, -1, -2, -6, -6, -6, -1]
    assert block.reach[3] == IkStatus.INVALID_INPUT


def test_the_shoulder_of_a_folded_arm_is_free():
    block = run(ARMS[2], [(0.0, 0.0), (1e-12, -1e-12), (1e-3, 0.0)])
    assert block.free.tolist() == [True, True, False]
    assert block.q1_positive[:2].tolist() == block.q1_negative[:2].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(block.q2[:2], math.pi, atol=1e-11)
    assert run(ARMS[0], [(0.6, 0.0)]).free is None


def test_an_empty_block_is_answered():
    block = run(ARMS[2], np.empty((0, 2)))
    assert block.q2.size == 0
    assert block.reach is None
