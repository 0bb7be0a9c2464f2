"""Driver, twist follower and path executor around one simulated arm, on a made clock.

In one thread the real state machines of the three nodes (`ServoArm`, `Follower`, `Execution`) run
at their rates and hand each other what goes over the topics; only the middleware is left out. The
same seeds give the same run to the bit, tens of times faster than real time. Every cycle is
compared with what the documents promise.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from teleoperation import Worst, judge

from made_clock import MadeClock
from planar_arm_ik.arm.joint_states import MeasuredState
from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.follower import Follower, Memory
from planar_arm_ik.following.report import Sensed, Twist
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.buses.sim import SimBus
from planar_arm_ik.servo.control.machine import ServoArm
from planar_arm_ik.servo.control.report import ArmState
from planar_arm_ik.servo.settings.simulated import simulated_settings
from planar_arm_ik.status import FollowerState, IkStatus
from planar_arm_ik.trajectories.execution import Execution
from planar_arm_ik.trajectories.motion import PathOptions, prepare
from planar_arm_ik.trajectories.tolerances import Tolerances
from planar_arm_ik.trajectories.trajectory import Trajectory

LIMITS = {"velocity": 2.0, "acceleration": 8.0}
ARM = PlanarArm(
    0.5,
    0.4,
    JointLimits(-math.radians(170), math.radians(170), **LIMITS),
    JointLimits(-math.radians(150), math.radians(150), **LIMITS),
)
#: Allowed above a limit: rounding of servo units and of doubles.
ROUNDING = 1e-6
#: Speed and acceleration of what the timing makes, as a part of the limits.
TIMING = 1.001
#: Time between two looks of the executor [s].
LOOK = 0.02


class FaultyBus(SimBus):
    """A simulated bus that fails to answer while it is told to."""

    failing = False
    dead = False

    def read(self) -> list[int]:
        if self.failing or self.dead:
            raise BusError("simulation", "no answer", fatal=self.dead)
        return super().read()


@dataclass
class Crossings:
    """Promises that were broken, each with the time and the numbers."""

    found: list[str] = field(default_factory=list)

    def expect(self, kept: bool, what: str, *numbers: object) -> None:
        if not kept and len(self.found) < 20:
            self.found.append(f"{what}: {' '.join(map(str, numbers))}")


class World:
    """One arm and who moves it.

    Args:
        start: joint angles at first [rad].
        config: settings of the follower.
        rate: of the servo driver [Hz].
    """

    def __init__(
        self,
        start: tuple[float, float] = (0.3, 1.2),
        config: FollowerConfig | None = None,
        rate: float = 100.0,
        arm: PlanarArm = ARM,
    ) -> None:
        self.arm = arm
        self.clock = MadeClock()
        self.crossings = Crossings()
        self.said: list[str] = []
        self.digest = hashlib.sha256()
        self.worst = Worst()
        self.cycles = 0
        made = simulated_settings(arm, ("joint1", "joint2"), start, rate)
        self.bus = FaultyBus(made.joints, made.bus.sim, self.clock)
        self.servos = ServoArm(self.bus, made, lambda level, text: self.said.append(text))
        self.servos.open()
        self._period = 1.0 / rate
        self._setpoint: tuple[float, ...] | None = None
        self.follower = Follower(config or FollowerConfig(arm))
        self.memory = Memory()
        self.report = None
        self.twist: Twist | None = None
        self.twist_at = -math.inf
        self.fault = FollowerState.OK
        self.paused = False
        self.hears = True
        self._state: MeasuredState | None = None
        self._heard: MeasuredState | None = None
        self._followed = self.clock.now()
        self.execution: Execution | None = None
        self._asked: tuple[object, PathOptions] | None = None
        self.ends: list[tuple[IkStatus, str]] = []
        self.tolerances = Tolerances()
        self.clock.every(self._period, self._drive)
        self.clock.every(self.follower.config.period, self._follow, 0.003)
        self.clock.every(LOOK, self._look, 0.005)

    # What a test or an operator does.

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.wait(seconds)

    def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Let time pass until a condition holds; whether it did within `seconds`."""
        end = self.clock.now() + seconds
        while not condition() and self.clock.now() < end:
            self.clock.wait(0.01)
        return condition()

    def enable(self) -> bool:
        """Ask for torque."""
        return self.servos.enable(self.clock.now()).accepted

    def send(self, x: float, y: float, in_tip: bool = False) -> None:
        """A twist arrives [m/s]."""
        self.twist, self.twist_at = Twist(x, y, in_tip), self.clock.now()

    def hold(self, x: float, y: float, seconds: float, rate: float = 50.0) -> None:
        """Send a twist again and again [m/s]."""
        for _ in range(round(seconds * rate)):
            self.send(x, y)
            self.clock.wait(1.0 / rate)

    def go(self, waypoints: object, options: PathOptions | None = None) -> None:
        """A path goal arrives; it begins when the follower has let go of the arm."""
        if self.execution is not None:
            self.cancel(IkStatus.PREEMPTED)
        self._asked = waypoints, options or PathOptions()

    def cancel(self, status: IkStatus = IkStatus.CANCELED) -> None:
        """The goal's owner cancels it."""
        self._asked = None
        if self.execution is not None:
            self._play(self.execution.stop(self.clock.now(), self.tolerances, status, "canceled"))

    @property
    def q(self) -> tuple[float, float]:
        """Where the servos are [rad]."""
        q1, q2 = (motor.output * 1e-6 for motor in self.bus.motors)
        return q1, q2

    @property
    def path_active(self) -> bool:
        """Whether the executor has the arm or asks for it."""
        return self.execution is not None or self._asked is not None

    # What the three nodes do.

    def _drive(self) -> None:
        report = self.servos.cycle(self.clock.now())
        self.cycles += 1
        if report.fresh and report.position is not None:
            q = np.array(report.position)
            self._state = MeasuredState(q, np.zeros(2), self.clock.now())
        moving = report.state in (ArmState.ENABLED, ArmState.STOPPING)
        setpoint = report.setpoint if moving else None
        self.digest.update(struct.pack("<2d", *self.q))
        if setpoint:
            self._judge_setpoint(setpoint)
        self._setpoint = setpoint or None

    def _judge_setpoint(self, setpoint: tuple[float, ...]) -> None:
        expect, now = self.crossings.expect, self.clock.now()
        expect(all(map(math.isfinite, setpoint)), "a set point is not finite", now, setpoint)
        for k, joint in enumerate(self.arm.joints):
            inside = joint.lower - ROUNDING <= setpoint[k] <= joint.upper + ROUNDING
            expect(inside, f"set point of joint{k + 1} outside its limits", now, setpoint[k])
            if self._setpoint:
                speed = abs(setpoint[k] - self._setpoint[k]) / self._period
                expect(speed <= joint.velocity + ROUNDING, f"joint{k + 1} too fast", now, speed)

    def _follow(self) -> None:
        now = self.clock.now()
        dt, self._followed = now - self._followed, now
        if self.hears:
            self._heard = self._state
        known = self._heard
        sensed = Sensed(
            dt,
            self.twist,
            now - self.twist_at,
            None if known is None else (float(known.q[0]), float(known.q[1])),
            math.inf if known is None else now - known.received,
            self.fault,
            self.paused,
            self.path_active,
        )
        outcome = self.follower.step(self.memory, sensed)
        judge(self.worst, self.follower.config, self.memory, outcome, dt)
        self.memory, self.report = outcome.memory, outcome.report
        if outcome.command is not None:
            ahead = self.follower.ahead(outcome.memory, outcome.command)
            time = np.array([self.follower.config.longest_step])
            self._play(Trajectory(time, np.array([ahead]), None))

    def _look(self) -> None:
        now = self.clock.now()
        if self.execution is None:
            self._begin(now)
            return
        known = self._heard
        age = math.inf if known is None else now - known.received
        self._play(self.execution.step(now, self.tolerances, known, age, 1))
        if self.execution.ended is not None:
            self.ends.append(self.execution.ended)
            self.execution = None

    def _begin(self, now: float) -> None:
        """Plan and send the goal that was asked for, from where the arm is."""
        known = self._heard
        if self._asked is None or self.memory.has_arm or known is None:
            return
        (waypoints, options), self._asked = self._asked, None
        try:
            motion = prepare(self.arm, waypoints, known.q, options)
        except PlanarArmError as error:
            self.ends.append((IkStatus.INVALID_INPUT, str(error)))
            return
        if motion.trajectory is None:
            self.ends.append((motion.plan.status, motion.plan.message))
            return
        self._judge_trajectory(motion.trajectory)
        self.execution = Execution(self.arm, motion, motion.trajectory, now)
        self._play(motion.trajectory)

    def _judge_trajectory(self, trajectory: Trajectory) -> None:
        """What a controller makes of it, at a kilohertz, against the limits."""
        times = np.arange(0.0, trajectory.duration, 1e-3)
        q, qd, qdd = (np.abs(rows) for rows in trajectory.states(times))
        for k, joint in enumerate(self.arm.joints):
            for name, rows, limit in (
                ("speed", qd, joint.velocity),
                ("acceleration", qdd, joint.acceleration),
            ):
                most = float(rows[:, k].max(initial=0.0))
                self.crossings.expect(most <= TIMING * limit, f"path {name} of joint{k + 1}", most)
            most = float(q[:, k].max(initial=0.0))
            self.crossings.expect(most <= joint.upper + ROUNDING, f"path of joint{k + 1}", most)

    def _play(self, trajectory: Trajectory | None) -> None:
        if trajectory is not None:
            now = self.clock.now()
            self.servos.follow(lambda commands: commands.play(trajectory, now, now))

    def broken(self) -> list[str]:
        """Every promise that was broken so far."""
        worst = self.worst
        limits = {
            "speed": ROUNDING,
            "acceleration": ROUNDING,
            "branch": ROUNDING,
            "residual": 1e-12,
            "haste": ROUNDING,
        }
        over = [
            f"follower {name} by {getattr(worst, name):.3g}"
            for name, limit in limits.items()
            if getattr(worst, name) > limit
        ]
        return [*self.crossings.found, *over]
