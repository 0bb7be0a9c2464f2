"""A simulated bus: servos that move as commanded, in the ticks of a 4096-count servo."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from planar_arm_ik.clocks import STEADY, Clock
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import ServoHealth
from planar_arm_ik.servo.buses.motor import Motor
from planar_arm_ik.servo.calibration.calibration import JointCalibration

#: Longest step of the motion model [s]; a stopped clock must not turn into a leap.
_STEP = 0.005


@dataclass(frozen=True)
class SimOptions:
    """How good the simulated servos are.

    Args:
        top_speed: largest speed [ticks/s]; 0 for no limit.
        lag: time constant behind the goal [s].
        backlash: play [ticks].
        noise: standard deviation of a reading [ticks].
        start: angle of every joint when the simulation starts [rad], by joint; rest when empty.
        seed: of the noise.
    """

    top_speed: float = 0.0
    lag: float = 0.0
    backlash: float = 0.0
    noise: float = 0.0
    start: tuple[float, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("top_speed", "lag", "backlash", "noise"):
            if not 0.0 <= getattr(self, name) < float("inf"):
                raise PlanarArmError(f"sim.{name} = {getattr(self, name)} must be 0 or more")


class SimBus:
    """The bus class over motion models instead of wires.

    Args:
        joints: calibration of every joint.
        options: imperfections of the servos.
        clock: the time in which the servos move.
    """

    address = "simulation"
    feedback = True
    resolution = 1.0
    turn = None

    def __init__(
        self,
        joints: Sequence[JointCalibration],
        options: SimOptions | None = None,
        clock: Clock = STEADY,
    ) -> None:
        self._options = options or SimOptions()
        start = self._options.start or tuple(joint.rest_angle for joint in joints)
        if len(start) != len(joints):
            raise PlanarArmError(f"sim.start has {len(start)} angles for {len(joints)} joints")
        self.motors = [
            Motor(
                round(joint.to_raw(q)), self._options.top_speed, self._options.lag,
                self._options.backlash,
            )
            for joint, q in zip(joints, start, strict=True)
        ]  # fmt: skip
        self._clock = clock
        self._random = random.Random(self._options.seed)
        self._time = clock.now()

    def open(self) -> None:
        """Nothing to open."""
        self._time = self._clock.now()

    def close(self) -> None:
        """Nothing to close."""

    def read(self) -> list[int]:
        """Where the shafts are now [ticks], with noise."""
        self._advance()
        noise = self._options.noise
        return [
            round(motor.output + (self._random.gauss(0.0, noise) if noise else 0.0))
            for motor in self.motors
        ]

    def energise(self, joint: int, ticks: int, speed: float) -> None:
        """Speed limit, goal, torque."""
        self._advance()
        motor = self.motors[joint]
        motor.speed, motor.goal, motor.torque = speed, ticks, True

    def start_watchdog(self, seconds: float) -> None:
        """The simulated servos have no watchdog."""

    def write(self, ticks: Sequence[int]) -> None:
        """Send a goal to every joint."""
        self._advance()
        for motor, goal in zip(self.motors, ticks, strict=True):
            motor.goal = goal

    def relax(self) -> None:
        """Torque off."""
        self._advance()
        for motor in self.motors:
            motor.torque = False

    def check(self, joint: int, torque: bool) -> ServoHealth:
        """Return the state of one motor."""
        return ServoHealth(torque=self.motors[joint].torque)

    def _advance(self) -> None:
        now = self._clock.now()
        left = min(now - self._time, 1.0)
        self._time = now
        while left > 0.0:
            for motor in self.motors:
                motor.advance(min(left, _STEP))
            left -= _STEP
