"""One target and a block of targets: the same bits where the formulas promise them."""

import math

import numpy as np
import pytest

from planar_arm_ik.arm.angles import TURN, margin, within_limits
from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.arm.ring import BOUNDARY_TOLERANCE, ring_of
from planar_arm_ik.batch.block_limits import BlockLimits
from planar_arm_ik.batch.kernel import BlockKernel
from planar_arm_ik.inverse.closed_form import both_branches, reach_status, sigma_min
from planar_arm_ik.inverse.question import ask
from planar_arm_ik.status import IkStatus

FREE = JointLimits(continuous=True)
LENGTHS = [(0.5, 0.4), (0.2, 0.3), (0.25, 0.25), (10.0, 1e-3), (1e-3, 10.0)]
THRESHOLDS = [None, 0.0, 0.1, 0.4]


def sweep(arm, rng):
    """Targets inside, outside, and within some roundings of every edge, shape (n, 2)."""
    edges = np.array((arm.outer_radius, arm.inner_radius))
    steps = np.concatenate((np.arange(-8, 9) * 2.0**-53, (-2e-9, -9e-10, 9e-10, 2e-9)))
    near = (edges[:, None] * (1.0 + steps)).ravel()
    radii = np.concatenate((rng.uniform(0.0, 1.1 * arm.outer_radius, 400), near, near, (0.0,)))
    bearings = rng.uniform(-math.pi, math.pi, radii.size)
    return radii[:, None] * np.stack((np.cos(bearings), np.sin(bearings)), axis=-1)


def run(arm, threshold, targets):
    x, y = (np.ascontiguousarray(column) for column in targets.T)
    return BlockKernel(ring_of(arm, threshold), x.size).solve(x, y, *np.empty((3, x.size)))


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("lengths", LENGTHS)
def test_reach_singularity_and_determinant_have_the_same_bits(lengths, threshold):
    arm = PlanarArm(*lengths, FREE, FREE)
    question = ask(arm, "nearest", math.inf, "l2", (1.0, 1.0), threshold, BOUNDARY_TOLERANCE)
    targets = sweep(arm, np.random.default_rng(40))
    block = run(arm, threshold, targets)
    compared = 0
    for i, (x, y) in enumerate(targets.tolist()):
        squared = x * x + y * y
        assert block.r_squared[i] == squared, (x, y)
        reach = reach_status(question.ring, squared)
        assert block.reach[i] == reach, (x, y)
        if reach is not IkStatus.OK:
            continue
        positive, negative, sigma = both_branches(question, x, y, (0.0, 0.0))
        singular = IkStatus.SINGULAR if block.singular[i] else IkStatus.OK
        assert positive.status is negative.status is singular, (x, y)
        two_det = float(block.two_det[i])
        assert sigma_min(squared + arm.l2 * arm.l2, two_det) == sigma, (x, y)
        compared += 1
    assert 50 < compared < len(targets)


def random_limits(rng):
    kind = rng.integers(4)
    if kind == 0:
        return FREE
    if kind == 1:
        return JointLimits(rng.uniform(-3.0, 0.0), math.inf)
    lower = rng.uniform(-12.0, 3.0) if kind == 2 else rng.uniform(-3.1, 1.0)
    return JointLimits(lower, lower + rng.uniform(0.1, 9.0 if kind == 2 else 2.0))


def test_turns_and_limits_have_the_same_bits():
    rng = np.random.default_rng(41)
    refusals = []
    for _ in range(200):
        limits, n = random_limits(rng), 60
        angles = rng.uniform(-math.pi, math.pi, n)
        angles[:2] = math.pi, 0.0
        for offset, bound in enumerate((limits.lower, limits.upper)):
            if math.isfinite(bound):
                angles[2 + offset] = math.remainder(bound, TURN)
        seeds = rng.uniform(-4.0, 4.0, n) * rng.choice([1.0, 20.0, 2e4])
        expected = [within_limits(*pair, limits) for pair in zip(angles, seeds, strict=True)]
        refused, q = np.zeros(n, dtype=bool), angles.copy()
        BlockLimits(limits, True, n).fit(q, seeds, refused)
        assert refused.tolist() == [margin(angle, limits) < 0.0 for angle in expected], limits
        np.testing.assert_array_equal(q[~refused], np.array(expected)[~refused], str(limits))
        refusals.append(refused.mean())
    assert 0.1 < np.mean(refusals) < 0.9
