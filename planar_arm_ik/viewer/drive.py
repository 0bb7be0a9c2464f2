"""The twist pad: buttons that move the tip while they are held, and keys that do the same.

Every message of a held button comes from the browser, so a page that hangs or a line that breaks
ends the motion: the follower lets a twist die after its ``command_timeout``.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from planar_arm_ik.viewer import html
from planar_arm_ik.viewer.inbox import Act, Inbox, on_loop
from planar_arm_ik.viewer.keys import add_held_keys
from planar_arm_ik.viewer.robot import Report

#: Label, direction and key.
_PAD = (
    ("▲  up (I)", (0.0, 1.0), "I"),
    ("◀  left (J)", (-1.0, 0.0), "J"),
    ("▶  right (L)", (1.0, 0.0), "L"),
    ("▼  down (K)", (0.0, -1.0), "K"),
)
#: Messages a held button sends per second.
_RATE = 20.0


class DriveControls:
    """The pad in the container that is open, and below it what the follower says.

    Args:
        gui: ``viser.GuiApi``.
        inbox: where jogs and the servo switch go.
    """

    def __init__(self, gui: Any, inbox: Inbox) -> None:
        self._inbox = inbox
        locked = inbox.view_only
        gui.add_html(html.note("Hold a button or a key: the tip moves along x or y."))
        self._speed = gui.add_slider(
            "tip speed [m/s]", min=0.01, max=0.5, step=0.01, initial_value=0.1, disabled=locked
        )
        for label, direction, _ in _PAD:
            self._held(gui, label, direction)
        gui.add_html(html.note("Black: commanded. Green: achieved. Vermilion: what is missing."))
        self._state = gui.add_html("")
        for label, on in (("Switch the servos on", True), ("Let them go limp", False)):
            button = gui.add_button(label, color="gray", disabled=locked)
            button.on_click(on_loop(partial(self._switch, on)))

    def add_keys(self, gui: Any) -> None:
        """Add the keys of the pad to a container that is always open."""
        if not self._inbox.view_only:
            buttons = {key: self._held(gui, label, way) for label, way, key in _PAD}
            add_held_keys(gui, buttons)

    def _held(self, gui: Any, label: str, direction: tuple[float, float]) -> Any:
        button = gui.add_button(label, color="gray", disabled=self._inbox.view_only)
        button.on_hold(on_loop(partial(self._jog, direction)), callback_hz=_RATE)
        return button

    def _jog(self, direction: tuple[float, float], _event: object) -> None:
        speed = self._speed.value
        self._inbox.put(Act.JOG, (direction[0] * speed, direction[1] * speed))

    def _switch(self, on: bool, _event: object) -> None:
        self._inbox.put(Act.ENABLE, on)

    def show(self, report: Report) -> None:
        """Write the follower's state."""
        text = None if report.twist is None else report.twist.text
        content = html.status_box(text, "follower")
        if self._state.content != content:
            self._state.content = content
