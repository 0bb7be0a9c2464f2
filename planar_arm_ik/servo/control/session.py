"""Drives a servo arm from a program without ROS: enable, move, read, relax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType

from planar_arm_ik.clocks import STEADY, Clock
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.control.loop import ServoLoop
from planar_arm_ik.servo.control.machine import ServoArm
from planar_arm_ik.servo.control.report import ArmReport, ArmState
from planar_arm_ik.servo.settings.backends import make_bus
from planar_arm_ik.servo.settings.settings import ServoSettings

_POLL = 0.01
#: Time beyond the ideal that a motion may take [s].
_PATIENCE = 3.0
_SETTLED = 0.3


class ServoSession:
    """Opens the arm, runs its loop, shuts it down; a context manager.

    Args:
        settings: the arm.
        say: takes (level, text).
        clock: what cycles and patience are timed by.

    Raises:
        PlanarArmError: on entering, when the bus cannot be opened.
    """

    def __init__(
        self, settings: ServoSettings, say: Callable[[str, str], None], clock: Clock = STEADY
    ) -> None:
        self.settings = settings
        self._clock = clock
        self._say = say
        self.bus = make_bus(settings)
        self._arm = ServoArm(self.bus, settings, say)
        self._loop = ServoLoop(self._arm, settings.bus.rate, lambda report: None, clock=clock)

    def __enter__(self) -> ServoSession:
        try:
            self._arm.open()
        except BusError as error:
            raise PlanarArmError(str(error)) from error
        self._loop.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if not self._loop.stop():
            self._say("error", "the bus did not answer in time and is given up")

    @property
    def report(self) -> ArmReport:
        """What the last cycle found.

        Raises:
            PlanarArmError: the arm is in a fault.
        """
        report = self._loop.report
        if report.state is ArmState.FAULT:
            raise PlanarArmError(report.reason)
        return report

    def enable(self) -> None:
        """Hold the arm; returns when it follows commands.

        Raises:
            PlanarArmError: it cannot be enabled.
        """
        verdict = self._loop.enable().result()
        if not verdict.accepted:
            raise PlanarArmError(verdict.message)
        self._until(lambda: self.report.state is ArmState.ENABLED, 2.0 * _PATIENCE, "enabling")
        self._loop.command(self.report.setpoint or self.position)
        self._until(lambda: self.report.gate_open, _PATIENCE, "the gate")

    def relax(self) -> None:
        """Torque off.

        Raises:
            PlanarArmError: the bus failed.
        """
        verdict = self._loop.relax().result()
        if not verdict.accepted:
            raise PlanarArmError(verdict.message)

    @property
    def position(self) -> list[float]:
        """Joint angles of a fresh reading [rad]."""
        self._until(lambda: self.report.position is not None, _PATIENCE, "a reading")
        return list(self.report.position or ())

    def move(self, target: Sequence[float]) -> float:
        """Slew to joint angles and wait.

        Args:
            target: joint angles [rad].

        Returns:
            Largest distance between set point and measured angle on the way [rad].

        Raises:
            PlanarArmError: it did not get there in time, or a fault came.
        """
        joints = self.settings.joints
        goal = [joint.clamp(q) for joint, q in zip(joints, target, strict=True)]
        far = max(
            abs(q - here) / joint.max_speed
            for q, here, joint in zip(goal, self.report.setpoint, joints, strict=True)
        )
        lag = 0.0

        def arrived() -> bool:
            nonlocal lag
            report = self.report
            if report.fresh and report.measured and report.position is not None:
                pairs = zip(report.position, report.setpoint, strict=True)
                lag = max(lag, *(abs(q - wanted) for q, wanted in pairs))
            return max(abs(q - s) for q, s in zip(goal, report.setpoint, strict=True)) < 1e-9

        self._loop.command(goal)
        self._until(arrived, far + _PATIENCE, f"reaching {goal}")
        self._clock.wait_until(self._clock.now() + _SETTLED)
        return lag

    def _until(self, done: Callable[[], bool], patience: float, what: str) -> None:
        end = self._clock.now() + patience
        while not done():
            if self._clock.now() > end:
                raise PlanarArmError(f"{what} took longer than {patience:.1f} s")
            self._clock.wait_until(self._clock.now() + _POLL)
