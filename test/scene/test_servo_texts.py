"""The servo driver's state in the words of a view."""

import pytest

from planar_arm_ik.scene.servo_texts import servo_text


@pytest.mark.parametrize(
    ("told", "line", "detail"),
    [
        (("limp", "closed", "limp: call ~/enable", False), "! servos limp", "switch them on"),
        (("enabled", "closed", "enabled and holding", False), "! servos holding", "near the arm"),
        (("enabled", "open", "following", True), "✓ servos following", "following"),
        (("enabled", "open", "bad cycle: late", False), "! servos following", "bad cycle: late"),
        (("fault", "closed", "fault: joint2 silent", False), "✕ servos in fault", "joint2 silent"),
        (("homing", "closed", "one after the other", False), "! servos homing", "one after"),
    ],
)
def test_each_state_has_its_mark_and_words(told, line, detail):
    text = servo_text(*told)
    assert text.line.startswith(line)
    assert detail in text.detail
    assert "fault:" not in text.detail
