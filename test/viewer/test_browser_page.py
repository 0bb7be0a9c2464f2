"""The page in a real browser, on real nodes: dragged, drawn on, stopped.

A software-rendered page shows a few frames a second on a busy machine, so every step is repeated
until its effect is read from the page, with a deadline.
"""

import math
import re
import time

import pytest

pytest.importorskip("rclpy")
pytest.importorskip("viser")

from browser import browser, find_browser
from page_support import free_port, wait_for_page

from arms import DEFAULT as ARM
from planar_arm_ik.viewer.camera import fitted
from ros_support import nodes

pytestmark = pytest.mark.skipif(find_browser() is None, reason="no Chromium: apt install chromium")

SIZE = (800, 500)
VIEW = fitted(1.15 * ARM.outer_radius, 1.12 * ARM.outer_radius, *SIZE)


class Hand:
    """A hand on the page: the mouse in metres, the words as they stand."""

    def __init__(self, tab):
        self.tab = tab
        self.at = None

    def pixel(self, point):
        return VIEW.project(point, *SIZE)

    def status(self):
        return self.tab.text("#status")

    def note(self):
        return self.tab.text("#note")

    def until(self, words, read, act=lambda: None, seconds=60.0):
        """Repeat an act until the page says something."""
        end = time.monotonic() + seconds
        while not re.search(words, read()):
            assert time.monotonic() < end, f"wanted {words!r}, the page says {read()!r}"
            act()
            time.sleep(0.1)
        return read()

    def drag_target(self, start, goal, words):
        """Drag the target ball from a place to another until the status fits."""
        for origin in (start, goal, start, goal, start):
            self.tab.key("v", "KeyV")  # a press beside the ball would have turned the view
            self.tab.settle(4)
            try:
                return self._drag_once(origin, goal, words)
            except AssertionError as error:
                failure = error
        raise failure

    def _drag_once(self, origin, goal, words):
        self.tab.mouse("mouseMoved", *self.pixel(origin))
        time.sleep(0.3)
        self.tab.mouse("mousePressed", *self.pixel(origin), 1)
        count = 0

        def move():
            nonlocal count
            count += 1
            part = min(1.0, 0.25 * count)
            place = [a + part * (b - a) for a, b in zip(origin, goal, strict=True)]
            x, y = self.pixel(place)
            self.tab.mouse("mouseMoved", x + 0.6 * (count % 2), y, 1)

        try:
            return self.until(words, self.status, move, seconds=15.0)
        finally:
            self.tab.mouse("mouseReleased", *self.pixel(goal))


@pytest.fixture(scope="module")
def page():
    port = free_port()
    start = ("-p", "enable_on_start:=true", "-p", "initial_position:=[0.4, 1.1]")
    patient = ("-p", "state_timeout:=5.0")  # a software renderer takes all of a small machine
    with (
        nodes(["servo_driver"], *start),
        nodes(["path_executor"], *patient, "-p", "path_tolerance:=0.0"),
        nodes(["viewer"], "-p", f"port:={port}", "-p", "rate:=30.0", *patient),
        browser(*SIZE) as tab,
    ):
        wait_for_page(port)
        tab.open(f"http://127.0.0.1:{port}")
        hand = Hand(tab)
        hand.until("measured one", lambda: tab.text("#arm-parts"))
        hand.until("path executor", lambda: tab.text("#arm-parts"))
        time.sleep(2.0)  # the camera glides into place
        hand.port = port
        yield hand


def test_a_target_dragged_out_of_the_ring_tells_the_missing_metres(page):
    start = tuple(ARM.forward((0.4, 1.1)))
    angle = math.atan2(start[1], start[0])
    goal = (0.96 * math.cos(angle), 0.96 * math.sin(angle))
    text = page.drag_target(start, goal, r"too far by 0\.0[56]")
    shortfall = float(re.search(r"too far by ([\d.]+) m", text)[1])
    assert shortfall == pytest.approx(0.06, abs=0.01)
    page.drag_target(goal, (0.5, 0.3), r"reached")
    page.at = (0.5, 0.3)


def test_another_rule_shows_the_other_elbow(page):
    before = page.until("elbow", page.status)
    other = "negative" if "positive" in before else "positive"
    field = page.tab.place_of("nearest", "input") or page.tab.evaluate(
        "(() => { const e = [...document.querySelectorAll('input')]"
        ".find(e => e.value === 'nearest'); const r = e.getBoundingClientRect();"
        " return [r.x + 20, r.y + r.height / 2]; })()"
    )
    page.tab.click(*field)
    page.tab.press(other, "[role=option]")
    page.until(f"{other} elbow", page.status)


def execute_until(page, words):
    """Press Execute until the page says it; a busy machine makes the executor give up at times."""
    page.tab.press("Execute")
    page.until(r"executing|path", page.note)

    def again():
        if "refused" in page.note():
            page.tab.press("Execute")
            page.until("sent|executing", page.note)

    page.until(words, page.note, again)


def test_a_drawn_path_is_planned_and_executed_and_stop_stops(page):
    page.tab.press("Path", "[role=tab]")
    page.tab.press("Draw with the mouse")
    page.tab.wait(lambda: page.tab.place_of("End drawing") is not None, "drawing mode")
    time.sleep(0.5)
    points = [(0.5 + 0.12 * math.sin(0.2 * k), 0.18 + 0.12 * math.cos(0.2 * k)) for k in range(26)]

    def stroke():
        page.tab.drag([page.pixel(point) for point in points])
        time.sleep(1.0)

    page.until(r"points planned|refused at point", page.note, stroke)
    execute_until(page, "path done")
    execute_until(page, "executing")
    page.tab.press("STOP")
    page.until(r"stopped|path canceled", page.note)


def test_keys_reach_the_arm(page):
    page.until("cartesian_follower is not running", page.note, lambda: page.tab.key("p", "KeyP"))


def test_the_page_asks_no_other_host(page):
    hosts = {
        re.sub(r"^\w+://", "", url).split("/")[0]
        for url in page.tab.requested
        if re.match(r"(https?|wss?)://", url)
    }
    assert hosts == {f"127.0.0.1:{page.port}"}
