"""The twist follower's state in words."""

from __future__ import annotations

from planar_arm_ik.scene.texts import StatusText, good, refused, warning
from planar_arm_ik.status import FollowerState

_TITLES = {
    FollowerState.OK: "following",
    FollowerState.SLOWED: "slowed by a limit",
    FollowerState.ESCAPING: "bending out of the singularity",
    FollowerState.AT_LIMIT: "at a limit",
    FollowerState.IDLE: "ready, no twist",
    FollowerState.NO_STATE: "no joint state yet",
    FollowerState.STALE_STATE: "the joint state is old",
    FollowerState.STALE_COMMAND: "the twist is old: stopping",
    FollowerState.INVALID_INPUT: "not a valid twist",
    FollowerState.FRAME: "unknown frame",
    FollowerState.STATE_JUMP: "the arm is not where it was sent",
    FollowerState.CLOCK: "the clock stands still",
    FollowerState.PAUSED: "paused",
    FollowerState.PATH_ACTIVE: "holding: a path is being executed",
}


def follower_text(
    code: int, message: str, scale: float, residual: float, sigma_min: float
) -> StatusText:
    """Say what the follower does.

    Args:
        code: a :class:`FollowerState`; an unknown number is told as such.
        message: its own sentence.
        scale: part of the commanded speed that is left, 0 to 1.
        residual: speed that is missing [m/s].
        sigma_min: smallest singular value of the Jacobian [m/rad].
    """
    try:
        state = FollowerState(code)
    except ValueError:
        return refused(f"unknown state {code}", message)
    figures = f"scale {scale:.2f}, missing {residual:.3f} m/s, sigma_min {sigma_min:.3f} m/rad"
    detail = f"{message}; {figures}" if message else figures
    if state in (FollowerState.OK, FollowerState.IDLE):
        return good(_TITLES[state], detail)
    if state > 0 or state in (FollowerState.PAUSED, FollowerState.PATH_ACTIVE):
        return warning(_TITLES[state], detail)
    return refused(_TITLES[state], detail)
