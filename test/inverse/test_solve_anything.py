"""Anything as input: no crash, no NaN, and every answer is a pose within its limits."""

import math

import numpy as np
import pytest

from planar_arm_ik import IkStatus, JointLimits, PlanarArm, PlanarArmError, solve, solve_batch
from planar_arm_ik.inverse.branches import METRICS, Rule

ODD = [math.nan, math.inf, -math.inf, 5e-324, -1e-310, 1e308, -1.7e308, 0.0, -0.0, 1e-9, 1e9]


def random_limits(rng):
    kind = rng.integers(5)
    if kind == 0:
        return JointLimits(continuous=True)
    if kind == 1:
        return JointLimits(rng.uniform(-4.0, 0.0), math.inf)
    lower = rng.uniform(-9.0, 3.0)
    return JointLimits(lower, lower + rng.choice([0.0, 1e-12, 1.0, 6.0, 20.0]))


def random_arm(rng):
    l1, l2 = rng.choice([1e-3, 0.08, 0.4, 0.4, 0.5, 10.0], 2)
    return PlanarArm(l1, l2, random_limits(rng), random_limits(rng))


def random_pairs(rng, n, scale):
    """Pairs of every size, some of them odd, some exactly at `scale`."""
    pairs = rng.normal(size=(n, 2)) * scale * 10.0 ** rng.choice([0, 0, 0, 0, -300, 150], (n, 1))
    on_edge = rng.random(n) < 0.2
    pairs[on_edge] *= scale / np.hypot(*pairs[on_edge].T)[:, None]
    odd = rng.random((n, 2)) < 0.05
    pairs[odd] = rng.choice(ODD, odd.sum())
    return pairs


def options(rng, seeded):
    made = {
        "rule": str(rng.choice([rule.value for rule in Rule])),
        "metric": str(rng.choice(METRICS)),
    }
    if seeded and rng.random() < 0.3:
        made["max_joint_step"] = float(10.0 ** rng.uniform(-3, 2))
    if rng.random() < 0.3:
        made["singular_threshold"] = float(10.0 ** rng.uniform(-6, 1))
    return made


def check_pose(arm, q, target, why):
    assert np.isfinite(q).all(), why
    assert math.dist(arm.forward(q), target) <= 1.001e-9 * arm.outer_radius, why
    for joint, angle in zip(arm.joints, q, strict=True):
        assert joint.lower <= angle <= joint.upper, why


def check_scalar(arm, target, seed, chosen):
    why = f"{arm}, target {tuple(target)}, seed {seed}, {chosen}"
    answer = solve(arm, target, seed, **chosen)
    if not np.isfinite(target).all() or (seed is not None and not np.isfinite(seed).all()):
        assert answer.status is IkStatus.INVALID_INPUT, why
    numbers = [answer.shortfall, answer.sigma_min, *(answer.nearest_point or ())]
    numbers += [number for c in answer.candidates for number in (*c.q, c.position_error)]
    assert np.isfinite(numbers).all(), why
    assert not any(math.isnan(c.distance) or math.isnan(c.limit_margin) for c in answer.candidates)
    assert bool(answer.message) == (answer.status is not IkStatus.OK), why
    assert (answer.q is not None) == (answer.status >= 0), why
    if answer.q is not None:
        check_pose(arm, answer.q, target, why)
        if seed is not None and "max_joint_step" in chosen:
            assert np.abs(answer.q - seed).max() <= chosen["max_joint_step"], why


def check_batch(arm, targets, seeds, chosen):
    batch = solve_batch(arm, targets, seeds, **chosen)
    for q, status, goal in (
        (batch.q, batch.status, np.repeat(targets[:, None], 2, axis=1)),
        (batch.chosen.q, batch.chosen.status, targets),
    ):
        usable = status >= 0
        assert np.isnan(q[~usable]).all(), arm
        error = np.hypot(*np.moveaxis(arm.forward(q[usable]) - goal[usable], -1, 0))
        assert error.max(initial=0.0) <= 1.001e-9 * arm.outer_radius, arm
        for joint, angle in zip(arm.joints, np.moveaxis(q[usable], -1, 0), strict=True):
            assert ((joint.lower <= angle) & (angle <= joint.upper)).all(), arm


def sweep(seed, arms, one_by_one, at_once):
    rng = np.random.default_rng(seed)
    for _ in range(arms):
        arm = random_arm(rng)
        seeded = rng.random() < 0.7
        targets = random_pairs(rng, one_by_one + at_once, arm.outer_radius)
        seeds = random_pairs(rng, one_by_one + at_once, 10.0) if seeded else None
        chosen = options(rng, seeded)
        for i in range(one_by_one):
            check_scalar(arm, targets[i], seeds[i] if seeded else None, chosen)
        rest = slice(one_by_one, None)
        check_batch(arm, targets[rest], seeds[rest] if seeded else None, chosen)


def test_anything_has_a_status_and_every_answer_is_a_pose():
    sweep(40, arms=60, one_by_one=20, at_once=500)


@pytest.mark.faults
def test_a_million_of_anything_has_a_status_and_every_answer_is_a_pose():
    sweep(41, arms=2000, one_by_one=150, at_once=350)


@pytest.mark.parametrize(
    "junk",
    [
        None,
        "",
        "ab",
        "12",
        ("0.6", "0"),
        [],
        [1],
        [1, 2, 3],
        {"x": 1},
        object(),
        [[1, 2]],
        [1, None],
    ],
)
def test_what_is_no_pair_of_numbers_is_refused_with_its_value(junk):
    arm = PlanarArm(0.5, 0.4)
    with pytest.raises(PlanarArmError, match="target"):
        solve(arm, junk)
    if junk is not None:
        with pytest.raises(PlanarArmError, match="seed"):
            solve(arm, (0.6, 0.0), junk)
