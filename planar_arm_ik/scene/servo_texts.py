"""The words of a view about the servos: limp, holding at the gate, following, in fault."""

from __future__ import annotations

from planar_arm_ik.scene.texts import StatusText, good, refused, warning


def servo_text(state: str, gate: str, message: str, healthy: bool) -> StatusText:
    """Say what the servo driver does, from its diagnostics.

    Args:
        state: limp, enabled, homing, stopping, closed or fault.
        gate: open when commands are followed, else closed.
        message: the driver's own sentence.
        healthy: whether its level is OK.
    """
    if state == "fault":
        return refused("servos in fault", message.removeprefix("fault: "))
    if state == "limp":
        return warning("servos limp", "switch them on in the tab Drive")
    if state != "enabled":
        return warning(f"servos {state}", message)
    if gate != "open":
        return warning(
            "servos holding at the gate", "they follow when a command begins near the arm"
        )
    return good("servos following", message) if healthy else warning("servos following", message)
