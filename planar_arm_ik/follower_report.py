"""What goes into a cycle of the twist follower and what comes out, as plain immutable values.

Named tuples, because some of them are made in every cycle.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from planar_arm_ik.angles import margin
from planar_arm_ik.arm import PlanarArm
from planar_arm_ik.follower_config import FollowerConfig
from planar_arm_ik.motion import Motion
from planar_arm_ik.singular import decompose
from planar_arm_ik.status import FollowerState

Pair = tuple[float, float]

_TENTH_OF_A_DEGREE = math.tan(math.radians(0.1))

#: Residuals below this part of the command are rounding.
_NO_RESIDUAL = 1e-9


class Twist(NamedTuple):
    """Tip velocity asked for.

    Args:
        x: [m/s].
        y: [m/s].
        in_tip: given in the frame of the tip (only its rotation counts), not of the base.
    """

    x: float
    y: float
    in_tip: bool = False


class Sensed(NamedTuple):
    """What is known at the start of a cycle. Ages are of receipt, by a monotonic clock.

    Args:
        dt: time since the last cycle [s].
        twist: newest twist, finite; None before the first, or when it could not be used.
        command_age: age of that twist [s].
        fault: OK, or INVALID_INPUT or FRAME when the newest twist could not be used.
        position: measured joint angles [rad]; None before the first full state.
        state_age: age of that state [s].
        paused: someone paused the follower.
        path_active: the path executor moves the arm.
        clock_runs: the clock of the commands' stamps advances.
    """

    dt: float
    twist: Twist | None
    command_age: float
    position: Pair | None
    state_age: float
    fault: FollowerState = FollowerState.OK
    paused: bool = False
    path_active: bool = False
    clock_runs: bool = True


class Command(NamedTuple):
    """What the arm is to do.

    Args:
        position: joint angles [rad].
        velocity: joint speeds [rad/s].
    """

    position: Pair
    velocity: Pair


class Report(NamedTuple):
    """What became of the twist in one cycle. Vectors are in the base frame.

    Args:
        status: what the follower does, or why it does nothing.
        commanded: tip velocity asked for [m/s].
        achieved: J qd of the command that was sent [m/s].
        residual: commanded - achieved [m/s].
        position: commanded joint angles [rad]; the measured ones while silent.
        velocity: commanded joint speeds [rad/s].
        sigma_min: smallest singular value of J [m/rad].
        sigma_max: largest singular value of J [m/rad].
        damping: lambda in the lost direction [m/rad].
        scale: common factor on the joint speeds asked for.
        limit_margin: distance to the nearest position limit [rad]; inf without limits.
        saturated: which joint is at a limit of speed, acceleration or position.
        escaping: the arm bends its elbow, or turns, to get out of a singularity.
        direction_kept: achieved points the way commanded does, within 0.1 deg.
        ray_met: the joint speeds are a multiple of the desired ones.
        at_edge: the edge of the ring holds the elbow back.
    """

    status: FollowerState
    commanded: Pair
    achieved: Pair
    residual: Pair
    position: Pair
    velocity: Pair
    sigma_min: float
    sigma_max: float
    damping: float
    scale: float
    limit_margin: float
    saturated: tuple[bool, bool]
    escaping: bool
    direction_kept: bool
    ray_met: bool
    at_edge: bool


def resting_report(
    config: FollowerConfig, asked: Pair, position: Pair, reason: FollowerState
) -> Report:
    """Report of a silent follower: everything asked for is residual."""
    arm = config.arm
    now = decompose(arm.l1, arm.l2, position[0], position[1])
    return Report(
        reason,
        asked,
        (0.0, 0.0),
        asked,
        position,
        (0.0, 0.0),
        abs(now.sigma2),
        now.sigma1,
        0.0,
        0.0 if asked != (0.0, 0.0) else 1.0,
        _limit_margin(arm, position),
        (False, False),
        False,
        asked == (0.0, 0.0),
        True,
        False,
    )


def moving_report(
    config: FollowerConfig,
    asked: Pair,
    q: Pair,
    motion: Motion,
    part: float,
    reason: FollowerState,
) -> Report:
    """Report of one cycle of motion.

    Args:
        config: the follower's settings.
        asked: tip velocity asked for [m/s].
        q: commanded joint angles [rad].
        motion: the cycle.
        part: factor by which the tip velocity was shortened before it.
        reason: OK, or why the arm ramps down.
    """
    (vx, vy), x, y = asked, motion.achieved_x, motion.achieved_y
    rx, ry = vx - x, vy - y
    status = reason
    if reason is FollowerState.OK:
        status = _moving_status(motion, rx * rx + ry * ry, vx * vx + vy * vy)
    elif reason is FollowerState.IDLE and (motion.qd1 or motion.qd2):
        status = FollowerState.SLOWED
    return Report(
        status,
        asked,
        (x, y),
        (rx, ry),
        q,
        (motion.qd1, motion.qd2),
        motion.sigma_min,
        motion.sigma_max,
        motion.damping,
        motion.scale * part,
        _limit_margin(config.arm, q),
        (motion.saturated1, motion.saturated2),
        motion.escaping,
        abs(vx * y - vy * x) <= _TENTH_OF_A_DEGREE * (vx * x + vy * y),
        motion.on_ray,
        motion.at_edge,
    )


def _moving_status(motion: Motion, residual: float, asked: float) -> FollowerState:
    if motion.at_limit:
        return FollowerState.AT_LIMIT
    if motion.escaping:
        return FollowerState.ESCAPING
    if motion.at_edge:
        return FollowerState.AT_LIMIT
    if residual > _NO_RESIDUAL * _NO_RESIDUAL * asked:
        return FollowerState.SLOWED
    return FollowerState.OK


def _limit_margin(arm: PlanarArm, q: Pair) -> float:
    return min(margin(q[0], arm.joint1), margin(q[1], arm.joint2))


_SENTENCES = {
    FollowerState.OK: "following",
    FollowerState.IDLE: "nothing asked, nothing sent",
    FollowerState.NO_STATE: "no full joint state has arrived yet",
    FollowerState.STALE_STATE: "the joint state has gone stale: ramping down",
    FollowerState.STALE_COMMAND: "no fresh twist: ramping down",
    FollowerState.INVALID_INPUT: "the twist cannot be used: ramping down",
    FollowerState.FRAME: "the frame of the twist cannot be used: ramping down",
    FollowerState.STATE_JUMP: "the arm is not where it was sent: let go of the twist",
    FollowerState.CLOCK: "the clock stands still or jumped back: ramping down",
    FollowerState.PAUSED: "paused",
    FollowerState.PATH_ACTIVE: "a path is active: it has the arm",
}


def explain(report: Report) -> str:
    """Say in one sentence what the follower does."""
    status = report.status
    if status in _SENTENCES:
        return _SENTENCES[status]
    x, y = report.residual
    lost = f"{1e3 * (x * x + y * y) ** 0.5:.0f} mm/s of the command not followed"
    if status is FollowerState.ESCAPING:
        return f"leaving the singularity (sigma_min {report.sigma_min:.2g} m/rad): {lost}"
    if status is FollowerState.AT_LIMIT:
        where = "at the edge of the reach" if report.at_edge else "at a position limit"
        return f"{where}: {lost}"
    return f"slowed to {100.0 * report.scale:.0f} % by a limit or damping: {lost}"
