"""The page's memory, inbox and camera, without a browser."""

import math
import threading

import numpy as np
import pytest

from arms import DEFAULT as ARM
from planar_arm_ik.inverse.solver import solve
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle
from planar_arm_ik.scene.strokes import line_between, resample
from planar_arm_ik.scene.study import EXAMPLES
from planar_arm_ik.scene.texts import good
from planar_arm_ik.status import Branch, IkStatus
from planar_arm_ik.viewer.camera import FIELD_OF_VIEW, fitted, hit
from planar_arm_ik.viewer.inbox import Act, Event, Inbox
from planar_arm_ik.viewer.robot import NoRobot, Report
from planar_arm_ik.viewer.session import Session

POST = Obstacles((Circle("post", 0.45, -0.1, 0.06),))


class Recorder(NoRobot):
    """An arm that accepts everything and remembers it."""

    def __init__(self):
        self.asked = []

    def _take(self, *request):
        self.asked.append(request)
        return ""

    def jog(self, velocity):
        return self._take("jog", velocity)

    def execute(self, waypoints, rule, search):
        return self._take("execute", waypoints, rule, search)

    def move_joints(self, q):
        return self._take("move_joints", q)

    def stop(self):
        return self._take("stop")


@pytest.fixture
def robot():
    return Recorder()


@pytest.fixture
def session(robot):
    return Session(ARM, robot)


def do(session, act, value=None):
    session.handle(Event(act, value))


def test_a_target_out_of_the_ring_is_told_with_the_missing_metres(session):
    do(session, Act.TARGET, (0.93, 0.0))
    assert session.status().title == "too far by 0.030 m"
    assert session.solution.nearest_point == pytest.approx((0.9, 0.0))


def test_the_rule_changes_the_elbow_of_the_same_target(session):
    do(session, Act.TARGET, (0.6, 0.1))
    do(session, Act.RULE, "positive")
    assert session.solution.branch is Branch.POSITIVE
    do(session, Act.RULE, "negative")
    assert session.solution.branch is Branch.NEGATIVE
    assert session.target == (0.6, 0.1)


def test_an_unknown_rule_is_refused_and_the_old_one_stays(session):
    do(session, Act.RULE, "prettiest")
    assert session.rule == "nearest"
    assert "prettiest" in session.note.detail


@pytest.mark.parametrize("point", [(math.nan, 0.0), (0.1, math.inf)])
def test_a_target_that_is_no_number_changes_nothing(session, point):
    before = session.target
    do(session, Act.TARGET, point)
    assert session.target == before
    assert "finite" in session.note.detail


def test_without_an_arm_the_drawn_one_follows_the_chosen_answer(session):
    do(session, Act.TARGET, (0.3, 0.5))
    session.observe(Report())
    assert ARM.forward(session.q) == pytest.approx([0.3, 0.5])
    do(session, Act.TARGET, (5.0, 0.0))
    session.observe(Report())
    assert ARM.forward(session.q) == pytest.approx([0.3, 0.5])
    assert not session.measured


def test_a_measured_arm_is_drawn_as_measured_and_takes_the_target_along_once(session):
    session.observe(Report(q=np.array([0.2, -0.7])))
    assert session.measured
    assert session.target == pytest.approx(tuple(ARM.forward((0.2, -0.7))))
    session.observe(Report(q=np.array([0.3, -0.7])))
    assert session.q == pytest.approx([0.3, -0.7])
    assert session.target == pytest.approx(tuple(ARM.forward((0.2, -0.7))))


def test_a_straight_arm_leaves_the_target_where_both_elbows_are_seen(session):
    before = session.target
    session.observe(Report(q=np.array([0.0, 0.0])))
    assert session.measured
    assert session.target == before


def test_the_note_is_whatever_was_said_last_about_a_task_or_a_request(session):
    done = good("path done")
    session.observe(Report(task=done))
    assert session.note is done
    do(session, Act.PLAN)
    session.observe(Report(task=done))
    assert session.note.title == "no path yet"
    session.observe(Report(task=good("path done")))
    assert session.note.title == "path done"


def test_a_pose_of_the_sliders_keeps_its_own_elbow(session):
    for q in ((0.4, 1.0), (0.4, -1.0), (-2.0, -0.2)):
        do(session, Act.JOINTS, q)
        assert session.solution.q == pytest.approx(q)


def test_go_sends_a_straight_line_from_the_measured_tip(session, robot):
    session.observe(Report(q=np.array([0.2, 0.7])))
    do(session, Act.TARGET, (0.5, 0.1))
    do(session, Act.GO)
    ((_, waypoints, rule, search),) = robot.asked
    assert waypoints[0] == pytest.approx(ARM.forward((0.2, 0.7)))
    assert waypoints[-1] == pytest.approx([0.5, 0.1])
    assert (rule, search) == ("nearest", "greedy")


def test_joints_are_not_moved_to_a_target_out_of_reach(session, robot):
    do(session, Act.TARGET, (2.0, 0.0))
    do(session, Act.MOVE_JOINTS)
    assert robot.asked == []
    assert "beyond the reach" in session.note.detail


def test_drawn_points_become_an_even_path_and_a_new_stroke_begins_anew(session):
    do(session, Act.DRAW, None)
    for x in (0.5, 0.52, 0.6):
        do(session, Act.DRAW, (x, 0.1))
    assert len(session.waypoints) == 11
    do(session, Act.PLAN)
    assert session.plan.ok
    do(session, Act.DRAW, None)
    do(session, Act.DRAW, (0.4, 0.4))
    assert len(session.waypoints) == 1
    assert session.plan is None


def test_a_drawn_path_that_leaves_the_ring_is_refused_with_the_point(session):
    do(session, Act.DRAW, None)
    do(session, Act.DRAW, (0.5, 0.0))
    do(session, Act.DRAW, (1.2, 0.0))
    do(session, Act.PLAN)
    assert session.plan.status is IkStatus.TOO_FAR
    assert session.note.title == "refused at point 41"


def test_an_empty_path_is_neither_planned_nor_sent(session, robot):
    for act in (Act.PLAN, Act.EXECUTE):
        do(session, act)
        assert session.note.title == "no path yet"
    assert robot.asked == []


def test_min_shoulder_on_the_example_arc_is_refused_where_it_would_jump(session):
    session.observe(Report(q=np.array([0.55, -1.7])))
    do(session, Act.EXAMPLE, EXAMPLES[0])
    assert session.plan.ok
    do(session, Act.RULE, "min_shoulder")
    assert session.plan.status is IkStatus.BRANCH_SWITCH
    assert session.plan.failed_index == 15


def test_the_global_search_finds_what_the_greedy_one_refuses_and_is_sent_along(session, robot):
    session.observe(Report(q=np.array([0.55, -1.7])))
    do(session, Act.RULE, "min_shoulder")
    do(session, Act.EXAMPLE, EXAMPLES[0])
    assert not session.plan.ok
    do(session, Act.SEARCH, "global")
    assert session.plan.ok
    do(session, Act.EXECUTE)
    assert robot.asked[-1][2:] == ("min_shoulder", "global")
    do(session, Act.SEARCH, "thorough")
    assert session.search == "global"
    assert "thorough" in session.note.detail


def test_the_live_answer_and_the_plan_stay_clear_of_keep_out_shapes(robot):
    session = Session(ARM, robot, POST)
    session.observe(Report(q=np.array([0.1, 1.2])))
    do(session, Act.TARGET, (0.45, -0.1))
    assert session.status().title == "touches post, 0.060 m deep"
    do(session, Act.MOVE_JOINTS)
    assert robot.asked == []
    do(session, Act.DRAW, None)
    for point in ((0.6, 0.2), (0.45, -0.1)):
        do(session, Act.DRAW, point)
    do(session, Act.PLAN)
    assert session.plan.status is IkStatus.COLLISION
    assert "post" in session.note.detail
    free = Session(ARM, robot)
    do(free, Act.TARGET, (0.45, -0.1))
    assert free.solution.ok


def test_a_pose_of_the_sliders_that_touches_is_told_and_not_mirrored(robot):
    session = Session(ARM, robot, POST)
    bent = solve(ARM, (0.6, 0.1), rule="positive").q
    assert POST.clearance(ARM, bent) < 0.0
    do(session, Act.JOINTS, tuple(bent))
    assert session.solution.status is IkStatus.COLLISION
    assert session.status().title.startswith("touches post")


def test_the_study_plays_both_rules_and_ends(session):
    do(session, Act.STUDY, True)
    assert [round(math.degrees(run.largest_step), 1) for run in session.study] == [194.4, 0.6]
    do(session, Act.STUDY, False)
    assert session.study == ()


def test_without_an_arm_every_request_says_why_it_is_not_possible():
    session = Session(ARM, NoRobot())
    do(session, Act.EXAMPLE, EXAMPLES[0])
    for act, value in (
        (Act.EXECUTE, None), (Act.JOG, (0.1, 0.0)), (Act.PAUSE, True), (Act.ENABLE, True)
    ):  # fmt: skip
        do(session, act, value)
        assert session.note.title == "not possible"
        assert session.note.detail == "there is no arm connected"


def test_every_act_has_a_handler(session):
    assert set(session._handlers) == set(Act)


def test_a_page_for_viewing_only_lets_nothing_through():
    inbox = Inbox(view_only=True)
    inbox.put(Act.STOP)
    inbox.put(Act.JOG, (0.1, 0.0))
    assert inbox.drain() == []


def test_the_inbox_keeps_order_and_only_the_newest_of_a_run_of_targets():
    inbox = Inbox()
    for x in range(5):
        inbox.put(Act.TARGET, (float(x), 0.0))
    inbox.put(Act.STOP)
    inbox.put(Act.TARGET, (9.0, 0.0))
    inbox.put(Act.DRAW, (1.0, 0.0))
    inbox.put(Act.DRAW, (2.0, 0.0))
    events = inbox.drain()
    assert [event.act for event in events] == [
        Act.TARGET, Act.STOP, Act.TARGET, Act.DRAW, Act.DRAW
    ]  # fmt: skip
    assert events[0].value == (4.0, 0.0)
    assert inbox.drain() == []


def test_many_threads_may_fill_the_inbox_and_nothing_is_lost():
    inbox = Inbox()

    def fill(start):
        for k in range(200):
            inbox.put(Act.DRAW, (float(start), float(k)))

    threads = [threading.Thread(target=fill, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    values = [event.value for event in inbox.drain()]
    assert len(values) == 800
    for n in range(4):
        assert [k for start, k in values if start == n] == [float(k) for k in range(200)]


@pytest.mark.parametrize("size", [(1280, 800), (390, 780), (800, 400), (2560, 1440), (0, 0)])
def test_the_camera_shows_the_whole_ring_in_any_window(size):
    width, height = size
    view = fitted(0.9, 0.9, width, height)
    assert view.distance > 0.0
    if not width:
        return
    right = width - 330 if width >= 576 else width
    for angle in np.linspace(0.0, 2.0 * math.pi, 24):
        x, y = view.project((0.9 * math.cos(angle), 0.9 * math.sin(angle)), width, height)
        assert -1e-6 <= x <= right + 1e-6
        assert -1e-6 <= y <= height + 1e-6


def test_a_ray_through_a_projected_pixel_hits_the_point_again():
    view = fitted(0.9, 0.9, 1280, 800)
    x, y = view.project((0.3, -0.2), 1280, 800)
    scale = 2.0 * math.tan(0.5 * FIELD_OF_VIEW) / 800
    eye = (*view.centre, view.distance)
    through = (
        view.centre[0] + (x - 640) * scale, view.centre[1] + (400 - y) * scale, view.distance - 1.0
    )  # fmt: skip
    assert hit(eye, through) == pytest.approx((0.3, -0.2))
    assert hit(eye, (0.0, 0.0, view.distance)) is None
    assert hit(eye, (0.0, 0.0, view.distance + 1.0)) is None


def test_resampled_strokes_keep_their_ends_and_are_even():
    rng = np.random.default_rng(1)
    for count in (1, 2, 3, 40):
        stroke = np.cumsum(rng.normal(0.0, 0.01, (count, 2)), axis=0)
        even = resample(stroke)
        assert even[0] == pytest.approx(stroke[0])
        assert even[-1] == pytest.approx(stroke[-1])
        assert (np.hypot(*np.diff(even, axis=0).T) <= 0.01 + 1e-9).all()


def test_a_line_to_where_the_tip_already_is_has_one_point():
    point = np.array([0.4, 0.1])
    assert len(line_between(point, point)) == 1
