"""The twist follower as a pure state machine: (memory, sensed) -> (memory, command, report).

It starts at the measured state, integrates its own command, and returns to the measured state only
at rest. Whatever is wrong, it ramps down, sends a few commands at rest, and falls silent. The
motion of one cycle is in :mod:`planar_arm_ik.following.cycle`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from planar_arm_ik.arm.angles import nearest_turn
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.cycle import cycle
from planar_arm_ik.following.desired import Elbow, elbow_at
from planar_arm_ik.following.report import (
    Command,
    Pair,
    Report,
    Sensed,
    moving_report,
    resting_report,
)
from planar_arm_ik.status import FollowerState

_REST: Pair = (0.0, 0.0)
_OK = FollowerState.OK
# Straight to the tuple: a named constructor is a Python call, and this is every cycle.
_make = tuple.__new__
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


class Memory(NamedTuple):
    """What the follower remembers between cycles.

    Args:
        elbow: half turn of the elbow last used; None before the first start.
        has_arm: the follower has the arm, and what follows is its command.
        q: joint angles [rad].
        qd: joint speeds [rad/s].
        rest: time at rest with nothing asked [s].
        halts: commands sent since then.
        jumped: stopped by a measured state far from the command, until the twist is let go.
    """

    elbow: Elbow | None = None
    has_arm: bool = False
    q: Pair = _REST
    qd: Pair = _REST
    rest: float = 0.0
    halts: int = 0
    jumped: bool = False


class Outcome(NamedTuple):
    """Result of one cycle; no command means silence."""

    memory: Memory
    command: Command | None
    report: Report


class Follower:
    """A twist follower with fixed settings; the caller keeps its memory."""

    def __init__(self, config: FollowerConfig) -> None:
        self.config = config
        self._model, self._longest_step = config.model, config.longest_step
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
        elbow, has_arm, q, _, rest, _, jumped = memory
        position = sensed.position
        if has_arm and position is not None and not jumped:
            jumped = self._jumped(q, position, sensed.state_age)
        asked, reason = self._asked(q if has_arm else position, sensed, jumped)
        if (
            reason is _OK
            and position is not None
            and (not has_arm or (rest and self._strayed(memory, position)))
        ):
            elbow = self._elbow(elbow, position[1])
            memory, has_arm = Memory(elbow, True, position), True
        if has_arm and elbow is not None:
            return self._moved(memory, elbow, sensed, asked, reason, jumped)
        jumped = jumped and asked != _REST
        if reason is FollowerState.STALE_COMMAND:
            reason = FollowerState.IDLE
        return Outcome(
            Memory(elbow, jumped=jumped),
            None,
            resting_report(self.config, asked, position or _REST, reason),
        )

    def ahead(self, memory: Memory, command: Command) -> Pair:
        """Where the command leads within three periods [rad], not beyond a limit it keeps.

        Args:
            memory: of the cycle that made the command.
            command: the command.
        """
        elbow, time = memory.elbow, self._longest_step
        if elbow is None or not memory.has_arm:
            return command.position
        (q1, q2), (qd1, qd2) = command
        joint1, joint2 = self._model.joint1, elbow.bounds
        return (
            min(max(q1 + qd1 * time, min(q1, joint1.lower)), max(q1, joint1.upper)),
            min(max(q2 + qd2 * time, min(q2, joint2.lower)), max(q2, joint2.upper)),
        )

    def _moved(
        self,
        memory: Memory,
        elbow: Elbow,
        sensed: Sensed,
        asked: Pair,
        reason: FollowerState,
        jumped: bool,
    ) -> Outcome:
        """One cycle of a follower that has the arm: along the twist, or down to rest."""
        wants = reason is _OK
        config = self.config
        _, _, (q1, q2), qd, rest, halts, _ = memory
        elapsed = sensed.dt if sensed.dt > 0.0 else 0.0  # 0 for NaN
        dt = horizon = elapsed if elapsed < self._longest_step else self._longest_step
        if self._holds_speed:
            q1, q2 = q1 + qd[0] * elapsed, q2 + qd[1] * elapsed
            horizon = 2.0 * config.period
        velocity, part = self._capped(asked) if wants else (_REST, 1.0)
        motion = cycle(self._model, (q1, q2), qd, elbow, velocity, dt, horizon)
        qd = motion[:2]
        if not self._holds_speed:
            q1, q2 = q1 + qd[0] * dt, q2 + qd[1] * dt
        q = (q1, q2)
        report = moving_report(self._model, asked, q, motion, part, reason)
        if wants or qd != _REST:
            memory = _make(Memory, (elbow, True, q, qd, 0.0, 0, jumped))
            return _make(Outcome, (memory, _make(Command, (q, qd)), report))
        rest, halts = rest + elapsed, halts + 1
        send = halts <= config.halt_messages or (config.hold and reason not in _LET_GO)
        keeps = self._keeps(rest, halts, reason)
        jumped = jumped and (keeps or asked != _REST)
        return Outcome(
            Memory(elbow, keeps, q, qd, rest, halts, jumped),
            Command(q, qd) if send else None,
            report,
        )

    def _keeps(self, rest: float, halts: int, reason: FollowerState) -> bool:
        """Whether a follower at rest keeps its own command for a twist that may come back."""
        if halts < self.config.halt_messages:
            return True
        if reason in _LET_GO:
            return False
        return self.config.hold or rest < self.config.settle_time

    def _asked(self, q: Pair | None, sensed: Sensed, jumped: bool) -> tuple[Pair, FollowerState]:
        """Tip velocity asked for now [m/s], base frame, and whether to follow it.

        The state is OK when the twist may be followed, IDLE when it asks for nothing, else what
        is wrong; the velocity is zero without a usable, fresh twist.
        """
        _, twist, command_age, _, _, fault, paused, path_active, _, timeout = sensed
        asked = _REST
        fresh = command_age <= (timeout or self.config.command_timeout)
        if twist is not None and fresh and fault is _OK:
            asked = twist.in_base(q or _REST) if twist.in_tip else twist[:2]
        state = self._state_of_arm(sensed, jumped)
        if state is not _OK:
            return asked, state
        if paused:
            return asked, FollowerState.PAUSED
        if path_active:
            return asked, FollowerState.PATH_ACTIVE
        if fault is not _OK and fresh:
            return asked, fault
        if asked != _REST:
            return asked, _OK
        stale = twist is not None and not fresh
        return asked, FollowerState.STALE_COMMAND if stale else FollowerState.IDLE

    def _state_of_arm(self, sensed: Sensed, jumped: bool) -> FollowerState:
        """OK when clock and measured state allow motion, else what is wrong."""
        if not sensed.clock_runs:
            return FollowerState.CLOCK
        if sensed.position is None:
            return FollowerState.NO_STATE
        if not sensed.state_age <= self.config.state_timeout:
            return FollowerState.STALE_STATE
        return FollowerState.STATE_JUMP if jumped else _OK

    def _capped(self, asked: Pair) -> tuple[Pair, float]:
        """The velocity shortened to the largest tip speed, and the factor."""
        x, y = asked
        most = self.config.max_tip_speed
        if x * x + y * y <= most * most:
            return asked, 1.0
        part = most / math.hypot(x, y)
        return (part * asked[0], part * asked[1]), part

    def _jumped(self, q: Pair, position: Pair, age: float) -> bool:
        """Whether the arm is far from where it was sent."""
        most = self.config.max_state_difference
        if abs(position[0] - q[0]) <= most and abs(position[1] - q[1]) <= most:
            return False
        # A state that is late shows where the arm was: allow for what it can have moved since.
        late = min(age, self.config.state_timeout) * self._fastest_joint
        return self._difference(q, position) > most + late

    def _strayed(self, memory: Memory, position: Pair) -> bool:
        """Whether a command at rest for long must give way to the measured state."""
        config = self.config
        if memory.rest < config.settle_time:
            return False
        return self._difference(memory.q, position) > config.resync_tolerance

    def _difference(self, q: Pair, position: Pair) -> float:
        """Largest distance of a measured from a commanded angle [rad], whole turns aside."""
        e1, e2 = position[0] - q[0], position[1] - q[1]
        if self.config.arm.joint1.continuous:
            e1 = nearest_turn(e1, 0.0)
        if self.config.arm.joint2.continuous:
            e2 = nearest_turn(e2, 0.0)
        return max(abs(e1), abs(e2))

    def _elbow(self, used: Elbow | None, q2: float) -> Elbow:
        branch = used.branch if used is not None else 0
        return elbow_at(q2, self._model.joint2, branch, int(self.config.preferred_branch))
