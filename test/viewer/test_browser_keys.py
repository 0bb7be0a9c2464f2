"""The keys of the twist pad in a real browser: they move from the first press to the release."""

import time

import pytest

pytest.importorskip("viser")

from browser import browser, find_browser

from arms import DEFAULT as ARM
from planar_arm_ik.viewer.page import Page, PageOptions
from planar_arm_ik.viewer.robot import NoRobot, Report

pytestmark = pytest.mark.skipif(find_browser() is None, reason="no Chromium: apt install chromium")


SIZE = (800, 500)


class Recorder(NoRobot):
    """Remembers every jog and stop with its time."""

    def __init__(self):
        self.jogs, self.stops = [], []

    def jog(self, velocity):
        self.jogs.append((time.monotonic(), velocity))
        return ""

    def stop(self):
        self.stops.append(time.monotonic())
        return ""


class Keyboard:
    """A tab with the page, and the arm behind it."""

    def __init__(self, tab, page, robot):
        self.tab, self.page, self.robot = tab, page, robot

    def until(self, done, seconds=30.0):
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, "the keys had no effect"
            self.page.step(time.monotonic(), Report)
            time.sleep(0.005)

    def more(self, count):
        before = len(self.robot.jogs)
        self.until(lambda: len(self.robot.jogs) >= before + count)

    def enter_field(self):
        """Bring the keyboard into a number field or dropdown."""
        entered = self.tab.evaluate(
            "(() => { for (const field of document.querySelectorAll('input'))"
            " { field.focus(); if (document.activeElement === field) return true; }"
            " return false; })()"
        )
        assert entered

    def silent(self):
        """Wait until what was on its way has come, then watch."""
        begin = time.monotonic()
        self.until(lambda: time.monotonic() > begin + 1.0)
        before = len(self.robot.jogs)
        self.until(lambda: time.monotonic() > begin + 2.0)
        return len(self.robot.jogs) == before


@pytest.fixture(scope="module")
def keyboard():
    robot = Recorder()
    page = Page(ARM, robot, PageOptions(port=0))
    with browser(*SIZE) as tab:
        tab.open(page.url)
        made = Keyboard(tab, page, robot)
        made.until(lambda: tab.evaluate("window.planarArmKeys?.held?.size") == 0, 60.0)
        yield made
    page.close()


def test_one_press_moves_until_the_key_is_released(keyboard):
    keyboard.tab.key_down("i", "KeyI")
    keyboard.more(20)
    keyboard.tab.key_up("i", "KeyI")
    assert keyboard.silent()
    assert {velocity for _, velocity in keyboard.robot.jogs} == {(0.0, 0.1)}


def test_the_newest_key_wins(keyboard):
    keyboard.robot.jogs.clear()
    keyboard.tab.key_down("j", "KeyJ")
    keyboard.more(3)
    keyboard.tab.key_down("l", "KeyL")
    keyboard.until(lambda: keyboard.robot.jogs[-1][1] == (0.1, 0.0))
    keyboard.tab.key_up("l", "KeyL")
    keyboard.tab.key_up("j", "KeyJ")
    assert keyboard.silent()


def test_space_stops_and_ends_a_held_key_even_in_a_field(keyboard):
    keyboard.tab.key_down("k", "KeyK")
    keyboard.more(3)
    keyboard.enter_field()
    stops = len(keyboard.robot.stops)
    keyboard.tab.key(" ", "Space")
    keyboard.until(lambda: len(keyboard.robot.stops) == stops + 1)
    assert keyboard.silent()
    keyboard.tab.key_up("k", "KeyK")
    keyboard.tab.evaluate("document.activeElement.blur()")


def test_space_stops_while_the_panel_is_folded_away_by_a_button_that_keeps_the_keyboard(keyboard):
    fold = (SIZE[0] - 35, 35)
    keyboard.tab.click(*fold)
    keyboard.until(lambda: keyboard.tab.place_of("STOP") is None)
    stops, jogs = len(keyboard.robot.stops), len(keyboard.robot.jogs)
    keyboard.tab.key_down("i", "KeyI")
    keyboard.tab.key(" ", "Space")
    keyboard.until(lambda: len(keyboard.robot.stops) == stops + 1)
    assert keyboard.silent()
    keyboard.tab.key_up("i", "KeyI")
    assert len(keyboard.robot.jogs) == jogs
    keyboard.tab.click(*fold)
    keyboard.until(lambda: keyboard.tab.place_of("STOP") is not None)


def test_a_window_that_loses_the_keyboard_ends_a_held_key(keyboard):
    keyboard.tab.key_down("l", "KeyL")
    keyboard.more(3)
    keyboard.tab.evaluate("window.dispatchEvent(new Event('blur'))")
    assert keyboard.silent()
    keyboard.tab.key_up("l", "KeyL")


def test_letters_typed_into_a_field_move_nothing(keyboard):
    keyboard.enter_field()
    before = len(keyboard.robot.jogs)
    keyboard.tab.key_down("i", "KeyI")
    assert keyboard.silent()
    keyboard.tab.key_up("i", "KeyI")
    assert len(keyboard.robot.jogs) == before
