"""Hours of random teleoperation in seconds: the follower in a loop with an arm that lags."""

from __future__ import annotations

import math
import random
from collections import deque
from dataclasses import dataclass, field

from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.follower import Follower, Memory, Outcome
from planar_arm_ik.following.report import Sensed, Twist
from planar_arm_ik.status import FollowerState

#: Fastest command of the random operator [m/s].
FASTEST = 3.0


@dataclass
class Worst:
    """Largest excess over each limit seen in a run; not positive when a limit was kept.

    `haste` is over the command, or over braking straight at full acceleration where that is more;
    `dash` over the fastest command of the time in which the arm can stop.
    """

    speed: float = -math.inf
    acceleration: float = -math.inf
    position: float = -math.inf
    branch: float = -math.inf
    residual: float = -math.inf
    haste: float = -math.inf
    dash: float = -math.inf
    direction_deg: float = 0.0
    cycles: int = 0
    starts: int = 0
    met: int = 0
    statuses: set[FollowerState] = field(default_factory=set)
    recent: deque[tuple[float, float]] = field(default_factory=deque)

    def raise_to(self, **values: float) -> None:
        for name, value in values.items():
            if value > getattr(self, name):
                setattr(self, name, value)


class Operator:
    """Random twists: held for a while, let go, silent for a while, sometimes in the tip frame."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._until = 0.0
        self._sent = 0.0
        self._twist: Twist | None = None
        self._silent = False
        self._fault = FollowerState.OK

    def at(self, time: float) -> tuple[Twist | None, float, FollowerState]:
        rng = self._rng
        if time >= self._until:
            self._until = time + rng.choice((0.05, 0.3, 1.0, 3.0))
            self._silent = rng.random() < 0.1
            self._fault = FollowerState.INVALID_INPUT if rng.random() < 0.03 else FollowerState.OK
            speed = rng.choice((0.0, 0.05, 0.2, 0.5, 1.0, FASTEST))
            angle = rng.uniform(-math.pi, math.pi)
            self._twist = Twist(
                speed * math.cos(angle), speed * math.sin(angle), rng.random() < 0.3
            )
        if not self._silent:
            self._sent = time
        return self._twist, time - self._sent, self._fault


def teleoperate(
    config: FollowerConfig,
    seconds: float,
    seed: int,
    periods: tuple[float, float] = (0.05, 5.0),
    lost_states: float = 0.05,
) -> Worst:
    """Drive a lagging arm by random twists and keep the worst of every limit.

    Args:
        config: the follower's settings.
        seconds: simulated time.
        seed: of the random operator.
        periods: shortest and longest time between two cycles, in periods.
        lost_states: part of the cycles from which joint states stay away for a while.
    """
    rng = random.Random(seed)
    operator, follower, memory, worst = Operator(rng), Follower(config), Memory(), Worst()
    start = (rng.uniform(-1.0, 1.0), rng.choice((-1.0, 1.0)) * rng.uniform(0.1, 2.0))
    arm = LaggingArm(start, config.output == "velocity", rng.randrange(4))
    time, heard, position = 0.0, 0.0, start
    lost_until = 0.0
    while time < seconds:
        dt = config.period * (rng.uniform(*periods) if rng.random() < 0.4 else 1.0)
        time += dt
        arm.wait(dt)
        if rng.random() < lost_states / 20.0:
            lost_until = time + rng.choice((0.03, 0.1, 0.4))
        if time >= lost_until:
            heard, position = time, arm.measured()
        twist, age, fault = operator.at(time)
        sensed = Sensed(dt, twist, age, position, time - heard, fault)
        outcome = follower.step(memory, sensed)
        judge(worst, config, memory, outcome, dt)
        judge_position(worst, config, arm.q)
        memory = outcome.memory
        arm.command(outcome)
    return worst


class LaggingArm:
    """An arm that is where it was sent some cycles ago, or that holds the speed it was given."""

    def __init__(self, q: tuple[float, float], holds_speed: bool, lag: int) -> None:
        self.q = q
        self._qd = (0.0, 0.0)
        self._holds_speed = holds_speed
        self._late = deque([q] * (lag + 1), maxlen=lag + 1)

    def wait(self, dt: float) -> None:
        if self._holds_speed:
            self.q = (self.q[0] + self._qd[0] * dt, self.q[1] + self._qd[1] * dt)

    def command(self, outcome: Outcome) -> None:
        if self._holds_speed:
            self._qd = outcome.command.velocity if outcome.command else (0.0, 0.0)
        elif outcome.command:
            self.q = outcome.command.position
        self._late.append(self.q)

    def measured(self) -> tuple[float, float]:
        return self._late[0]


def judge(
    worst: Worst, config: FollowerConfig, before: Memory, outcome: Outcome, dt: float
) -> None:
    """Compare one cycle with every promise."""
    report, after = outcome.report, outcome.memory
    worst.cycles += 1
    worst.statuses.add(report.status)
    if not (before.has_arm and after.has_arm):
        worst.starts += after.has_arm
        return
    restarted = after.elbow is not before.elbow
    allowed = min(dt, config.longest_step)
    speeds_before = (0.0, 0.0) if restarted else before.qd
    for joint, old, new in zip(config.arm.joints, speeds_before, report.velocity, strict=True):
        worst.raise_to(
            speed=abs(new) - joint.velocity,
            acceleration=abs(new - old) - joint.acceleration * allowed,
        )
    elbow = after.elbow
    q2 = report.position[1]
    worst.raise_to(branch=max(elbow.lower - q2, q2 - elbow.upper))
    judge_tip_speed(worst, config, speeds_before, outcome, allowed)
    judge_truth(worst, config, report)


def judge_tip_speed(
    worst: Worst, config: FollowerConfig, qd, outcome: Outcome, allowed: float
) -> None:
    """Compare the tip's speed with the command, or with braking straight at full acceleration."""
    report = outcome.report
    asked = min(math.hypot(*report.commanded), config.max_tip_speed)
    if report.status < 0:
        asked = 0.0
    time = max(abs(v) / joint.acceleration for v, joint in zip(qd, config.arm.joints, strict=True))
    part = 1.0 - allowed / time if time > allowed else 0.0
    q = tuple(a - v * allowed for a, v in zip(report.position, report.velocity, strict=True))
    if config.output == "velocity":
        q = report.position
    braking = part * math.hypot(*(config.arm.jacobian(q) @ qd))
    tip = math.hypot(*report.achieved)
    worst.raise_to(haste=tip - max(asked, braking))
    worst.raise_to(dash=tip - fastest_asked(worst, config, asked, allowed))


def fastest_asked(worst: Worst, config: FollowerConfig, asked: float, dt: float) -> float:
    """Fastest command [m/s] within the time in which the arm stops from its largest speeds."""
    recent = worst.recent
    recent.append((dt, asked))
    stop = max(joint.velocity / joint.acceleration for joint in config.arm.joints)
    while sum(time for time, _ in recent) - recent[0][0] > stop + 2.0 * config.period:
        recent.popleft()
    return max(speed for _, speed in recent)


def judge_truth(worst: Worst, config: FollowerConfig, report) -> None:
    """residual = commanded - achieved, and the direction where it was promised."""
    for asked, got, lost in zip(report.commanded, report.achieved, report.residual, strict=True):
        worst.raise_to(residual=abs(lost - (asked - got)))
    (vx, vy), (x, y) = report.commanded, report.achieved
    if (
        not report.motion.on_ray
        or report.motion.sigma_min < 2.0 * config.eps
        or (vx == 0.0 and vy == 0.0)
    ):
        return
    if config.limit_policy == "scale" and math.hypot(x, y) > 1e-6:
        worst.met += 1
        angle = math.atan2(vx * y - vy * x, vx * x + vy * y)
        worst.raise_to(direction_deg=abs(math.degrees(angle)))


def judge_position(worst: Worst, config: FollowerConfig, q: tuple[float, float]) -> None:
    for joint, angle in zip(config.arm.joints, q, strict=True):
        worst.raise_to(position=max(joint.lower - angle, angle - joint.upper))
