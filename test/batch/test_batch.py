"""Many targets at once: the answers of the scalar solver, element for element."""

import math
import tracemalloc

import numpy as np
import pytest

from planar_arm_ik import (
    IkStatus,
    JointLimits,
    PlanarArm,
    PlanarArmError,
    choose_batch,
    solve,
    solve_batch,
)
from planar_arm_ik.batch.block import BLOCK
from planar_arm_ik.inverse.branches import Rule

TURN = 2.0 * math.pi
FREE = JointLimits(continuous=True)
DEFAULT = PlanarArm(0.5, 0.4, JointLimits(-2.967, 2.967), JointLimits(-2.618, 2.618))
RULES = [rule.value for rule in Rule]
METRICS = ["l2", "l1", "linf"]


def compare(arm, targets, seed=None, rule="nearest", max_joint_step=math.inf, **options):
    """Hold a batch against the scalar solver."""
    batch = solve_batch(arm, targets, seed, rule, max_joint_step, **options)
    n = len(targets)
    chosen, both = np.full((n, 2), math.nan), np.full((n, 2, 2), math.nan)
    codes = np.empty((n, 4), dtype=int)
    for i, target in enumerate(targets):
        one = seed if seed is None or np.ndim(seed) == 1 else seed[i]
        answer = solve(arm, target, one, rule, max_joint_step, **options)
        codes[i] = (answer.status, answer.branch, answer.status, answer.status)
        if answer.status >= 0:
            chosen[i] = answer.q
        for branch, candidate in enumerate(answer.candidates):
            codes[i, 2 + branch] = candidate.status
            if candidate.usable:
                both[i, branch] = candidate.q
    seen = np.column_stack((batch.chosen.status, batch.chosen.branch, batch.status))
    unlike = np.flatnonzero((seen != codes).any(axis=1))
    assert not unlike.size, (
        f"{arm}, seed {seed}, rule {rule}, step {max_joint_step}, {options}: targets "
        f"{targets[unlike].tolist()} have {seen[unlike].tolist()}, not {codes[unlike].tolist()}"
    )
    np.testing.assert_allclose(batch.q, both, rtol=4e-16, atol=4e-15)
    np.testing.assert_allclose(batch.chosen.q, chosen, rtol=4e-16, atol=4e-15)


def random_limits(rng):
    kind = rng.integers(6)
    if kind == 0:
        return FREE
    if kind == 1:
        return JointLimits()
    if kind == 2:
        return JointLimits(-math.pi, math.pi)
    if kind == 3:
        return JointLimits(rng.uniform(-3.0, 0.0), math.inf)
    lower = rng.uniform(-12.0, 3.0) if kind == 4 else rng.uniform(-3.1, 1.0)
    return JointLimits(lower, lower + rng.uniform(0.1, 9.0 if kind == 4 else 2.0))


def random_arm(rng):
    l1, l2 = rng.choice([0.3, 0.5, 0.08, 1.2], 2)
    return PlanarArm(l1, l2, random_limits(rng), random_limits(rng))


def random_targets(rng, arm, n):
    """Inside, outside, at the edges, at the base, mirrored and unusable targets."""
    bearings = rng.choice([*rng.uniform(-math.pi, math.pi, 8), 0.0, math.pi, -math.pi / 2], n)
    radii = rng.choice(
        [
            *rng.uniform(0.0, 1.2 * arm.outer_radius, 16),
            arm.outer_radius,
            arm.inner_radius,
            arm.outer_radius * (1 + 5e-10),
            0.0,
            1e-12,
        ],
        n,
    )
    targets = radii[:, None] * np.stack((np.cos(bearings), np.sin(bearings)), axis=-1)
    odd = rng.choice([math.nan, math.inf, -math.inf, 1e308, -1e-310, -0.0], (n, 2))
    return np.where(rng.random((n, 2)) < 0.03, odd, targets)


def test_random_questions_get_the_answers_of_the_scalar_solver():
    rng = np.random.default_rng(20)
    for _ in range(150):
        arm = random_arm(rng)
        targets = random_targets(rng, arm, 25)
        seed = None
        if rng.random() < 0.8:
            seed = rng.uniform(-4.0, 4.0, (25, 2) if rng.random() < 0.5 else 2)
            seed = seed * rng.choice([1.0, 20.0, 2e4])
        step = rng.choice([math.inf, 0.5, 3.0]) if seed is not None else math.inf
        weights = tuple(rng.choice([1.0, 0.2, 7.0], 2))
        options = {"metric": str(rng.choice(METRICS)), "weights": weights}
        if rng.random() < 0.3:
            options["singular_threshold"] = float(rng.uniform(0.0, 1.5))
        compare(arm, targets, seed, str(rng.choice(RULES)), step, **options)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("arm", [DEFAULT, PlanarArm(0.25, 0.25, FREE, FREE)])
def test_a_grid_full_of_ties_gets_the_answers_of_the_scalar_solver(arm, rule):
    axis = np.linspace(-1.0, 1.0, 11)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    for seed in (None, (0.0, 0.0), (math.pi, -math.pi), (0.3, -1.2)):
        compare(arm, grid, seed, rule)


def test_seeds_of_many_turns_come_back_in_their_turn():
    arm, rng = PlanarArm(0.5, 0.4, FREE, FREE), np.random.default_rng(21)
    poses = rng.uniform(-math.pi, math.pi, (1000, 2))
    turns = rng.integers(-1000, 1000, (1000, 2)) * TURN
    batch = solve_batch(arm, arm.forward(poses), poses + turns, "nearest")
    np.testing.assert_allclose(batch.chosen.q, poses + turns, atol=2e-5)
    assert (np.abs(batch.chosen.q - poses - turns) < 1e-9).mean() > 0.98


def test_bad_seeds_are_invalid_input_for_their_targets_only():
    seeds = np.array([(0.1, 0.2), (math.nan, 0.0), (0.0, -math.inf), (3e6, 0.0), (0.0, 0.5)])
    batch = solve_batch(DEFAULT, np.tile((0.6, 0.1), (5, 1)), seeds, "keep")
    invalid = IkStatus.INVALID_INPUT
    assert batch.chosen.status.tolist() == [0, invalid, invalid, invalid, 0]
    assert batch.chosen.failed_index == 1
    all_bad = solve_batch(DEFAULT, [(0.6, 0.1)] * 3, (math.nan, 0.0), "nearest")
    assert all_bad.chosen.status.tolist() == [invalid] * 3


@pytest.mark.parametrize("options", [{"rule": "keep"}, {"rule": "nearest", "max_joint_step": 1.0}])
def test_what_needs_a_seed_is_invalid_input_without_one(options):
    batch = solve_batch(DEFAULT, [(0.6, 0.0), (9.0, 9.0)], **options)
    assert (batch.status == IkStatus.INVALID_INPUT).all()
    assert (batch.chosen.status == IkStatus.INVALID_INPUT).all()
    assert np.isnan(batch.q).all()
    assert np.isnan(batch.chosen.q).all()
    assert batch.chosen.branch.tolist() == [0, 0]


def test_blocks_do_not_show_in_the_result():
    targets = np.random.default_rng(22).uniform(-0.9, 0.9, (2 * BLOCK + 777, 2))
    whole = solve_batch(DEFAULT, targets, (0.2, 0.3), "nearest")
    parts = [
        solve_batch(DEFAULT, targets[i : i + 1000], (0.2, 0.3), "nearest")
        for i in range(0, len(targets), 1000)
    ]
    np.testing.assert_array_equal(whole.q, np.concatenate([part.q for part in parts]))
    np.testing.assert_array_equal(
        whole.chosen.q, np.concatenate([part.chosen.q for part in parts])
    )


def test_shapes_types_and_where_nan_stands():
    batch = solve_batch(DEFAULT, [(0.6, 0.0), (2.0, 0.0), (0.0, 0.05)])
    assert batch.q.shape == (3, 2, 2)
    assert batch.status.shape == (3, 2)
    assert batch.status.dtype == np.int8
    assert batch.chosen is None
    assert batch.status.tolist() == [[0, 0], [-1, -1], [-2, -2]]
    assert np.isnan(batch.q).all(axis=-1).tolist() == [[False] * 2, [True] * 2, [True] * 2]
    empty = solve_batch(DEFAULT, np.empty((0, 2)), rule="nearest")
    assert empty.q.shape == (0, 2, 2)
    assert empty.chosen.failed_index == -1


@pytest.mark.parametrize("dtype", [np.float32, np.int64, float])
def test_any_number_type_and_layout_is_taken(dtype):
    targets = np.asfortranarray(np.array([(1, 0), (0, -1), (1, 1)], dtype=dtype))
    arm = PlanarArm(1.0, 0.8)
    expected = solve_batch(arm, [(1.0, 0.0), (0.0, -1.0), (1.0, 1.0)])
    np.testing.assert_array_equal(solve_batch(arm, targets).q, expected.q)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"targets": np.zeros((3, 3))}, r"\(3, 3\)"),
        ({"targets": np.zeros(2)}, r"\(2,\)"),
        ({"targets": [("a", "b")]}, "numbers"),
        ({"seed": np.zeros((5, 2))}, r"\(5, 2\)"),
        ({"seed": "no"}, "seed"),
        ({"rule": "up"}, "up"),
        ({"metric": "l7"}, "l7"),
        ({"max_joint_step": -1.0}, "max_joint_step"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_named(arguments, named):
    with pytest.raises(PlanarArmError, match=named):
        solve_batch(DEFAULT, **{"targets": np.zeros((3, 2)), **arguments})


def test_a_result_can_be_used_again():
    rng = np.random.default_rng(23)
    out = solve_batch(DEFAULT, rng.uniform(-1, 1, (500, 2)), rule="nearest")
    targets = rng.uniform(-1, 1, (500, 2))
    again = solve_batch(DEFAULT, targets, rule="nearest", out=out)
    assert again is out
    np.testing.assert_array_equal(out.q, solve_batch(DEFAULT, targets).q)
    for n, rule in ((499, "nearest"), (500, None)):
        with pytest.raises(PlanarArmError, match="500 targets"):
            solve_batch(DEFAULT, targets[:n], rule=rule, out=out)


def test_progress_is_told_up_to_the_end():
    told = []
    solve_batch(DEFAULT, np.zeros((BLOCK + 5, 2)), progress=lambda *done: told.append(done))
    assert told == [(BLOCK, BLOCK + 5), (BLOCK + 5, BLOCK + 5)]


def test_memory_above_the_result_does_not_grow():
    above = []
    for n in (100_000, 400_000):
        targets = np.random.default_rng(24).uniform(-0.6, 0.6, (n, 2)).astype(np.float32)
        tracemalloc.start()
        batch = solve_batch(DEFAULT, targets, (0.1, 0.2), "nearest")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        chosen = batch.chosen
        result = sum(a.nbytes for a in (batch.q, batch.status, chosen.q))
        above.append(peak - result - chosen.status.nbytes - chosen.branch.nbytes)
    assert max(above) < 8 * 2**20
    assert above[1] < 1.1 * above[0] + 2**16


def test_every_answer_is_a_pose_of_its_target_within_the_limits():
    rng = np.random.default_rng(25)
    for _ in range(20):
        arm = random_arm(rng)
        targets = random_targets(rng, arm, 2000)
        batch = solve_batch(arm, targets, rng.uniform(-9, 9, 2), "nearest")
        for q, status in ((batch.q, batch.status), (batch.chosen.q, batch.chosen.status)):
            usable = status >= 0
            assert np.isfinite(q[usable]).all()
            assert np.isnan(q[~usable]).all()
            goal = np.broadcast_to(targets[:, None] if q.ndim == 3 else targets, q.shape)
            error = arm.forward(q[usable]) - goal[usable]
            assert np.abs(error).max(initial=0.0) < 1.5e-9 * arm.outer_radius
            for joint, angle in zip(arm.joints, np.moveaxis(q[usable], -1, 0), strict=True):
                assert (angle >= joint.lower).all()
                assert (angle <= joint.upper).all()


def test_choosing_alone_chooses_the_same_and_keeps_less():
    targets = np.random.default_rng(26).uniform(-1, 1, (2000, 2))
    batch = solve_batch(DEFAULT, targets, (0.1, 0.2), "keep")
    choice = choose_batch(DEFAULT, *targets.T, (0.1, 0.2), "keep")
    np.testing.assert_array_equal(choice.q, batch.chosen.q)
    np.testing.assert_array_equal(choice.status, batch.chosen.status)
    np.testing.assert_array_equal(choice.branch, batch.chosen.branch)
    unseeded = choose_batch(DEFAULT, *targets.T, rule="keep")
    assert (unseeded.status == IkStatus.INVALID_INPUT).all()
    with pytest.raises(PlanarArmError, match="as long"):
        choose_batch(DEFAULT, [0.1, 0.2], [0.1])
