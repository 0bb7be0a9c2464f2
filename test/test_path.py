"""Greedy paths: the worked example, and where they are refused."""

import json

import numpy as np
import pytest

from arms import DEFAULT
from planar_arm_ik import IkStatus, PlanarArmError, plan_path
from planar_arm_ik.waypoints import example_arc


@pytest.fixture(scope="module")
def arc(data):
    return json.loads((data / "branch_arc.json").read_text())


@pytest.fixture(scope="module")
def points(arc):
    return np.array([[point["x"], point["y"]] for point in arc["points"]])


def test_the_shipped_arc_is_the_published_one(points):
    np.testing.assert_allclose(example_arc(), points, atol=1e-15)


@pytest.mark.parametrize("rule", ["nearest", "keep"])
def test_a_coherent_rule_moves_by_a_hundredth_of_a_radian(arc, points, rule):
    start = None if rule == "nearest" else arc["points"][0]["negative"]
    plan = plan_path(DEFAULT, points, start, rule)
    assert plan.status is IkStatus.OK
    assert plan.branches.tolist() == arc["nearest_rule"]["branches"]
    wanted = [point["negative"] for point in arc["points"]]
    np.testing.assert_allclose(plan.q, wanted, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(
        plan.largest_step,
        arc["nearest_rule"]["largest_transition"]["joint_step_rad"][0],
        atol=1e-12,
    )


def test_min_shoulder_jumps_between_14_and_15(arc, points):
    plan = plan_path(DEFAULT, points, rule="min_shoulder", allow_branch_switch=True)
    assert plan.branches.tolist() == arc["min_shoulder_rule"]["branches"]
    jump = np.abs(plan.q[15] - plan.q[14])
    wanted = arc["min_shoulder_rule"]["largest_transition"]["joint_step_rad"]
    np.testing.assert_allclose(jump, wanted, atol=1e-12)
    assert plan.largest_step_index == 15
    np.testing.assert_allclose(plan.largest_step, max(wanted), atol=1e-12)


def test_a_switch_of_branch_is_refused_at_its_waypoint(points):
    plan = plan_path(DEFAULT, points, rule="min_shoulder")
    assert (plan.status, plan.failed_index) == (IkStatus.BRANCH_SWITCH, 15)
    assert len(plan.q) == 0
    assert "3.392 rad" in plan.message


def test_a_step_limit_finds_the_jump(points):
    options = {"max_joint_step": 0.5, "allow_branch_switch": True}
    jumping = plan_path(DEFAULT, points, rule="min_shoulder", **options)
    assert (jumping.status, jumping.failed_index) == (IkStatus.JOINT_STEP, 15)
    assert plan_path(DEFAULT, points, rule="nearest", **options).ok


def test_a_line_out_of_reach_names_place_and_fraction():
    line = np.linspace((0.5, 0.0), (0.5, 1.0), 11)
    plan = plan_path(DEFAULT, line)
    assert (plan.status, plan.failed_index) == (IkStatus.TOO_FAR, 8)
    assert plan.fraction == pytest.approx(np.sqrt(0.9**2 - 0.5**2))
    assert "waypoint 8" in plan.message


def test_nan_is_refused_with_its_index():
    plan = plan_path(DEFAULT, [(0.5, 0.0), (0.5, float("nan")), (0.5, 0.1)])
    assert (plan.status, plan.failed_index) == (IkStatus.INVALID_INPUT, 1)


def test_no_waypoints_are_refused_and_odd_shapes_raise():
    assert plan_path(DEFAULT, []).status is IkStatus.INVALID_INPUT
    with pytest.raises(PlanarArmError, match=r"\(N, 2\)"):
        plan_path(DEFAULT, [(0.1, 0.2, 0.3)])
