"""The rules that choose an elbow, and the worked arc that shows where they differ."""

import json
import math

import numpy as np
import pytest

from places import DATA
from planar_arm_ik import Branch, IkStatus, JointLimits, PlanarArm, PlanarArmError, solve
from planar_arm_ik.inverse.branches import Rule, branch_of, metric_distance

ARC = json.loads((DATA / "branch_arc.json").read_text())
LIMITS = [JointLimits(*np.radians(pair)) for pair in ARC["limits_deg"]]
ARM = PlanarArm(*ARC["link_lengths"], *LIMITS)
RULES = [rule.value for rule in Rule]


def follow(points, rule, seed=None):
    """Angles and branches along points, each seeded by the last."""
    solutions = []
    for point in points:
        solutions.append(solve(ARM, point, seed, rule))
        seed = solutions[-1].q
    return np.array([s.q for s in solutions]), [int(s.branch) for s in solutions]


def arc(step, count):
    bearing = step * (np.arange(count) - count // 2)
    return 0.6 * np.stack((np.cos(bearing), np.sin(bearing)), axis=-1)


def test_the_arc_has_the_known_candidates_to_twelve_digits():
    for point in ARC["points"]:
        positive, negative = solve(ARM, (point["x"], point["y"])).candidates
        np.testing.assert_allclose(positive.q, point["positive"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(negative.q, point["negative"], rtol=0, atol=1e-12)
        assert max(positive.position_error, negative.position_error) < 1e-12


def test_min_shoulder_jumps_where_the_arc_crosses_the_axis():
    points = [(point["x"], point["y"]) for point in ARC["points"]]
    q, branches = follow(points, "min_shoulder")
    steps = np.abs(np.diff(q, axis=0))
    known = ARC["min_shoulder_rule"]
    assert branches == known["branches"]
    assert steps.max(axis=1).argmax() == known["largest_transition"]["from_index"]
    np.testing.assert_allclose(
        steps[14], known["largest_transition"]["joint_step_rad"], atol=1e-12
    )


def test_nearest_stays_on_its_elbow_along_the_arc():
    points = [(point["x"], point["y"]) for point in ARC["points"]]
    start = ARC["points"][0]["negative"]
    q, branches = follow(points, "nearest", start)
    assert branches == ARC["nearest_rule"]["branches"]
    steps = np.degrees(np.abs(np.diff(q, axis=0))).max(axis=0)
    np.testing.assert_allclose(
        steps, ARC["nearest_rule"]["largest_transition"]["joint_step_deg"], atol=1e-9
    )


def test_the_tie_straight_ahead_goes_to_the_positive_branch():
    for rule in ("nearest", "min_shoulder"):
        assert solve(ARM, (0.6, 0.0), rule=rule).branch is Branch.POSITIVE


@pytest.mark.parametrize("case", ARC["densified_min_shoulder"])
def test_smaller_steps_do_not_make_the_jump_smaller(case):
    q, _ = follow(arc(case["tip_distance"] / 0.6, 31), "min_shoulder")
    largest = np.degrees(np.abs(np.diff(q, axis=0))).max(axis=0)
    assert largest[1] == pytest.approx(case["joint_step_deg"][1], abs=1e-6)
    assert largest[0] > 77.0


def test_l2_and_linf_disagree_on_the_known_pair_and_keep_does_not_flip():
    arm, seed, target = PlanarArm(0.3, 0.2), (0.146373, 1.376015), (-0.404672, -0.064157)
    l2 = solve(arm, target, seed, metric="l2")
    linf = solve(arm, target, seed, metric="linf")
    assert (l2.branch, linf.branch) == (Branch.POSITIVE, Branch.NEGATIVE)
    np.testing.assert_allclose(l2.q - seed, (2.671, -0.126), atol=1e-3)
    np.testing.assert_allclose(linf.q - seed, (-2.649, -2.626), atol=1e-3)
    assert solve(arm, target, seed, "keep", metric="linf").branch is Branch.POSITIVE


def test_l2_and_linf_disagree_for_one_random_seed_in_ten():
    arm, rng = PlanarArm(0.3, 0.2), np.random.default_rng(6)
    poses, seeds = rng.uniform(-math.pi, math.pi, (2, 4000, 2))
    flips = [
        solve(arm, tip, seed).branch != solve(arm, tip, seed, metric="linf").branch
        for tip, seed in zip(arm.forward(poses), seeds, strict=True)
    ]
    assert 0.08 < np.mean(flips) < 0.12


@pytest.mark.parametrize("metric", ["l2", "l1", "linf"])
def test_nearest_has_the_smallest_weighted_distance(metric):
    arm, rng, weights = PlanarArm(0.4, 0.5), np.random.default_rng(7), (3.0, 0.5)
    order = {"l1": 1, "l2": 2, "linf": np.inf}[metric]
    for q, seed in rng.uniform(-math.pi, math.pi, (300, 2, 2)):
        solution = solve(arm, arm.forward(q), seed, metric=metric, weights=weights)
        by_hand = [
            np.linalg.norm(np.multiply(weights, c.q - seed), order) for c in solution.candidates
        ]
        assert [c.distance for c in solution.candidates] == pytest.approx(by_hand)
        assert solution.branch == (1 if by_hand[0] <= by_hand[1] + 1e-12 else -1)


def test_limit_margin_takes_the_pose_farthest_from_its_limits():
    rng = np.random.default_rng(8)
    for q in rng.uniform(-2.0, 2.0, (300, 2)):
        solution = solve(ARM, ARM.forward(q), rule="limit_margin")
        margins = [
            min(c.q[0] - LIMITS[0].lower, LIMITS[0].upper - c.q[0],
                c.q[1] - LIMITS[1].lower, LIMITS[1].upper - c.q[1])
            for c in solution.candidates
        ]  # fmt: skip
        assert [c.limit_margin for c in solution.candidates] == pytest.approx(margins)
        assert solution.branch == (1 if margins[0] >= margins[1] - 1e-12 else -1)


def test_a_rule_for_one_branch_never_gives_the_other():
    for rule, branch in (("positive", Branch.POSITIVE), ("negative", Branch.NEGATIVE)):
        for point in arc(0.3, 21):
            solution = solve(ARM, point, rule=rule)
            assert solution.branch in (branch, Branch.NONE)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_chooses_among_usable_candidates_only(rule):
    one_sided = PlanarArm(0.5, 0.4, joint2=JointLimits(-2.6, 0.0))
    solution = solve(one_sided, (0.6, 0.1), (0.3, -0.4), rule)
    if rule == "positive":
        assert solution.status is IkStatus.JOINT_LIMIT
        assert solution.q is None
    else:
        assert solution.branch is Branch.NEGATIVE


def test_keep_is_refused_as_unavailable_when_only_the_other_elbow_would_do():
    one_sided = PlanarArm(0.5, 0.4, joint2=JointLimits(-2.6, 0.3))
    solution = solve(one_sided, (0.6, 0.1), (0.3, 0.2), "keep")
    assert solution.status is IkStatus.BRANCH_UNAVAILABLE
    assert "negative branch would do" in solution.message


def test_keep_without_a_seed_is_invalid_input():
    solution = solve(ARM, (0.6, 0.0), rule="keep")
    assert solution.status is IkStatus.INVALID_INPUT
    assert "keep needs a seed" in solution.message


def test_the_branch_of_a_pose_is_the_sign_of_sin_q2():
    assert branch_of(0.5) is branch_of(0.5 - 2 * math.pi) is Branch.POSITIVE
    assert branch_of(-0.5) is branch_of(4.0) is Branch.NEGATIVE
    assert branch_of(0.0) is branch_of(math.pi) is branch_of(-math.pi) is Branch.NONE


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"rule": "elbow_up"}, "elbow_up"),
        ({"metric": "l3"}, "l3"),
        ({"weights": (1.0, 0.0)}, "weights"),
        ({"weights": (1.0, math.nan)}, "weights"),
        ({"weights": (1.0,)}, "weights"),
        ({"weights": (1.0, 1.0, 1.0)}, "weights"),
    ],
)
def test_a_rule_or_metric_nobody_knows_is_refused_with_its_name(arguments, named):
    with pytest.raises(PlanarArmError, match=named):
        solve(ARM, (0.6, 0.0), **arguments)


def test_metric_distances_are_norms():
    assert metric_distance("l2", (1.0, 1.0))(3.0, -4.0) == 5.0
    assert metric_distance("l1", (2.0, 1.0))(3.0, -4.0) == 10.0
    assert metric_distance("linf", (1.0, 0.5))(3.0, -4.0) == 3.0
