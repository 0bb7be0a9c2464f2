"""Small pieces of HTML for the panel; every text is escaped."""

from __future__ import annotations

from html import escape

from planar_arm_ik.scene.colours import Palette
from planar_arm_ik.scene.texts import StatusText

_BOX = (
    "margin:0 0.75em 0.6em;padding:0.5em 0.7em;border-radius:6px;font-size:0.85em;"
    "line-height:1.35;border-left:5px solid {colour};background:rgba(128,128,128,0.10)"
)


def status_box(text: StatusText | None, name: str) -> str:
    """A box with mark, title and detail; its element id is `name`."""
    if text is None:
        return f'<div id="{escape(name)}"></div>'
    detail = f"<div style='opacity:0.8'>{escape(text.detail)}</div>" if text.detail else ""
    return (
        f'<div id="{escape(name)}" style="{_BOX.format(colour=text.colour.hex)}">'
        f"<b>{escape(text.line)}</b>{detail}</div>"
    )


def parts_line(measured: bool, parts: dict[str, bool]) -> str:
    """Which nodes run, and whether the drawn arm is measured."""
    source = (
        "The arm drawn is the measured one."
        if measured
        else "No joint_states: the arm drawn follows the target in this page only."
    )
    marks = " ".join(
        f"<span style='white-space:nowrap;color:{_colour(runs)}'>"
        f"{'●' if runs else '○'}&nbsp;{escape(name)}{'' if runs else ' (absent)'}</span>"
        for name, runs in parts.items()
    )
    return (
        "<div id='arm-parts' style='margin:0 0.9em 0.6em;font-size:0.78em;line-height:1.5'>"
        f"{escape(source)}<br>{marks}</div>"
    )


def note(text: str) -> str:
    """A line of small print."""
    return f"<div style='margin:0 0.9em 0.6em;font-size:0.8em;opacity:0.85'>{escape(text)}</div>"


def legend() -> str:
    """What the two colours of elbows mean."""
    entries = (
        (Palette.POSITIVE, "positive elbow (q2 &gt; 0)"),
        (Palette.NEGATIVE, "negative elbow (q2 &lt; 0)"),
    )
    return (
        "".join(
            "<span style='white-space:nowrap;margin:0 0 0 0.9em;font-size:0.78em'>"
            f"<span style='display:inline-block;width:0.8em;height:0.8em;border-radius:3px;"
            f"background:{colour.hex}'></span>&nbsp;{text}</span>"
            for colour, text in entries
        )
        + "<div style='height:0.6em'></div>"
    )


def _colour(runs: bool) -> str:
    return (Palette.GOOD if runs else Palette.UNUSED).hex
