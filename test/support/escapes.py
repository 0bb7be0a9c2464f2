"""Getting out of stretch and fold: one run of bare motion cycles, and random geometries for it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from planar_arm_ik import JointLimits, PlanarArm
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.cycle import Motion, cycle
from planar_arm_ik.following.desired import Elbow

FREE = JointLimits(velocity=2.0, acceleration=8.0, continuous=True)
#: The elbow is out once it is this far [rad] from the edge.
OUT = 0.05
SPEED = 0.05


def free_arm(l1: float, l2: float) -> PlanarArm:
    return PlanarArm(l1, l2, FREE, FREE)


def drive(
    arm: PlanarArm,
    q: tuple[float, float],
    branch: int,
    velocity: tuple[float, float],
    seconds: float,
    stop: Callable[[float, tuple[float, float], Motion], bool],
    dt: float = 0.01,
    **settings,
) -> float:
    """Run cycles until `stop` says so; return the time it took, or `seconds`."""
    model = FollowerConfig(arm, position_margin=0.0, period=dt, **settings).model
    elbow, qd, time = Elbow.of(branch, q[1], model.joint2), (0.0, 0.0), 0.0
    while time < seconds:
        motion = cycle(model, q, qd, elbow, velocity, dt, dt)
        qd = (motion.qd1, motion.qd2)
        q = (q[0] + qd[0] * dt, q[1] + qd[1] * dt)
        time += dt
        if stop(time, q, motion):
            return time
    return seconds


@dataclass(frozen=True)
class Start:
    """An arm on an edge of its ring, and a command."""

    arm: PlanarArm
    q: tuple[float, float]
    branch: int
    direction: float

    def escape(self, seconds: float) -> tuple[float, float]:
        """Time until the elbow is out [s], and the largest sideways error of the tip [m]."""
        edge = math.pi * round(self.q[1] / math.pi)
        angle = self.q[0] + self.direction
        v = (SPEED * math.cos(angle), SPEED * math.sin(angle))
        x0, y0 = self.arm.forward(self.q)
        sideways = 0.0

        def out(_time, q, motion) -> bool:
            nonlocal sideways
            # Never faster than asked, but for what the acceleration limit needs to slow down.
            assert math.hypot(motion.achieved_x, motion.achieved_y) <= 1.02 * SPEED
            x, y = self.arm.forward(q)
            sideways = max(sideways, abs((x - x0) * v[1] - (y - y0) * v[0]) / SPEED)
            assert self.branch * math.sin(q[1]) >= -2e-9
            return abs(q[1] - edge) > OUT

        return drive(self.arm, self.q, self.branch, v, seconds, out), sideways


def from_stretch(rng: random.Random) -> Start:
    """Straight, or 1e-9 from it, and asked inward."""
    offset = rng.choice((0.0, 1e-9, -1e-9))
    arm = free_arm(rng.uniform(0.02, 1.0), rng.uniform(0.02, 1.0))
    branch = rng.choice((1, -1)) if offset == 0.0 else (1 if offset > 0.0 else -1)
    return Start(arm, (rng.uniform(-3.0, 3.0), offset), branch, math.pi)


def from_fold(rng: random.Random, kind: str, command: str = "outward") -> Start:
    """Folded, or 1e-9 from it.

    Args:
        rng: source of randomness.
        kind: "hole" of at least 5 % of the reach, "small" hole, or "equal" links.
        command: "outward", "random" (outward at least a little), or "against" the fence.
    """
    l1, l2 = _links(rng, kind)
    offset = rng.choice((0.0, 1e-9, -1e-9))
    branch = rng.choice((1, -1)) if offset == 0.0 else (1 if offset < 0.0 else -1)
    outward = 0.0 if l1 >= l2 else math.pi
    direction = {
        "outward": outward,
        "random": outward + rng.uniform(-0.5 * math.pi, 0.5 * math.pi),
        "against": -branch * 0.5 * math.pi,
    }[command]
    if kind == "equal" and command == "random":
        direction = rng.uniform(-math.pi, math.pi)
    return Start(free_arm(l1, l2), (rng.uniform(-3.0, 3.0), math.pi + offset), branch, direction)


def _links(rng: random.Random, kind: str) -> tuple[float, float]:
    if kind == "hole":
        while True:
            l1, l2 = rng.uniform(0.02, 1.0), rng.uniform(0.02, 1.0)
            if abs(l1 - l2) >= 0.05 * (l1 + l2):
                return l1, l2
    l1 = rng.uniform(0.1, 0.5)
    if kind == "equal":
        return l1, l1
    part = rng.choice((1e-8, 1e-4, rng.uniform(0.0, 0.1)))
    return l1, min(0.5, max(0.1, l1 * (1.0 + rng.choice((-1, 1)) * part)))
