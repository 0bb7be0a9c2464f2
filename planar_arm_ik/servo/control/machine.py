"""What a servo arm does in each cycle, as a state machine: limp, enabled, in a fault, shut down.

Time is an argument everywhere. Nothing moves before :meth:`ServoArm.enable`, which is a person's
act; after a fault the bus is opened again every second, but the arm comes back limp.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from planar_arm_ik.servo.buses.bus import BusError, ServoBus, insist
from planar_arm_ik.servo.control.axes import Axes
from planar_arm_ik.servo.control.commands import Commands
from planar_arm_ik.servo.control.health import HealthRound
from planar_arm_ik.servo.control.report import ArmReport, ArmState
from planar_arm_ik.servo.control.setpoints import Setpoints, Verdict
from planar_arm_ik.servo.settings.settings import ServoSettings

_REOPEN_PERIOD = 1.0
#: A cycle that comes late moves at most for this many periods.
_LATEST = 2.0
#: Between the first pulse of one joint and the first of the next, without feedback [s].
_HOMING_PERIOD = 0.5
_SHUTDOWN_TIME = 2.5


class ServoArm:
    """The servos of one arm behind limits, gate and faults.

    Args:
        bus: the servos.
        settings: calibration and behaviour.
        say: takes (level, text) for what a person should read; level ``warning`` or ``error``.
    """

    def __init__(
        self, bus: ServoBus, settings: ServoSettings, say: Callable[[str, str], None]
    ) -> None:
        self._bus = bus
        self._options = settings.bus
        self._joints = settings.joints
        self._say = say
        self._period = 1.0 / settings.bus.rate
        self._axes = Axes(bus, settings.joints)
        self._setpoints = Setpoints(settings.joints, settings.bus.max_jump)
        self._commands = Commands(self._setpoints, say)
        self._homed = 0
        self._due = self._last_cycle = -math.inf
        self._health = HealthRound(bus, len(self._joints))
        self.report = ArmReport(health=self._health.known)

    def open(self) -> None:
        """Open the bus, read the arm, let go of servos that can be read; moves nothing.

        A pulse chip that already drives its servos keeps its pulses until it is enabled: letting
        go would lose the only knowledge of where they are. After a fault it is let go as well.

        Raises:
            BusError: no bus or no servo.
        """
        after_fault = self.report.state is ArmState.FAULT
        self._bus.open()
        self._set(state=ArmState.LIMP, misses=0, gate_open=False)
        try:
            if self._bus.feedback or after_fault:
                insist(self._bus.relax)
            insist(self._measure)
        except BusError:
            self._bus.close()
            raise
        self._set(reason="")

    def enable(self, now: float) -> Verdict:
        """Hold the arm where it is; commands are followed once one lies near it."""
        state = self.report.state
        if state in (ArmState.ENABLED, ArmState.HOMING):
            return Verdict(True, "already enabled")
        if state is not ArmState.LIMP:
            return Verdict(False, f"cannot enable: {state.name.lower()}: {self.report.reason}")
        return self._or_fail(partial(self._enable, now), now)

    def relax(self, now: float) -> Verdict:
        """Torque off, now."""
        if self.report.state in (ArmState.FAULT, ArmState.CLOSED):
            return Verdict(False, f"{self.report.state.name.lower()}: {self.report.reason}")
        return self._or_fail(self._let_go, now)

    def follow(self, order: Callable[[Commands], Verdict]) -> Verdict:
        """Give an order to an enabled arm; in every other state it is ignored."""
        if self.report.state is not ArmState.ENABLED:
            return Verdict(False, f"ignored: the arm is {self.report.state.name.lower()}")
        return order(self._commands)

    def shut_down(self, now: float) -> None:
        """Begin the chosen shutdown; cycles go on until the state is CLOSED."""
        if self.report.state is ArmState.ENABLED:
            self._due = now + _SHUTDOWN_TIME
            if self._options.on_shutdown == "rest":
                self._commands.go_to([joint.rest_angle for joint in self._joints])
            self._set(state=ArmState.STOPPING)
        elif self.report.state not in (ArmState.STOPPING, ArmState.CLOSED):
            self._close()

    def cycle(self, now: float) -> ArmReport:
        """One turn: read, judge, write."""
        dt = min(max(now - self._last_cycle, 0.0), _LATEST * self._period)
        self._last_cycle = now
        self._set(fresh=False)
        if self.report.state is ArmState.FAULT:
            self._reopen(now)
        elif self.report.state is not ArmState.CLOSED:
            try:
                self._measure()
                torque = self.report.state is ArmState.ENABLED
                self._set(health=self._health.turn(now, torque), misses=0)
                self._drive(now, dt)  # last: it may close the bus
            except BusError as error:
                self._miss(error, now)
        return self.report

    def _measure(self) -> None:
        """Read the bus into the report; what cannot be read is the last set point."""
        limp = self.report.state is ArmState.LIMP
        position = self._axes.read()
        if position is None or not (limp or self._bus.feedback):
            position = list(self._setpoints.position)
        elif not limp:
            for k, joint in enumerate(self._joints):
                if not joint.feedback:
                    position[k] = self._setpoints.position[k]
        measured = self._bus.feedback and all(joint.feedback for joint in self._joints)
        self._set(position=tuple(position), fresh=True, measured=measured)

    def _or_fail(self, action: Callable[[], Verdict], now: float) -> Verdict:
        """Do what a person asked for; a bus error is a fault and the answer."""
        try:
            return action()
        except BusError as error:
            self._fail(error, now)
            return Verdict(False, str(error))

    def _let_go(self) -> Verdict:
        insist(self._bus.relax)
        self._commands.hold(self._setpoints.position)
        self._set(state=ArmState.LIMP, gate_open=False)
        return Verdict(True, "limp")

    def _enable(self, now: float) -> Verdict:
        insist(self._measure)
        problem = self._axes.outside(self.report.position or ())
        if problem:
            return Verdict(False, problem)
        here = self.report.position or ()
        self._commands.hold([joint.clamp(q) for joint, q in zip(self._joints, here, strict=True)])
        self._axes.hold_here(self._setpoints.position)
        self._set(setpoint=tuple(self._setpoints.position), ticks=tuple(self._axes.sent))
        if not self._axes.driven:
            self._homed, self._due = 0, now
            self._set(state=ArmState.HOMING)
            return Verdict(
                True, "switching on one joint after the other; a servo without feedback leaps to "
                "its first pulse",
            )  # fmt: skip
        for k in range(len(self._joints)):
            insist(partial(self._axes.energise, k))
        insist(partial(self._bus.start_watchdog, self._options.watchdog))
        self._set(state=ArmState.ENABLED)
        return Verdict(True, "enabled and holding; follows once a command lies near the arm")

    def _drive(self, now: float, dt: float) -> None:
        state = self.report.state
        if state is ArmState.HOMING:
            self._home(now)
        elif state is ArmState.ENABLED:
            self._send(self._commands.next(now, dt), dt)
        elif state is ArmState.STOPPING:
            self._wind_down(now, dt)

    def _home(self, now: float) -> None:
        """Without feedback: one first pulse after the other, then enabled."""
        if now < self._due:
            return
        if self._homed == len(self._joints):
            self._set(state=ArmState.ENABLED)
            return
        insist(partial(self._axes.energise, self._homed))
        self._homed += 1
        self._due = now + _HOMING_PERIOD

    def _wind_down(self, now: float, dt: float) -> None:
        to_rest = self._options.on_shutdown == "rest" and now < self._due
        step = self._commands.next(now, dt) if to_rest else self._commands.run_out(dt)
        self._send(step, dt)
        if self._setpoints.at_rest or now >= self._due:
            self._close()

    def _send(self, position: Sequence[float], dt: float) -> None:
        self._axes.send(position, self._setpoints.velocity, dt)
        gate = self._setpoints.gate_open
        self._set(setpoint=tuple(position), ticks=tuple(self._axes.sent), gate_open=gate)

    def _close(self) -> None:
        """The last act, once: torque off, or hold without a watchdog that would trip."""
        with suppress(BusError):
            if self._options.on_shutdown == "hold":
                insist(partial(self._bus.start_watchdog, 0.0))
            else:
                insist(self._bus.relax)
        self._bus.close()
        self._set(state=ArmState.CLOSED, fresh=False, gate_open=False)

    def _miss(self, error: BusError, now: float) -> None:
        """One bad cycle: keep the last reading, count; several or a dead bus: fault."""
        misses, total = self.report.misses + 1, self.report.total_misses + 1
        self._set(misses=misses, total_misses=total, reason=str(error), fresh=False)
        if error.fatal or misses >= self._options.misses:
            self._fail(error, now)

    def _fail(self, error: BusError, now: float) -> None:
        """Let go of everything; only a person's enable makes it move again."""
        stopping = self.report.state is ArmState.STOPPING
        with suppress(BusError):
            self._bus.relax()
        self._bus.close()
        self._axes.forget()
        self._commands.hold(self._setpoints.position)
        self._due = now + _REOPEN_PERIOD
        self._set(
            state=ArmState.CLOSED if stopping else ArmState.FAULT, reason=str(error),
            position=None, fresh=False, gate_open=False,
        )  # fmt: skip
        self._say("error", f"fault, servos let go: {error}")

    def _reopen(self, now: float) -> None:
        if now < self._due:
            return
        self._due = now + _REOPEN_PERIOD
        try:
            self.open()
        except BusError as error:
            self._set(state=ArmState.FAULT, reason=str(error), position=None, fresh=False)
            return
        self._say("warning", "the bus is back; the arm is limp until it is enabled")

    def _set(self, **changes: object) -> None:
        self.report = replace(self.report, **changes)  # type: ignore[arg-type]
