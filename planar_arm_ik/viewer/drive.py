"""The twist pad: buttons that move the tip while they are held, and keys that do the same.

Every message of a held button comes from the browser, so a page that hangs or a line that breaks
ends the motion: the follower lets a twist die after its ``command_timeout``.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from planar_arm_ik.viewer import html
from planar_arm_ik.viewer.inbox import Act, Inbox, on_loop
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
    """What the follower says, below the pad."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def show(self, report: Report) -> None:
        """Write the follower's state."""
        text = None if report.twist is None else report.twist.text
        content = html.status_box(text, "follower")
        if self._state.content != content:
            self._state.content = content


def add_drive_controls(gui: Any, inbox: Inbox) -> DriveControls:
    """Add the pad to the container that is open.

    Args:
        gui: ``viser.GuiApi``.
        inbox: where jogs and the servo switch go.
    """
    locked = inbox.view_only
    gui.add_html(html.note("Hold a button or a key: the tip moves along x or y."))
    speed = gui.add_slider(
        "tip speed [m/s]", min=0.01, max=0.5, step=0.01, initial_value=0.1, disabled=locked
    )

    def jog(direction: tuple[float, float], _event: object) -> None:
        inbox.put(Act.JOG, (direction[0] * speed.value, direction[1] * speed.value))

    def switch(on: bool, _event: object) -> None:
        inbox.put(Act.ENABLE, on)

    for label, direction, key in _PAD:
        button = gui.add_button(label, color="gray", disabled=locked)
        held = on_loop(partial(jog, direction))
        button.on_hold(held, callback_hz=_RATE)
        command = gui.add_command(f"Tip {label}", hotkey=key, disabled=locked)
        command.on_trigger(held)
    gui.add_html(html.note("Black: commanded. Green: achieved. Vermilion: what is missing."))
    state = gui.add_html("")
    for label, on in (("Switch the servos on", True), ("Let them go limp", False)):
        button = gui.add_button(label, color="gray", disabled=locked)
        button.on_click(on_loop(partial(switch, on)))
    return DriveControls(state)
