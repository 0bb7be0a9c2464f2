"""What goes into a cycle of the twist follower and what comes out, as plain immutable values.

Named tuples, because some of them are made in every cycle.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from planar_arm_ik.arm.singular import decompose
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.cycle import Motion
from planar_arm_ik.following.model import Model
from planar_arm_ik.status import FollowerState

Pair = tuple[float, float]

_TENTH_OF_A_DEGREE = math.tan(math.radians(0.1))

# Members looked up once: an enumeration's attributes are slow on the way of every cycle.
_OK, _IDLE = FollowerState.OK, FollowerState.IDLE
_ESCAPING, _AT_LIMIT = FollowerState.ESCAPING, FollowerState.AT_LIMIT
_SLOWED = FollowerState.SLOWED

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

    def in_base(self, q: Pair) -> Pair:
        """Turn a velocity given in the frame of the tip at `q` [rad] into the base frame."""
        cos, sin = math.cos(q[0] + q[1]), math.sin(q[0] + q[1])
        return self.x * cos - self.y * sin, self.x * sin + self.y * cos


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
        command_timeout: age after which this twist is stale [s]; 0: as configured.
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
    command_timeout: float = 0.0


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
        residual: commanded - achieved [m/s].
        position: commanded joint angles [rad]; the measured ones while silent.
        scale: common factor on the joint speeds asked for.
        limit_margin: distance to the nearest position limit [rad]; inf without limits.
        direction_kept: achieved points the way commanded does, within 0.1 deg.
        motion: the joint speeds and what limited them.
    """

    status: FollowerState
    commanded: Pair
    residual: Pair
    position: Pair
    scale: float
    limit_margin: float
    direction_kept: bool
    motion: Motion

    @property
    def achieved(self) -> Pair:
        """J qd of the command that was sent [m/s]."""
        return self.motion.achieved_x, self.motion.achieved_y

    @property
    def velocity(self) -> Pair:
        """Commanded joint speeds [rad/s]."""
        return self.motion.qd1, self.motion.qd2

    @property
    def saturated(self) -> tuple[bool, bool]:
        """Which joint is at a limit of speed, acceleration or position."""
        return self.motion.saturated1, self.motion.saturated2


def resting_report(
    config: FollowerConfig, asked: Pair, position: Pair, reason: FollowerState
) -> Report:
    """Report of a silent follower: everything asked for is residual."""
    arm = config.arm
    *_, sigma1, sigma2 = decompose(arm.l1, arm.l2, position[0], position[1])
    nothing = asked == (0.0, 0.0)
    still = Motion(
        *(0.0, 0.0, 0.0, 0.0, sigma1, abs(sigma2), 0.0, 0.0),
        *(True, False, False, False, False, False),
    )
    scale = 1.0 if nothing else 0.0
    margin = _limit_margin(config.model, position)
    return Report(reason, asked, asked, position, scale, margin, nothing, still)


def moving_report(
    model: Model,
    asked: Pair,
    q: Pair,
    motion: Motion,
    part: float,
    reason: FollowerState,
) -> Report:
    """Report of one cycle of motion; step *report* of docs/follower.md.

    Args:
        model: the follower's settings.
        asked: tip velocity asked for [m/s].
        q: commanded joint angles [rad].
        motion: the cycle.
        part: factor by which the tip velocity was shortened before it.
        reason: OK, or why the arm ramps down.
    """
    vx, vy = asked
    qd1, qd2, x, y, _, _, _, scale, _, at_limit, at_edge, escaping, _, _ = motion
    rx, ry = vx - x, vy - y
    status = reason
    if reason is _OK:
        if at_limit or at_edge or escaping:
            status = _ESCAPING if escaping and not at_limit else _AT_LIMIT
        elif abs(rx) + abs(ry) > _NO_RESIDUAL * (abs(vx) + abs(vy)):
            status = _SLOWED
    elif reason is _IDLE and (qd1 or qd2):
        status = _SLOWED
    kept = abs(vx * y - vy * x) <= _TENTH_OF_A_DEGREE * (vx * x + vy * y)
    margin = _limit_margin(model, q)
    # Straight to the tuple: the named constructor is a Python call, and this is every cycle.
    return tuple.__new__(Report, (status, asked, (rx, ry), q, scale * part, margin, kept, motion))


def _limit_margin(model: Model, q: Pair) -> float:
    _, _, joint1, joint2, _, _, _, _ = model
    (q1, q2), lower1, upper1, lower2, upper2 = q, joint1[0], joint1[1], joint2[0], joint2[1]
    margin1 = q1 - lower1 if q1 - lower1 < upper1 - q1 else upper1 - q1
    margin2 = q2 - lower2 if q2 - lower2 < upper2 - q2 else upper2 - q2
    return margin1 if margin1 < margin2 else margin2


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
        return f"leaving the singularity (sigma_min {report.motion.sigma_min:.2g} m/rad): {lost}"
    if status is FollowerState.AT_LIMIT:
        where = "at the edge of the reach" if report.motion.at_edge else "at a position limit"
        return f"{where}: {lost}"
    return f"slowed to {100.0 * report.scale:.0f} % by a limit or damping: {lost}"
