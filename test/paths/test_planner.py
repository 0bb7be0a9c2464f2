"""Paths: the worked example, what reports say, and where and why paths are refused."""

import json
import math

import numpy as np
import pytest

from arms import DEFAULT, EQUAL, LONG_FIRST, SHAPES
from planar_arm_ik import IkStatus, JointLimits, PlanarArm, PlanarArmError, plan_path
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle
from planar_arm_ik.paths.densify import densify_points
from planar_arm_ik.paths.waypoints import example_arc


@pytest.fixture(scope="module")
def arc(data):
    return json.loads((data / "branch_arc.json").read_text())


@pytest.fixture(scope="module")
def points(arc):
    return np.array([[point["x"], point["y"]] for point in arc["points"]])


def test_the_shipped_arc_is_the_published_one(points):
    np.testing.assert_allclose(example_arc(), points, atol=1e-15)


@pytest.mark.parametrize("options", [{}, {"rule": "keep"}, {"search": "global"}], ids=str)
def test_coherent_choices_move_by_a_hundredth_of_a_radian(arc, points, options):
    start = arc["points"][0]["negative"]
    plan = plan_path(DEFAULT, points, start, max_joint_step=0.5, **options)
    assert plan.status is IkStatus.OK
    assert plan.branches.tolist() == arc["nearest_rule"]["branches"]
    wanted = [point["negative"] for point in arc["points"]]
    np.testing.assert_allclose(plan.q, wanted, rtol=0.0, atol=1e-12)
    assert math.degrees(plan.largest_step) == pytest.approx(0.573, abs=5e-4)
    assert plan.largest_step_tip == pytest.approx(0.006, abs=1e-5)
    assert plan.jumps.size == 0
    assert plan.waypoint_index.tolist() == list(range(31))


def test_min_shoulder_jumps_between_14_and_15(arc, points):
    plan = plan_path(DEFAULT, points, rule="min_shoulder", allow_branch_switch=True)
    assert plan.branches.tolist() == arc["min_shoulder_rule"]["branches"]
    jump = np.abs(plan.q[15] - plan.q[14])
    wanted = arc["min_shoulder_rule"]["largest_transition"]["joint_step_rad"]
    np.testing.assert_allclose(jump, wanted, atol=1e-12)
    np.testing.assert_allclose(np.degrees(jump), [82.246, 194.362], atol=5e-4)
    assert (plan.largest_step_index, plan.jumps.tolist()) == (15, [15])
    np.testing.assert_allclose(plan.largest_step, max(wanted), atol=1e-12)


def test_the_jump_stays_when_the_path_is_densified(points):
    dense, _ = densify_points(points, 0.0005)
    assert len(dense) > 300
    plan = plan_path(DEFAULT, dense, rule="min_shoulder", allow_branch_switch=True)
    assert math.degrees(plan.largest_step) == pytest.approx(194.362, abs=0.01)
    assert len(plan.jumps) == 1


def test_a_switch_of_branch_is_refused_at_its_waypoint(points):
    plan = plan_path(DEFAULT, points, rule="min_shoulder")
    assert (plan.status, plan.failed_index) == (IkStatus.BRANCH_SWITCH, 15)
    assert len(plan.q) == 0
    assert "3.392 rad (194.4 deg)" in plan.message


def test_a_step_limit_finds_the_jump(points):
    options = {"max_joint_step": 0.5, "allow_branch_switch": True}
    jumping = plan_path(DEFAULT, points, rule="min_shoulder", **options)
    assert (jumping.status, jumping.failed_index) == (IkStatus.JOINT_STEP, 15)
    assert math.degrees(jumping.largest_step) == pytest.approx(194.362, abs=1e-3)
    assert plan_path(DEFAULT, points, rule="nearest", **options).ok


def test_the_step_limit_counts_from_waypoint_to_waypoint_in_radians():
    three = [(0.4, -0.1), (0.4, 0.0), (0.4, 0.1)]
    plan = plan_path(LONG_FIRST, three, rule="positive", max_joint_step=0.5)
    np.testing.assert_allclose(np.diff(plan.q[:, 0]), [0.2146, 0.2753], atol=1e-3)
    assert plan_path(LONG_FIRST, three[:2], rule="positive", max_joint_step=0.2).failed_index == 1
    # The approach from the start is no step.
    far = plan_path(LONG_FIRST, three, (3.0, 2.5), "positive", max_joint_step=0.5)
    assert far.ok
    # Lines are subdivided, the limit holds for the given waypoints.
    fine = plan_path(LONG_FIRST, three, None, "positive", "greedy", 0.2, 1e-6)
    assert (fine.status, fine.failed_index) == (IkStatus.JOINT_STEP, 1)


def test_a_limit_that_only_the_branch_in_use_breaks_names_index_and_the_other_branch():
    arm = PlanarArm(0.3, 0.25, JointLimits(-0.9, 2.0), JointLimits(-2.6, 2.6))
    bearings = np.linspace(0.3, -0.6, 10)
    points = 0.4 * np.stack((np.cos(bearings), np.sin(bearings)), axis=1)
    q1 = plan_path(PlanarArm(0.3, 0.25), points, rule="positive").q[:, 0]
    index = int(np.argmax(q1 < -0.9))
    assert index == 6
    for rule, start in (("nearest", (0.0, 1.0)), ("keep", (0.0, 1.0)), ("positive", None)):
        plan = plan_path(arm, points, start, rule)
        assert (plan.status, plan.failed_index) == (IkStatus.JOINT_LIMIT, 6), rule
        assert "joint1" in plan.message
        assert "the negative branch would do" in plan.message


def test_global_gets_through_where_greedy_runs_into_a_limit():
    arm = PlanarArm(0.5, 0.4, JointLimits(-0.9, 2.5), JointLimits(-2.6, 2.6))
    bearings = np.linspace(0.6, -0.8, 30)
    points = 0.6 * np.stack((np.cos(bearings), np.sin(bearings)), axis=1)
    start = (0.0, 1.6)
    greedy = plan_path(arm, points, start)
    assert greedy.status is IkStatus.JOINT_LIMIT
    assert 5 < greedy.failed_index < 25
    for tolerance in (None, 1e-3):
        plan = plan_path(arm, points, start, search="global", line_tolerance=tolerance)
        assert plan.status is IkStatus.OK
        assert set(plan.branches.tolist()) == {-1}


def test_when_there_is_no_way_the_furthest_waypoint_is_named():
    arm = PlanarArm(0.5, 0.4, JointLimits(-0.7, 0.9), JointLimits(-2.6, 2.6))
    bearings = np.linspace(0.1, -1.6, 35)
    points = 0.6 * np.stack((np.cos(bearings), np.sin(bearings)), axis=1)
    q1 = [plan_path(PlanarArm(0.5, 0.4), points, rule=r).q[:, 0] for r in ("positive", "negative")]
    failures = [int(np.argmax(angles < -0.7)) for angles in q1]
    assert 0 < failures[0] < failures[1]
    plan = plan_path(arm, points, search="global")
    assert (plan.status, plan.failed_index) == (IkStatus.JOINT_LIMIT, failures[1])
    bearing = -0.7 - (q1[1][0] - bearings[0])  # where the negative branch meets its limit
    travelled = (bearings[0] - bearing) / (bearings[0] - bearings[-1])
    assert plan.fraction == pytest.approx(travelled, abs=2e-3)
    assert plan.last_point == pytest.approx(
        (0.6 * math.cos(bearing), 0.6 * math.sin(bearing)), abs=1e-3
    )


@pytest.mark.parametrize("search", ["greedy", "global"])
@pytest.mark.parametrize("tolerance", [None, 1e-3])
def test_a_line_out_of_reach_names_place_and_fraction(search, tolerance):
    plan = plan_path(LONG_FIRST, [(0.4, 0.0), (0.4, 0.4)], search=search, line_tolerance=tolerance)
    assert (plan.status, plan.failed_index) == (IkStatus.TOO_FAR, 1)
    assert plan.fraction == pytest.approx(0.75, abs=1e-12)
    np.testing.assert_allclose(plan.last_point, (0.4, 0.3), atol=1e-12)
    assert "waypoint 1" in plan.message


@pytest.mark.parametrize("search", ["greedy", "global"])
def test_a_line_through_the_hole_is_refused_where_it_enters(search):
    line = [(0.3, 0.05), (-0.3, 0.05)]
    assert plan_path(LONG_FIRST, line, rule="positive").ok  # a joint move, not the line
    plan = plan_path(LONG_FIRST, line, search=search, line_tolerance=1e-3)
    assert (plan.status, plan.failed_index) == (IkStatus.TOO_CLOSE, 1)
    assert plan.last_point[0] == pytest.approx(math.sqrt(0.1**2 - 0.05**2), abs=1e-12)
    assert plan.fraction == pytest.approx((0.3 - plan.last_point[0]) / 0.6, abs=1e-12)


@pytest.mark.parametrize("search", ["greedy", "global"])
def test_a_line_past_a_limit_is_refused_exactly_there_though_both_ends_are_inside(search):
    # q1 of the positive branch falls from 0.613 to 0.017 on this line and rises to 1.875.
    line = np.array([(0.6818, 0.5801), (-0.1704, 0.0775)])
    inside = PlanarArm(0.5, 0.4, JointLimits(0.3, 3.0), JointLimits(0.0, 3.0))
    assert plan_path(inside, line, (0.0, 1.0), search=search).ok
    plan = plan_path(inside, line, (0.0, 1.0), search=search, line_tolerance=1e-3)
    assert (plan.status, plan.failed_index) == (IkStatus.JOINT_LIMIT, 1)
    assert "joint1" in plan.message
    q = plan_path(PlanarArm(0.5, 0.4), [plan.last_point], rule="positive").q[0]
    assert q[0] == pytest.approx(0.3, abs=1e-9)
    elbow = PlanarArm(0.5, 0.4, JointLimits(-3.0, 3.0), JointLimits(0.0, 2.5))
    line = np.array([(0.5, 0.3), (-0.5, 0.25)])
    plan = plan_path(elbow, line, (0.0, 1.0), search=search, line_tolerance=1e-3)
    assert (plan.status, plan.failed_index) == (IkStatus.JOINT_LIMIT, 1)
    assert "joint2" in plan.message
    q = plan_path(PlanarArm(0.5, 0.4), [plan.last_point], rule="positive").q[0]
    assert q[1] == pytest.approx(2.5, abs=1e-9)


@pytest.mark.parametrize("search", ["greedy", "global"])
def test_a_line_through_the_base_of_equal_links_needs_a_turn_in_place(search):
    for line in ([(0.3, 0.0), (-0.3, 0.0)], [(0.3, 0.0), (0.0, 0.0), (-0.3, 0.0)]):
        plan = plan_path(EQUAL, line, search=search, line_tolerance=1e-3)
        assert plan.status is IkStatus.LINE_TOLERANCE
        assert plan.fraction == pytest.approx(0.5)
        assert "turn in place" in plan.message
    beside = plan_path(EQUAL, [(0.3, 1e-6), (-0.3, 1e-6)], search=search, line_tolerance=1e-3)
    assert beside.ok
    into = plan_path(EQUAL, [(0.3, 0.0), (0.0, 0.0), (0.3, 0.0)], line_tolerance=1e-3)
    assert into.status is IkStatus.SINGULAR


def test_the_base_of_equal_links_keeps_the_shoulder():
    plan = plan_path(EQUAL, [(0.2, 0.1), (0.0, 0.0), (0.0, 0.0)], rule="positive")
    assert plan.q[1, 0] == plan.q[2, 0] == plan.q[0, 0]
    alone = plan_path(EQUAL, [(0.0, 0.0)], (0.7, 2.5))
    np.testing.assert_allclose(alone.q, [[0.7, math.pi]], atol=1e-12)
    assert alone.status is IkStatus.SINGULAR


def test_a_continuous_shoulder_winds_up_turn_by_turn():
    arm = PlanarArm(0.5, 0.4, JointLimits(continuous=True), JointLimits(-2.6, 2.6))
    bearing = np.linspace(0.0, 10.0 * math.pi, 400)
    points = 0.6 * np.stack((np.cos(bearing), np.sin(bearing)), axis=1)
    for options in ({}, {"search": "global"}, {"line_tolerance": 1e-3}):
        plan = plan_path(arm, points, (20.0, -1.0), **options)
        assert plan.ok
        assert plan.q[-1, 0] - plan.q[0, 0] == pytest.approx(10.0 * math.pi)
        assert abs(plan.q[0, 0] - 20.0) <= math.pi


def test_a_bounded_shoulder_wider_than_a_turn_uses_all_of_it():
    arm = PlanarArm(0.5, 0.4, JointLimits(-7.1, 7.1), JointLimits(0.0, 2.6))
    bearing = np.linspace(0.0, 3.5 * math.pi, 300)
    points = 0.6 * np.stack((np.cos(bearing), np.sin(bearing)), axis=1)
    unwinding = plan_path(arm, points, (0.0, 1.0))
    assert unwinding.ok  # but with a full turn back inside
    assert unwinding.largest_step > 6.0
    plan = plan_path(arm, points, (0.0, 1.0), search="global", max_joint_step=0.2)
    assert plan.ok  # by starting a turn back
    assert plan.q[0, 0] < -5.0
    stuck = plan_path(arm, points, (0.0, 1.0), max_joint_step=0.2)
    assert stuck.status is IkStatus.JOINT_STEP  # greedy starts near 0 and must unwind


def test_one_elbow_with_two_turns_of_the_shoulder_keeps_its_sign():
    arm = PlanarArm(0.5, 0.4, JointLimits(-4.5, 7.4), JointLimits(-1.8, -0.07))
    plan = plan_path(arm, [(0.756, -0.095), (0.65, -0.3), (0.39, -0.6)], (2.2, -1.0))
    assert plan.ok
    assert (plan.q[:, 1] < -0.07).all()
    np.testing.assert_allclose(arm.forward(plan.q)[0], (0.756, -0.095), atol=1e-12)


def test_a_path_goes_round_a_shape_on_the_other_branch():
    points = np.linspace((0.55, 0.0), (0.56, 0.1), 11)
    blocked = plan_path(DEFAULT, points, rule="negative", obstacles=SHAPES)
    assert blocked.status is IkStatus.COLLISION
    assert "'post'" in blocked.message
    for tolerance in (None, 1e-3):
        plan = plan_path(
            DEFAULT,
            points,
            (0.5, -1.8),
            search="global",
            line_tolerance=tolerance,
            obstacles=SHAPES,
        )
        assert plan.ok
        assert set(plan.branches.tolist()) == {1}


@pytest.mark.parametrize("search", ["greedy", "global"])
@pytest.mark.parametrize("tolerance", [None, 1e-3])
def test_a_motion_through_a_shape_is_refused_though_all_waypoints_are_free(search, tolerance):
    points = [(0.55, -0.35), (0.55, 0.35)]  # link 1 turns from -1.227 to -0.093 rad
    post = Obstacles((Circle("post", 0.237, -0.184, 0.02),))
    options = {"search": search, "line_tolerance": tolerance}
    assert plan_path(DEFAULT, points, (0.0, 1.0), "positive", **options).ok
    for point in points:
        assert plan_path(DEFAULT, [point], (0.0, 1.0), "positive", obstacles=post, **options).ok
    plan = plan_path(DEFAULT, points, (0.0, 1.0), "positive", obstacles=post, **options)
    assert (plan.status, plan.failed_index) == (IkStatus.COLLISION, 1)
    assert "link 1 touches the keep-out shape 'post'" in plan.message
    assert 0.0 < plan.fraction < 1.0


def test_the_report_has_margin_and_sigma_min():
    plan = plan_path(DEFAULT, [(0.6, 0.0), (0.88, 0.0)], line_tolerance=1e-3)
    assert plan.sigma_min == pytest.approx(DEFAULT.singular_values(plan.q)[:, 1].min(), abs=1e-12)
    margins = [
        np.abs(plan.q[:, axis] - limit).min()
        for axis, joint in enumerate(DEFAULT.joints)
        for limit in (joint.lower, joint.upper)
    ]
    assert plan.limit_margin == pytest.approx(min(margins))


def test_one_waypoint_and_repeated_ones_are_paths():
    plan = plan_path(DEFAULT, [(0.6, 0.0)])
    assert (plan.status, plan.largest_step, plan.largest_step_index) == (IkStatus.OK, 0.0, -1)
    for options in ({}, {"search": "global"}, {"line_tolerance": 1e-4}):
        plan = plan_path(DEFAULT, [(0.6, 0.0)] * 4 + [(0.6, 0.1)], **options)
        assert plan.ok
        assert plan.largest_step_index == 4
    square = [(0.5, 0.1), (0.6, 0.1), (0.6, 0.2), (0.5, 0.2), (0.5, 0.1)]
    closed = plan_path(DEFAULT, square, line_tolerance=1e-3)
    np.testing.assert_allclose(closed.q[0], closed.q[-1], atol=1e-12)


def test_bad_numbers_are_refused_with_their_index():
    plan = plan_path(DEFAULT, [(0.5, 0.0), (0.5, math.nan), (0.5, 0.1)])
    assert (plan.status, plan.failed_index) == (IkStatus.INVALID_INPUT, 1)
    plan = plan_path(DEFAULT, [(0.5, 0.0), (1e308, 1e308)], line_tolerance=1e-3)
    assert (plan.status, plan.failed_index) == (IkStatus.TOO_FAR, 1)
    assert plan_path(DEFAULT, [(0.5, 0.0)], (math.nan, 0.0)).status is IkStatus.INVALID_INPUT
    assert plan_path(DEFAULT, [(0.5, 0.0)], rule="keep").status is IkStatus.INVALID_INPUT
    assert plan_path(DEFAULT, []).status is IkStatus.INVALID_INPUT


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"waypoints": [(0.1, 0.2, 0.3)]}, r"\(N, 2\)"),
        ({"search": "best"}, "search 'best'"),
        ({"rule": "up"}, "rule 'up'"),
        ({"metric": "l3"}, "metric 'l3'"),
        ({"max_joint_step": 0.0}, "max_joint_step 0.0"),
        ({"line_tolerance": 0.0}, "line_tolerance 0.0"),
        ({"line_tolerance": math.nan}, "line_tolerance nan"),
        ({"start": (1.0, 2.0, 3.0)}, "start"),
        ({"weights": (1.0, -1.0)}, "weights"),
        ({"boundary_tolerance": 1.0}, "boundary_tolerance"),
    ],
)
def test_a_callers_mistake_raises(arguments, words):
    with pytest.raises(PlanarArmError, match=words):
        plan_path(DEFAULT, arguments.pop("waypoints", [(0.5, 0.0)]), **arguments)
