"""The controls of the page: status, stop and pause on top, below them one tab per purpose."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from planar_arm_ik.inverse.branches import Rule
from planar_arm_ik.scene.study import EXAMPLES
from planar_arm_ik.viewer import html
from planar_arm_ik.viewer.drive import DriveControls
from planar_arm_ik.viewer.inbox import Act, Inbox, on_loop
from planar_arm_ik.viewer.plots import Plots
from planar_arm_ik.viewer.robot import Report
from planar_arm_ik.viewer.session import SEARCHES, STUDY_RULES, Session

#: The sliders follow the session again this long after they were last touched [s].
_HANDS_OFF = 0.6

_DRAW = "Draw with the mouse"


class Panel:
    """All controls; what they do goes into the inbox.

    Args:
        gui: ``viser.GuiApi``.
        session: the page's memory.
        inbox: where requests go.
        draw_mode: called with true when strokes shall be caught.
    """

    def __init__(
        self, gui: Any, session: Session, inbox: Inbox, draw_mode: Callable[[bool], None]
    ) -> None:
        self._gui, self._session, self._inbox = gui, session, inbox
        self._locked = inbox.view_only
        self._touched = -math.inf
        self._now = 0.0
        if self._locked:
            gui.add_html(html.note("View only: this page cannot move the arm."))
        self._status = gui.add_html(html.status_box(session.status(), "status"))
        self._stop_row()
        self._parts = gui.add_html(html.parts_line(False, {}))
        self._servos = gui.add_html(html.status_box(None, "servos"))
        self._note = gui.add_html(html.status_box(None, "note"))
        tabs = gui.add_tab_group()
        with tabs.add_tab("Target"):
            self._target_tab()
        with tabs.add_tab("Drive"):
            self._drive = DriveControls(gui, inbox)
        with tabs.add_tab("Path"):
            self._path_tab(draw_mode)
        with tabs.add_tab("Compare"):
            self._compare_tab()
        with tabs.add_tab("Plots"):
            self.plots = Plots(gui, session.arm)
        self._drive.add_keys(gui)

    def _button(self, label: str, act: Act, value: Any = None, **options: Any) -> Any:
        """A button that puts an act into the inbox, with a value or what a function gives."""
        button = self._gui.add_button(label, disabled=self._locked, **options)
        read = value if callable(value) else lambda: value
        button.on_click(on_loop(lambda _: self._inbox.put(act, read())))
        return button

    def _stop_row(self) -> None:
        self._paused = False

        def wanted() -> bool:
            return not self._paused

        self._button("STOP", Act.STOP, color=(213, 94, 0), hint="stops the arm; key: space")
        self._pause = self._button("Pause", Act.PAUSE, wanted, color="gray", hint="key: P")
        stop = self._gui.add_command("Stop the arm", hotkey="space", disabled=self._locked)
        stop.on_trigger(on_loop(lambda _: self._inbox.put(Act.STOP)))
        pause = self._gui.add_command("Pause or resume", hotkey="P", disabled=self._locked)
        pause.on_trigger(on_loop(lambda _: self._inbox.put(Act.PAUSE, wanted())))

    def _target_tab(self) -> None:
        gui = self._gui
        gui.add_html(html.note("Drag the ball: both elbows that reach it are shown."))
        gui.add_html(html.legend())
        rule = gui.add_dropdown(
            "rule", self._rules(), initial_value="nearest", disabled=self._locked
        )
        rule.on_update(on_loop(lambda _: self._inbox.put(Act.RULE, rule.value)))
        self._sliders = [self._slider(index) for index in (0, 1)]
        self._button("Move tip to the target", Act.GO, hint="on a straight line")
        self._button("Move joints there", Act.MOVE_JOINTS, color="gray", hint="may change elbow")

    def _rules(self) -> list[str]:
        """All rules; the one about clearance only where there is something to be clear of."""
        some = self._session.obstacles is not None
        return [rule.value for rule in Rule if some or rule is not Rule.CLEARANCE]

    def _slider(self, index: int) -> Any:
        joint = self._session.arm.joints[index]
        low, high = max(joint.lower, -math.pi), min(joint.upper, math.pi)
        slider = self._gui.add_slider(
            f"q{index + 1} [deg]",
            min=math.ceil(math.degrees(low) * 10.0) / 10.0,
            max=math.floor(math.degrees(high) * 10.0) / 10.0,
            step=0.1,
            initial_value=round(math.degrees(float(self._session.q[index])), 1),
            disabled=self._locked,
        )
        slider.on_update(on_loop(self._slid))
        return slider

    def _slid(self, event: Any) -> None:
        if event.client_id is not None:  # else the session moved it
            self._touched = self._now
            self._inbox.put(Act.JOINTS, tuple(math.radians(s.value) for s in self._sliders))

    def _path_tab(self, draw_mode: Callable[[bool], None]) -> None:
        gui = self._gui
        self._draw_mode, self._drawing = draw_mode, False
        self._draw = gui.add_button(
            _DRAW, disabled=self._locked, hint="instead of turning the view"
        )
        self._draw.on_click(on_loop(self._switch_drawing))
        example = gui.add_dropdown("example", EXAMPLES, disabled=self._locked)
        self._button("Load the example", Act.EXAMPLE, lambda: example.value, color="gray")
        search = gui.add_dropdown(
            "search",
            SEARCHES,
            disabled=self._locked,
            hint="greedy: waypoint by waypoint; global: the smallest steps over the whole path",
        )
        search.on_update(on_loop(lambda _: self._inbox.put(Act.SEARCH, search.value)))
        self._button("Plan", Act.PLAN, color="gray", hint="under the rule of the first tab")
        self._button("Execute", Act.EXECUTE)
        self._button("Cancel", Act.CANCEL, color="gray")
        self._button("Clear", Act.CLEAR, color="gray")

    def _switch_drawing(self, _event: object) -> None:
        self._drawing = not self._drawing
        self._draw_mode(self._drawing)
        _label(self._draw, "End drawing" if self._drawing else _DRAW)

    def _compare_tab(self) -> None:
        gui = self._gui
        gui.add_html(
            html.note(
                f"One arc of 31 points under two rules, {STUDY_RULES[0]} and {STUDY_RULES[1]}, "
                "side by side: watch where the arm on the left leaps."
            )
        )
        self._play = self._button("Play side by side", Act.STUDY, lambda: not self._session.study)

    def update(self, now: float, report: Report) -> None:
        """Write what is new; called a few times a second."""
        self._now = now
        session = self._session
        _set(self._status, html.status_box(session.status(), "status"))
        _set(self._note, html.status_box(session.note, "note"))
        _set(self._servos, html.status_box(report.servos, "servos"))
        _set(self._parts, html.parts_line(session.measured, report.parts))
        self._drive.show(report)
        self._paused = bool(report.paused)
        _label(self._pause, "Resume" if self._paused else "Pause")
        _label(self._play, "Back to the arm" if session.study else "Play side by side")
        if now - self._touched > _HANDS_OFF and session.solution.q is not None:
            for slider, angle in zip(self._sliders, session.solution.q, strict=True):
                value = round(math.degrees(float(angle)), 1)
                if abs(slider.value - value) > 0.05 and slider.min <= value <= slider.max:
                    slider.value = value


def _set(handle: Any, content: str) -> None:
    if handle.content != content:
        handle.content = content


def _label(button: Any, text: str) -> None:
    if button.label != text:
        button.label = text
