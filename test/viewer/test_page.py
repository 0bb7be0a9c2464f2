"""The page on a real viser server, without a browser: what it draws and says."""

import numpy as np
import pytest

pytest.importorskip("viser")

from arms import ALL, DEFAULT
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle
from planar_arm_ik.scene.colours import Palette
from planar_arm_ik.scene.study import EXAMPLES
from planar_arm_ik.scene.texts import good, refused
from planar_arm_ik.viewer.inbox import Act
from planar_arm_ik.viewer.page import Page, PageOptions
from planar_arm_ik.viewer.robot import NoRobot, Report, TwistReport


@pytest.fixture
def page():
    made = Page(DEFAULT, NoRobot(), PageOptions(port=0))
    yield made
    made.close()


BRANCHES = ("positive", "negative")


class Clock:
    def __init__(self, page):
        self.page, self.now = page, 0.0

    def step(self, report=None, seconds=0.5):
        self.now += seconds
        self.page.step(self.now, lambda: report or Report())

    def do(self, act, value=None, report=None):
        self.page.inbox.put(act, value)
        self.step(report)


def node(page, name):
    return page._server.scene.get_handle_by_name(name)


def twisting(commanded, achieved):
    commanded, achieved = np.array(commanded), np.array(achieved)
    return Report(
        q=np.array([0.3, 0.8]),
        parts={"follower": True},
        twist=TwistReport(
            commanded, achieved, commanded - achieved, 0.1, 0.0, 0.7, good("following")
        ),
        paused=True,
    )


def test_the_page_draws_both_elbows_and_hides_them_out_of_reach(page):
    clock = Clock(page)
    clock.do(Act.TARGET, (0.6, 0.1))
    assert node(page, "/main/positive").visible
    assert node(page, "/main/negative").visible
    assert not node(page, "/main/missing").visible
    clock.do(Act.TARGET, (0.93, 0.0))
    assert not node(page, "/main/positive").visible
    assert node(page, "/main/missing").visible
    assert node(page, "/main/target/label").text == "✕ too far by 0.030 m"
    assert "too far by 0.030 m" in page._panel._status.content


def test_keep_out_shapes_are_drawn_with_their_names_and_told_at_the_elbow_that_touches():
    post = Obstacles((Circle("post", 0.45, -0.1, 0.06),))
    page = Page(DEFAULT, NoRobot(), PageOptions(port=0), post)
    clock = Clock(page)
    fill = node(page, "/main/keep_out/shape0/fill")
    assert fill.color == Palette.KEEP_OUT.rgb
    assert node(page, "/main/keep_out/shape0/name").text == "post"
    clock.do(Act.TARGET, (0.6, 0.1))
    words = {branch: node(page, f"/main/{branch}/elbow/words") for branch in BRANCHES}
    assert words["positive"].visible
    assert words["positive"].text.startswith("✕ touches post, 0.0")
    assert not words["negative"].visible
    clock.do(Act.TARGET, (0.45, -0.1))
    assert node(page, "/main/target/label").text == "✕ touches post, 0.060 m deep"
    page.close()


def test_the_rule_of_clearance_is_offered_where_there_is_something_to_be_clear_of(page):
    assert "clearance" not in page._panel._rules()
    post = Obstacles((Circle("post", 0.45, -0.1, 0.06),))
    other = Page(DEFAULT, NoRobot(), PageOptions(port=0), post)
    assert "clearance" in other._panel._rules()
    Clock(other).do(Act.RULE, "clearance")
    assert other.session.rule == "clearance"
    other.close()


def test_the_arm_is_drawn_at_the_measured_angles(page):
    clock = Clock(page)
    clock.step(Report(q=np.array([0.4, -1.0])))
    assert node(page, "/main/arm").wxyz == pytest.approx([np.cos(0.2), 0, 0, np.sin(0.2)])
    assert node(page, "/main/arm/elbow").wxyz == pytest.approx([np.cos(0.5), 0, 0, -np.sin(0.5)])
    assert node(page, "/main/arm/elbow").position == pytest.approx([0.5, 0.0, 0.0])


def test_arrows_show_what_the_follower_achieves_and_vanish_without_it(page):
    clock = Clock(page)
    clock.step(twisting((0.2, 0.0), (0.14, 0.0)))
    for name in ("commanded", "achieved", "residual"):
        assert node(page, f"/main/{name}").visible
    tail = node(page, "/main/commanded").points[0, 0, :2]
    assert tail == pytest.approx(DEFAULT.forward((0.3, 0.8)), abs=1e-6)
    clock.step(Report(q=np.array([0.3, 0.8])))
    assert not node(page, "/main/commanded").visible


def test_a_resting_follower_has_no_arrows_and_pause_becomes_resume(page):
    clock = Clock(page)
    clock.step(twisting((0.0, 0.0), (0.0, 0.0)))
    assert not node(page, "/main/residual").visible
    assert page._panel._pause.label == "Resume"
    clock.step(Report())
    assert page._panel._pause.label == "Pause"


def test_paths_are_drawn_and_taken_away_again(page):
    clock = Clock(page)
    clock.do(Act.EXAMPLE, EXAMPLES[0])
    assert node(page, "/main/path/piece0") is not None
    clock.do(Act.RULE, "min_shoulder")
    assert node(page, "/main/path/failed") is not None
    clock.do(Act.CLEAR)
    assert node(page, "/main/path/failed") is None
    assert node(page, "/main/path/piece0") is None


def test_the_comparison_hides_the_arm_and_moves_both_runs(page):
    clock = Clock(page)
    clock.do(Act.STUDY, True)
    assert not node(page, "/main").visible
    first = node(page, "/study/min_shoulder/arm").wxyz.copy()
    for _ in range(3):
        clock.step(seconds=0.6)
    assert node(page, "/study/min_shoulder/arm").wxyz != pytest.approx(first)
    assert "steps up to 194.4°" in node(page, "/study/min_shoulder/caption").text
    assert "steps up to 0.6°" in node(page, "/study/nearest/caption").text
    clock.do(Act.STUDY, False)
    assert node(page, "/main").visible
    assert node(page, "/study/nearest/arm") is None


def test_texts_of_other_nodes_cannot_bring_markup_into_the_page(page):
    clock = Clock(page)
    task = good("<script>alert(1)</script>", "<img src=x onerror=alert(1)>")
    clock.step(Report(q=np.zeros(2), task=task, parts={"<b>": True}))
    for handle in (page._panel._note, page._panel._parts):
        assert "<script" not in handle.content
        assert "<img" not in handle.content
        assert "<b>:" not in handle.content


def test_the_servos_state_stands_on_every_tab_while_it_is_known(page):
    clock = Clock(page)
    clock.step(Report(servos=refused("servos in fault", "joint2 <silent>")))
    assert "✕ servos in fault" in page._panel._servos.content
    assert "joint2 &lt;silent&gt;" in page._panel._servos.content
    clock.step(Report())
    assert "servos in fault" not in page._panel._servos.content


def test_plots_get_the_signals(page):
    clock = Clock(page)
    for _ in range(10):
        clock.step(twisting((0.2, 0.0), (0.14, 0.0)))
    angles, sigma, _, speed = page._panel.plots._charts
    assert angles.data[1][-1] == pytest.approx(np.degrees(0.3))
    assert sigma.data[2][-1] == pytest.approx(DEFAULT.singular_threshold)
    assert speed.data[2][-1] == pytest.approx(0.06)


@pytest.mark.parametrize("arm", ALL)
def test_every_kind_of_arm_has_a_page(arm):
    page = Page(arm, NoRobot(), PageOptions(port=0))
    clock = Clock(page)
    clock.do(Act.TARGET, (0.5 * arm.outer_radius, 0.3 * arm.outer_radius))
    clock.do(Act.STUDY, True)
    page.close()


def test_a_page_for_viewing_only_ignores_every_request():
    page = Page(DEFAULT, NoRobot(), PageOptions(port=0, view_only=True))
    clock = Clock(page)
    before = page.session.target
    clock.do(Act.TARGET, (0.1, 0.5))
    assert page.session.target == before
    assert page._panel._pause.disabled
    page.close()


def test_an_address_that_others_reach_is_for_viewing_only_unless_allowed():
    assert not PageOptions(host="127.0.0.1").locked
    assert not PageOptions(host="localhost").locked
    assert PageOptions(host="0.0.0.0").locked
    assert not PageOptions(host="0.0.0.0", remote_control=True).locked
    assert PageOptions(host="0.0.0.0", remote_control=True, view_only=True).locked


def test_a_step_after_the_end_does_nothing(page):
    clock = Clock(page)
    page.close()
    clock.step()


def test_two_pages_live_on_two_ports(page):
    other = Page(DEFAULT, NoRobot(), PageOptions(port=page._server.get_port()))
    assert other.url != page.url
    other.close()


def test_a_bad_address_is_refused_with_a_sentence():
    with pytest.raises(PlanarArmError, match="cannot listen"):
        Page(DEFAULT, NoRobot(), PageOptions(host="256.1.1.1", port=0))
