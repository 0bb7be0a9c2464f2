"""The twist follower as a pure state machine: (memory, sensed) -> (memory, command, report).

It starts at the measured state, integrates its own command, and returns to the measured state only
at rest. Whatever is wrong, it ramps down within the acceleration limits, sends a few commands at
rest, and falls silent. The motion of one cycle is in :mod:`planar_arm_ik.motion`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from planar_arm_ik.angles import nearest_turn
from planar_arm_ik.desired import Elbow, elbow_at
from planar_arm_ik.follower_config import FollowerConfig
from planar_arm_ik.follower_report import (
    Command,
    Pair,
    Report,
    Sensed,
    moving_report,
    resting_report,
)
from planar_arm_ik.motion import cycle
from planar_arm_ik.status import FollowerState

_REST: Pair = (0.0, 0.0)
_OK = FollowerState.OK
#: Reasons that end a held command and skip the time to settle.
_LET_GO = frozenset(
    (
        FollowerState.CLOCK,
        FollowerState.NO_STATE,
        FollowerState.STALE_STATE,
        FollowerState.STATE_JUMP,
        FollowerState.PAUSED,
        FollowerState.PATH_ACTIVE,
    )
)


class Own(NamedTuple):
    """The command of a follower that has the arm.

    Args:
        q: joint angles [rad].
        qd: joint speeds [rad/s].
        elbow: half turn of the elbow in use.
        rest: time at rest with nothing asked [s].
        halts: commands sent since then.
    """

    q: Pair
    qd: Pair
    elbow: Elbow
    rest: float = 0.0
    halts: int = 0


class Memory(NamedTuple):
    """What the follower remembers between cycles.

    Args:
        own: its command while it has the arm, else None.
        branch: elbow branch last used, +1 or -1; 0 before the first start.
        jumped: stopped by a measured state far from the command, until the twist is let go.
    """

    own: Own | None = None
    branch: int = 0
    jumped: bool = False


class Outcome(NamedTuple):
    """Result of one cycle; no command means silence."""

    memory: Memory
    command: Command | None
    report: Report


class Follower:
    """A twist follower with fixed settings. It holds no state: the caller keeps the memory."""

    def __init__(self, config: FollowerConfig) -> None:
        self.config = config
        self._model = config.model
        self._holds_speed = config.output == "velocity"
        self._fastest_joint = max(joint.velocity for joint in config.arm.joints)

    def step(self, memory: Memory, sensed: Sensed) -> Outcome:
        """Run one cycle.

        Args:
            memory: what the last cycle returned; `Memory()` at first.
            sensed: what is known now.

        Returns:
            The new memory, the command to send or None, and the report.
        """
        own = memory.own
        asked = self._asked(own, sensed)
        jumped = self._jumped(memory, sensed)
        reason = self._reason(sensed, asked, jumped)
        wants = reason is _OK
        position = sensed.position
        if (
            wants
            and position is not None
            and (
                own is None
                or (own.rest >= self.config.settle_time and self._strayed(own, position))
            )
        ):
            own = Own(position, _REST, self._elbow(memory.branch, position[1]))
        if own is None:
            jumped = jumped and asked != _REST
            if reason is FollowerState.STALE_COMMAND:
                reason = FollowerState.IDLE
            return Outcome(
                Memory(None, memory.branch, jumped),
                None,
                resting_report(self.config, asked, position or _REST, reason),
            )
        return self._moved(own, sensed, asked, reason, jumped)

    def ahead(self, memory: Memory, command: Command) -> Pair:
        """Where the command leads within three periods [rad], not beyond a limit it keeps.

        Args:
            memory: of the cycle that made the command.
            command: the command.
        """
        own, time = memory.own, self.config.longest_step
        if own is None:
            return command.position
        (q1, q2), (qd1, qd2) = command
        joint1, joint2 = self._model.joint1, own.elbow.bounds
        return (
            min(max(q1 + qd1 * time, min(q1, joint1.lower)), max(q1, joint1.upper)),
            min(max(q2 + qd2 * time, min(q2, joint2.lower)), max(q2, joint2.upper)),
        )

    def _moved(
        self, own: Own, sensed: Sensed, asked: Pair, reason: FollowerState, jumped: bool
    ) -> Outcome:
        """One cycle of a follower that has the arm: along the twist, or down to rest."""
        wants = reason is _OK
        config = self.config
        q, elbow = own.q, own.elbow
        elapsed = sensed.dt if sensed.dt > 0.0 else 0.0
        dt = min(elapsed, config.longest_step)
        if self._holds_speed:
            q = (q[0] + own.qd[0] * elapsed, q[1] + own.qd[1] * elapsed)
        velocity, part = self._capped(asked) if wants else (_REST, 1.0)
        horizon = 2.0 * config.period if self._holds_speed else dt
        motion = cycle(self._model, q, own.qd, elbow, velocity, dt, horizon)
        qd = motion[:2]
        if not self._holds_speed:
            q = (q[0] + qd[0] * dt, q[1] + qd[1] * dt)
        report = moving_report(config, asked, q, motion, part, reason)
        if wants or qd != _REST:
            own = Own(q, qd, elbow)
            return Outcome(Memory(own, elbow.branch, jumped), Command(q, qd), report)
        own = Own(q, qd, elbow, own.rest + elapsed, own.halts + 1)
        send = own.halts <= config.halt_messages or (config.hold and reason not in _LET_GO)
        kept = own if self._keeps(own, reason) else None
        return Outcome(
            Memory(kept, elbow.branch, jumped and (kept is not None or asked != _REST)),
            Command(q, qd) if send else None,
            report,
        )

    def _keeps(self, own: Own, reason: FollowerState) -> bool:
        """Whether a follower at rest keeps its own command for a twist that may come back."""
        if own.halts < self.config.halt_messages:
            return True
        if reason in _LET_GO:
            return False
        return self.config.hold or own.rest < self.config.settle_time

    def _reason(self, sensed: Sensed, asked: Pair, jumped: bool) -> FollowerState:
        """OK when the twist may be followed, IDLE when it asks for nothing, else what is wrong."""
        _, twist, command_age, position, state_age, fault, paused, path_active, clock_runs = sensed
        config = self.config
        if not clock_runs:
            return FollowerState.CLOCK
        if position is None:
            return FollowerState.NO_STATE
        if not state_age <= config.state_timeout:
            return FollowerState.STALE_STATE
        if jumped:
            return FollowerState.STATE_JUMP
        if paused:
            return FollowerState.PAUSED
        if path_active:
            return FollowerState.PATH_ACTIVE
        fresh = command_age <= config.command_timeout
        if fresh and fault is not _OK:
            return fault
        if twist is None:
            return FollowerState.IDLE
        if not fresh:
            return FollowerState.STALE_COMMAND
        return _OK if asked != _REST else FollowerState.IDLE

    def _asked(self, own: Own | None, sensed: Sensed) -> Pair:
        """Tip velocity asked for now [m/s], base frame; zero without a usable, fresh twist."""
        twist = sensed.twist
        if (
            twist is None
            or sensed.fault is not _OK
            or not sensed.command_age <= self.config.command_timeout
        ):
            return _REST
        if not twist.in_tip:
            return twist.x, twist.y
        q = own.q if own is not None else sensed.position or _REST
        cos, sin = math.cos(q[0] + q[1]), math.sin(q[0] + q[1])
        return twist.x * cos - twist.y * sin, twist.x * sin + twist.y * cos

    def _capped(self, asked: Pair) -> tuple[Pair, float]:
        """The velocity shortened to the largest tip speed, and the factor."""
        speed = math.hypot(asked[0], asked[1])
        if speed <= self.config.max_tip_speed:
            return asked, 1.0
        part = self.config.max_tip_speed / speed
        return (part * asked[0], part * asked[1]), part

    def _jumped(self, memory: Memory, sensed: Sensed) -> bool:
        """Whether the arm is, or was and still counts as, far from where it was sent."""
        own, position = memory.own, sensed.position
        if memory.jumped or own is None or position is None:
            return memory.jumped
        (p1, p2), (q1, q2), most = position, own.q, self.config.max_state_difference
        if abs(p1 - q1) <= most and abs(p2 - q2) <= most:
            return False
        # A state that is late shows where the arm was: allow for what it can have moved since.
        late = min(sensed.state_age, self.config.state_timeout) * self._fastest_joint
        return self._difference(own, position) > most + late

    def _strayed(self, own: Own, position: Pair) -> bool:
        return self._difference(own, position) > self.config.resync_tolerance

    def _difference(self, own: Own, position: Pair) -> float:
        """Largest distance of a measured from a commanded angle [rad], whole turns aside."""
        e1, e2 = position[0] - own.q[0], position[1] - own.q[1]
        if self.config.arm.joint1.continuous:
            e1 = nearest_turn(e1, 0.0)
        if self.config.arm.joint2.continuous:
            e2 = nearest_turn(e2, 0.0)
        return max(abs(e1), abs(e2))

    def _elbow(self, used: int, q2: float) -> Elbow:
        preferred = int(self.config.preferred_branch)
        return elbow_at(q2, self._model.joint2, used, preferred)
