"""Hours of teleoperation, paths, faults and hand-overs in lockstep, every promise checked.

python test/soak.py [--hours 1] [--seed 0] [--processes 2] [--minutes 10]

An episode of some minutes has a seed of its own; the seed of one that breaks a promise is printed,
and `--seed N --hours 0` runs that one episode again. The exit code is 1 when a promise was broken.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent / "support"))
from lockstep import ARM, World
from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.servo.control.report import ArmState
from planar_arm_ik.status import FollowerState
from planar_arm_ik.trajectories.motion import PathOptions

#: After this long without commands the arm is at rest [s]: timeouts, and the longest braking.
_QUIET = 2.5
_STILL = 1e-3


class Episode(NamedTuple):
    """What became of one seed."""

    seed: int
    seconds: float
    cycles: int
    broken: list[str]
    counts: Counter[str]
    digest: str


def arm_of(rng: random.Random) -> PlanarArm:
    """The shipped arm, or one with other links and limits."""
    if rng.random() < 0.5:
        return ARM
    limits = {"velocity": rng.uniform(0.5, 4.0), "acceleration": rng.uniform(2.0, 20.0)}
    most = rng.uniform(2.0, 3.1)
    links = rng.choice(((0.5, 0.4), (0.3, 0.5), (0.4, 0.4), (0.1, 0.08)))
    return PlanarArm(*links, JointLimits(-3.0, 3.0, **limits), JointLimits(-most, most, **limits))


class Player:
    """A random person, a random program and bad luck, around one arm."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(seed)
        self.arm = arm_of(rng)
        rate = rng.choice((25.0, 50.0, 50.0, 100.0))
        policy = rng.choice(("scale", "scale", "project"))
        config = FollowerConfig(
            self.arm,
            period=1.0 / rate,
            limit_policy=policy,
            max_tip_speed=rng.choice((0.1, 0.5, 1.5)),
        )
        start = (rng.uniform(-2.0, 2.0), rng.choice((-1.0, 1.0)) * rng.uniform(0.05, 1.9))
        self.world = World(start, config, rate, self.arm)
        self.counts: Counter[str] = Counter()
        self.world.run(0.2)

    def play(self, seconds: float) -> None:
        """Act at random until the time is over."""
        world, rng = self.world, self.rng
        end = world.clock.now() + seconds
        acts = (self.drive, self.drive, self.drive, self.path, self.path_and_twist,
                self.lose_states, self.lose_bus, self.pause, self.relax, self.nonsense,
                self.quiet)  # fmt: skip
        while world.clock.now() < end and not world.broken():
            self.recover()
            act = rng.choice(acts)
            self.counts[act.__name__] += 1
            act()
            world.ends.clear()

    def recover(self) -> None:
        """Bring a limp or faulty arm back, as a person would."""
        world = self.world
        world.bus.failing = world.bus.dead = world.paused = False
        world.hears, world.fault = True, FollowerState.OK
        if not world.until(lambda: world.servos.report.state is not ArmState.FAULT, 3.0):
            world.crossings.expect(False, "the bus is back and the arm is not", world.clock.now())
        if world.servos.report.state is ArmState.LIMP:
            world.run(0.2)
            world.crossings.expect(world.enable(), "cannot be enabled", world.servos.report.reason)

    def twist(self) -> tuple[float, float]:
        """A random velocity of the tip [m/s]."""
        speed = self.rng.choice((0.01, 0.05, 0.2, 0.5, 2.0)) * self.arm.outer_radius
        angle = self.rng.uniform(-math.pi, math.pi)
        return speed * math.cos(angle), speed * math.sin(angle)

    def drive(self) -> None:
        self.world.hold(*self.twist(), self.rng.uniform(0.1, 4.0), self.rng.choice((10.0, 30.0)))

    def quiet(self) -> None:
        """Nothing is commanded: the arm comes to rest and stays there."""
        self.world.cancel()
        self.world.run(_QUIET + 1.0)
        before = self.world.q
        self.world.run(0.5)
        moved = max(abs(a - b) for a, b in zip(before, self.world.q, strict=True))
        self.world.crossings.expect(moved < _STILL, "moves though nobody asked", moved)

    def waypoints(self) -> list[tuple[float, float]]:
        rng, reach = self.rng, self.arm.outer_radius
        low = self.arm.inner_radius
        count = rng.randrange(1, 8)
        radii = [rng.uniform(low, reach * rng.choice((1.0, 1.0, 1.05))) for _ in range(count)]
        first = rng.uniform(-math.pi, math.pi)
        angles = [first + rng.uniform(-0.6, 0.6) for _ in range(count)]
        return [(r * math.cos(a), r * math.sin(a)) for r, a in zip(radii, angles, strict=True)]

    def path(self) -> None:
        """A path to its end, or canceled on the way."""
        rng, world = self.rng, self.world
        options = PathOptions(
            rule=rng.choice(("nearest", "keep", "limit_margin")),
            search=rng.choice(("greedy", "global")),
            line_tolerance=rng.choice((1e-3, None)),
            tip_speed=rng.choice((0.0, 0.1)),
            velocity_scaling=rng.choice((1.0, 0.3)),
            acceleration_scaling=rng.choice((1.0, 0.5)),
        )
        world.go(self.waypoints(), options)
        if rng.random() < 0.3:
            world.run(rng.uniform(0.0, 2.0))
            world.cancel()
        ended = world.until(lambda: not world.path_active, 120.0)
        world.crossings.expect(ended, "a path never ends", world.clock.now())
        self.counts.update(f"path {status.name}" for status, _ in world.ends)

    def path_and_twist(self) -> None:
        """Both ask for the arm at the same time: one after the other has it."""
        self.world.send(*self.twist())
        self.world.run(self.rng.uniform(0.0, 0.1))
        self.world.go(self.waypoints())
        self.world.hold(*self.twist(), self.rng.uniform(0.1, 2.0), 20.0)
        self.world.cancel()

    def lose_states(self) -> None:
        """Joint states stay away while a twist goes on: the arm stops, and goes on after."""
        self.world.hold(*self.twist(), 0.5, 20.0)
        self.world.hears = False
        self.world.hold(*self.twist(), 3.0, 20.0)
        before = self.world.q
        self.world.hold(*self.twist(), 0.5, 20.0)
        moved = max(abs(a - b) for a, b in zip(before, self.world.q, strict=True))
        self.world.crossings.expect(moved < _STILL, "moves without joint states", moved)
        self.world.hears = True

    def lose_bus(self) -> None:
        """Answers of the servos fail for a while, or for good: ridden out, or let go."""
        world, rng = self.world, self.rng
        world.hold(*self.twist(), 0.3, 20.0)
        world.bus.failing, world.bus.dead = True, rng.random() < 0.3
        world.hold(*self.twist(), rng.choice((0.02, 0.1, 1.0)), 50.0)
        if world.bus.dead:
            world.run(0.2)
            world.crossings.expect(
                world.servos.report.state is ArmState.FAULT and not world.bus.motors[0].torque,
                "a dead bus is no fault", world.servos.report.state,
            )  # fmt: skip

    def pause(self) -> None:
        self.world.hold(*self.twist(), 0.3, 20.0)
        self.world.paused = True
        self.world.hold(*self.twist(), 2.5, 20.0)
        before = self.world.q
        self.world.hold(*self.twist(), 0.3, 20.0)
        moved = max(abs(a - b) for a, b in zip(before, self.world.q, strict=True))
        self.world.crossings.expect(moved < _STILL, "moves though paused", moved)

    def relax(self) -> None:
        self.world.hold(*self.twist(), 0.3, 20.0)
        self.world.servos.relax(self.world.clock.now())
        self.world.hold(*self.twist(), 0.3, 20.0)

    def nonsense(self) -> None:
        """A twist that cannot be used, and a path that is none."""
        self.world.fault = FollowerState.INVALID_INPUT
        self.world.hold(*self.twist(), 0.5, 20.0)
        self.world.fault = FollowerState.OK
        bad = self.rng.choice(([(math.nan, 0.0)], [(1e308, 0.0)], [(10.0, 0.0)], [(1.0,)]))
        self.world.go(bad)
        refused = self.world.until(lambda: not self.world.path_active, 5.0)
        self.world.crossings.expect(refused, "nonsense is executed", bad)


def episode(seed: int, seconds: float) -> Episode:
    """Run one seed."""
    player = Player(seed)
    world = player.world
    begin = world.clock.now()
    try:
        player.play(seconds)
        broken = world.broken()
    except (ArithmeticError, PlanarArmError, LookupError, TypeError, ValueError) as error:
        broken = [f"{type(error).__name__}: {error}"]
    lasted = world.clock.now() - begin
    return Episode(seed, lasted, world.cycles, broken, player.counts, world.digest.hexdigest())


def main() -> int:
    """Run episodes until the hours are over; 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hours", type=float, default=1.0, help="simulated time in all")
    parser.add_argument("--minutes", type=float, default=10.0, help="simulated time an episode")
    parser.add_argument("--seed", type=int, default=0, help="of the first episode")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    count = max(1, round(60.0 * options.hours / options.minutes))
    seeds = range(options.seed, options.seed + count)
    begin = time.monotonic()
    counts: Counter[str] = Counter()
    simulated, cycles, failed = 0.0, 0, 0
    with ProcessPoolExecutor(options.processes) as pool:
        for done in pool.map(episode, seeds, [60.0 * options.minutes] * count):
            simulated, cycles = simulated + done.seconds, cycles + done.cycles
            counts.update(done.counts)
            failed += bool(done.broken)
            for line in done.broken:
                print(f"seed {done.seed}: {line}", flush=True)
    spent = time.monotonic() - begin
    print(f"{count} seeds from {options.seed}, {failed} with a broken promise")
    print(f"{simulated / 3600:.1f} simulated hours, {cycles} cycles of the driver")
    print(f"{simulated / spent:.0f} times real time in {options.processes} processes")
    print(", ".join(f"{name} {number}" for name, number in sorted(counts.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
