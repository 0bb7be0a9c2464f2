"""The worked examples against their reference values."""

import json
import math

import numpy as np
import pytest

from places import DATA
from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.figures import examples

ARC = json.loads((DATA / "branch_arc.json").read_text())
TRAJECTORY = json.loads((DATA / "rr_trajectory.json").read_text())
ARM = PlanarArm(
    *ARC["link_lengths"],
    *(JointLimits(*np.radians(limits).tolist()) for limits in ARC["limits_deg"]),
)


def test_the_arc_is_the_reference_arc():
    points = examples.arc(0.6, examples.arc_directions())
    expected = [(point["x"], point["y"]) for point in ARC["points"]]
    np.testing.assert_allclose(points, expected, atol=1e-15)


@pytest.mark.parametrize("rule", ["min_shoulder", "nearest"])
def test_each_rule_takes_the_reference_branches_and_steps(rule):
    expected = ARC[f"{rule}_rule"]
    plan = examples.follow(ARM, examples.arc(0.6, examples.arc_directions()), rule)
    assert plan.branches.tolist() == expected["branches"]
    steps = np.abs(np.diff(plan.q, axis=0))
    largest = expected["largest_transition"]["joint_step_deg"]
    np.testing.assert_allclose(np.degrees(steps.max(axis=0)), largest, atol=1e-9)
    if rule == "min_shoulder":
        assert steps[:, 1].argmax() == expected["largest_transition"]["from_index"]
    for row, branch, point in zip(plan.q, plan.branches, ARC["points"], strict=True):
        np.testing.assert_allclose(
            row, point["positive" if branch > 0 else "negative"], atol=1e-12
        )


@pytest.mark.parametrize("case", ARC["densified_min_shoulder"])
def test_the_jump_stays_however_small_the_step(case):
    distance, step = examples.jump(ARM, 0.6, case["epsilon"], "min_shoulder")
    assert distance == pytest.approx(case["tip_distance"], abs=1e-15)
    np.testing.assert_allclose(np.degrees(step), case["joint_step_deg"], atol=1e-9)
    _, kept = examples.jump(ARM, 0.6, case["epsilon"], "nearest")
    assert kept[0] == pytest.approx(2.0 * case["epsilon"], abs=1e-12)
    assert kept[1] == pytest.approx(0.0, abs=1e-12)


def test_the_tip_path_is_the_reference_trajectory():
    t, q, tip = examples.tip_path(PlanarArm(*TRAJECTORY["link_lengths"]))
    samples = TRAJECTORY["samples"]
    assert len(samples) == len(t)
    for row, sample in enumerate(samples):
        assert t[row] == pytest.approx(sample["t"], abs=1e-15)
        np.testing.assert_allclose(q[row], sample["q"], atol=1e-15)
        np.testing.assert_allclose(tip[row], sample["tip"], atol=1e-15)


def test_an_example_out_of_reach_is_refused():
    with pytest.raises(PlanarArmError, match="cannot be followed"):
        examples.follow(ARM, examples.arc(5.0, [0.0, 0.1]), "nearest", np.zeros(2))
    with pytest.raises(PlanarArmError, match="not finite at t = 0"):
        examples.tip_path(ARM, "log(t)")
    assert math.isfinite(examples.jump(ARM, 0.6, 1e-12, "nearest")[0])
