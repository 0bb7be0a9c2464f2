"""Random paths against a plain loop over `solve`, against brute force, and sampled finer."""

import itertools
import math

import numpy as np
import pytest

from arms import DEFAULT, SHAPES
from planar_arm_ik import IkStatus, JointLimits, PlanarArm, plan_path, solve
from planar_arm_ik.paths.densify import tip_deviation

TURN = 2.0 * math.pi
RULES = ["nearest", "keep", "positive", "negative", "limit_margin"]


def random_limits(rng):
    kind = rng.integers(6)
    if kind == 0:
        return JointLimits(continuous=True)
    if kind == 1:
        return JointLimits(*sorted(rng.uniform(-3.0, 3.0, 2)))
    if kind == 2:
        return JointLimits(-rng.uniform(3.0, 9.0), rng.uniform(3.0, 9.0))
    if kind == 3:
        return JointLimits(-rng.uniform(1.0, 3.0), math.inf)
    return JointLimits(-2.9, 2.9)


def random_arm(rng):
    l1, l2 = rng.choice([0.3, 0.4, 0.5], 2)
    joint2 = random_limits(rng)
    if not joint2.unbounded and joint2.upper - joint2.lower >= TURN:
        joint2 = JointLimits(-2.9, 2.9)  # else nearest may pass the fold, which a path must not
    return PlanarArm(l1, l2, random_limits(rng), joint2)


def random_path(rng, arm, n):
    """Jumps, walks and spirals of many turns, inside the ring and not only there."""
    reach, hole = arm.outer_radius, arm.inner_radius
    kind = rng.integers(3)
    if kind == 0:
        points = rng.uniform(-reach, reach, (n, 2))
    elif kind == 1:
        points = np.cumsum(rng.normal(0.0, 0.1 * reach, (n, 2)), axis=0)
    else:
        turn = np.cumsum(rng.normal(0.4, 0.2, n)) * rng.choice([-1.0, 1.0])
        radius = rng.uniform(hole, reach) + np.cumsum(rng.normal(0.0, 0.03, n))
        points = radius[:, None] * np.stack((np.cos(turn), np.sin(turn)), axis=1)
    if rng.random() < 0.7:
        radius = np.maximum(np.hypot(*points.T), 1e-9)
        points *= (np.clip(radius, hole + 0.01, reach - 0.01) / radius)[:, None]
    return points


def loop(arm, points, start, rule, max_step, allow):
    """The plain loop: index of the first failure (-1), angles."""
    seed, rows, branch = start, [], 0
    for index, point in enumerate(points):
        answer = solve(arm, point, seed, rule)
        if answer.status < 0:
            return index, rows
        if rows and answer.branch != branch and not allow:
            return index, rows
        if rows and np.abs(answer.q - rows[-1]).max() > max_step:
            return index, rows
        rows.append(answer.q)
        seed, branch = answer.q, answer.branch
    return -1, rows


def check_greedy(count, seed):
    rng = np.random.default_rng(seed)
    accepted = 0
    for _ in range(count):
        arm = random_arm(rng)
        points = random_path(rng, arm, int(rng.integers(1, 25)))
        start = rng.uniform(-9.0, 9.0, 2)
        rule, allow = str(rng.choice(RULES)), bool(rng.random() < 0.5)
        # Changing elbows for ever, a shoulder with one bound may leave the turns that are listed.
        allow &= not math.isinf(arm.joint1.upper) or arm.joint1.unbounded
        max_step = float(rng.choice([math.inf, 1.0, 2.0]))
        failed, rows = loop(arm, points, start, rule, max_step, allow)
        plan = plan_path(
            arm, points, start, rule, max_joint_step=max_step, allow_branch_switch=allow
        )
        case = f"{arm} {points.tolist()} {start.tolist()} {rule} {max_step} {allow}"
        assert plan.failed_index == failed, case
        if failed < 0:
            accepted += 1
            np.testing.assert_allclose(plan.q, rows, rtol=0.0, atol=1e-9, err_msg=case)
            largest = np.abs(np.diff(rows, axis=0)).max(initial=0.0)
            assert plan.largest_step == pytest.approx(largest, abs=1e-9)
        else:
            assert plan.status < 0
            assert plan.message
            assert 0.0 <= plan.fraction <= 1.0
            assert len(plan.q) == 0
    assert accepted > count / 8


def test_greedy_is_the_plain_loop_on_random_paths():
    check_greedy(300, 5)


@pytest.mark.faults
def test_greedy_is_the_plain_loop_on_ten_thousand_paths():
    check_greedy(10_000, 6)


def brute_force(arm, points, max_step):
    """Best (largest, total) over all branches, for joints narrower than a turn or unbounded."""
    layers = []
    for point in points:
        both = solve(arm, point).candidates
        layers.append([candidate.q for candidate in both if candidate.usable])
    if not all(layers):
        return None
    best = None
    for way in itertools.product(*layers):
        moved = np.diff(way, axis=0)
        for axis, joint in enumerate(arm.joints):
            if joint.unbounded:
                moved[:, axis] -= TURN * np.round(moved[:, axis] / TURN)
        steps = np.abs(moved).max(axis=1)
        if (steps > max_step).any():
            continue
        key = (steps.max(initial=0.0), steps.sum())
        if best is None or key[0] < best[0] - 1e-12 or (key[0] <= best[0] + 1e-12 and key < best):
            best = key
    return best


def check_global(count, seed):
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(count):
        arm = random_arm(rng)
        if any(not j.unbounded and j.upper - j.lower >= TURN for j in arm.joints):
            arm = DEFAULT
        points = random_path(rng, arm, int(rng.integers(1, 8)))
        max_step = float(rng.choice([math.inf, 2.0]))
        best = brute_force(arm, points, max_step)
        plan = plan_path(
            arm, points, search="global", max_joint_step=max_step, allow_branch_switch=True
        )
        assert plan.ok == (best is not None), f"{arm} {points.tolist()} {plan.message}"
        if best is None:
            continue
        found += 1
        steps = np.abs(np.diff(plan.q, axis=0)).max(axis=1, initial=0.0)
        assert steps.max(initial=0.0) == pytest.approx(best[0], abs=1e-9)
        assert steps.sum() == pytest.approx(best[1], abs=1e-9)
    assert found > count / 4


def test_global_is_brute_force_over_all_branches():
    check_global(150, 7)


@pytest.mark.faults
def test_global_is_brute_force_on_ten_thousand_paths():
    check_global(10_000, 8)


def check_finer(count, seed, obstacles):
    """Sample accepted paths ten times finer: limits, steps, lines and shapes hold in between."""
    rng = np.random.default_rng(seed)
    accepted = 0
    for _ in range(count):
        arm = DEFAULT if obstacles else random_arm(rng)
        points = random_path(rng, arm, int(rng.integers(2, 12)))
        search, tolerance = str(rng.choice(["greedy", "global"])), 10.0 ** rng.uniform(-5, -2)
        allow = bool(rng.random() < 0.3)
        plan = plan_path(
            arm,
            points,
            search=search,
            max_joint_step=2.5,
            line_tolerance=tolerance,
            allow_branch_switch=allow,
            obstacles=obstacles,
        )
        if not plan.ok:
            continue
        accepted += 1
        q = np.concatenate([np.linspace(a, b, 11) for a, b in itertools.pairwise(plan.q)])
        for axis, joint in enumerate(arm.joints):
            assert q[:, axis].min() >= joint.lower - 1e-9
            assert q[:, axis].max() <= joint.upper + 1e-9
        tips, line = arm.forward(q), np.repeat(plan.waypoint_index[:-1], 11)
        begin, along = points[line], np.diff(points, axis=0, append=points[-1:])[line]
        square = np.maximum(np.einsum("ij,ij->i", along, along), 1e-300)
        t = np.clip(np.einsum("ij,ij->i", tips - begin, along) / square, 0.0, 1.0)
        off = np.hypot(*(tips - begin - t[:, None] * along).T)
        assert off.max() <= tolerance * (1.0 + 1e-9) + 1e-12, f"{arm} {points.tolist()}"
        rows = np.flatnonzero(np.diff(plan.waypoint_index, prepend=-1))
        assert np.abs(np.diff(plan.q[rows], axis=0)).max() <= 2.5
        np.testing.assert_allclose(arm.forward(plan.q[rows]), points, atol=1e-9)
        assert (tip_deviation(arm, np.diff(plan.q, axis=0)) <= tolerance * (1 + 1e-9)).all()
        if obstacles is not None:
            assert obstacles.clearance(arm, q).min() > -1e-9
    assert accepted > count / (40 if obstacles else 20)


def test_accepted_lines_hold_when_sampled_finer():
    check_finer(150, 9, None)


def test_accepted_lines_keep_out_of_the_shapes():
    check_finer(100, 10, SHAPES)


@pytest.mark.faults
def test_ten_thousand_accepted_lines_hold_when_sampled_finer():
    check_finer(9_000, 11, None)
    check_finer(1_000, 12, SHAPES)


def test_every_refusal_is_a_status_and_never_nan():
    rng = np.random.default_rng(13)
    for _ in range(100):
        arm = random_arm(rng)
        plan = plan_path(arm, random_path(rng, arm, 12), line_tolerance=1e-3, search="global")
        assert isinstance(plan.status, IkStatus)
        assert np.isfinite(plan.q).all()
        assert math.isfinite(plan.fraction)
