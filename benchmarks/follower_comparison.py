"""Five ways to follow a twist, on the same recordings through the singular regions.

Pseudoinverse, damped least squares with constant and with threshold damping, J-PARSE (written from
its paper: Guptasarma et al. 2025, "J-PARSE: Jacobian-based Projection Algorithm for Resolving
Singularities Effectively"), and this package's follower, which also keeps limits of speed,
acceleration and position, and its elbow side. The others are taken as they are, and with their
joint speeds clipped to the arm's limit, as a driver would do.

* stuck: time in which the tip moves at less than 2 % of the command, although the ring has room
* fastest: largest joint speed asked for
* lost: integral of |commanded - really moved| [m], and the part of it where the ring has room
* astray: 95th percentile (median over the recordings) of the angle between the command and the
  real motion, same condition
* flips: times the elbow changes its side

    python benchmarks/follower_comparison.py
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator

import numpy as np

from planar_arm_ik import JointLimits, PlanarArm
from planar_arm_ik.following.config import FollowerConfig
from planar_arm_ik.following.differential import damped_step
from planar_arm_ik.following.follower import Follower, Memory
from planar_arm_ik.following.report import Sensed, Twist

DT = 0.01
SPEED_LIMIT = 2.0
LIMITS = JointLimits(velocity=SPEED_LIMIT, acceleration=8.0, continuous=True)
LINKS = ((0.5, 0.4), (0.3, 0.5), (0.4, 0.4))
Pair = tuple[float, float]
#: (q, v) -> joint speeds
Method = Callable[[PlanarArm, Pair, Pair], np.ndarray]


def pseudoinverse(arm: PlanarArm, q: Pair, v: Pair) -> np.ndarray:
    """Moore-Penrose, singular values below 1e-12 dropped."""
    return damped_step(arm, q, v, 0.0).joint_velocity


def constant(arm: PlanarArm, q: Pair, v: Pair) -> np.ndarray:
    """Damping 0.05 m/rad everywhere."""
    return damped_step(arm, q, v, 0.05).joint_velocity


def threshold(arm: PlanarArm, q: Pair, v: Pair) -> np.ndarray:
    """Damping that rises smoothly from the threshold to the singularity (Nakamura, Hanafusa)."""
    eps = arm.singular_threshold
    sigma_min = float(arm.singular_values(q)[1])
    damping = eps * math.sqrt(1.0 - (sigma_min / eps) ** 2) if sigma_min < eps else 0.0
    return damped_step(arm, q, v, damping).joint_velocity


def j_parse(arm: PlanarArm, q: Pair, v: Pair, gamma: float = 0.1) -> np.ndarray:
    """J_s^+ J_p J_p^+ v + J_s^+ Phi v: safety Jacobian, projection, and singular feedback."""
    U, s, Vt = np.linalg.svd(arm.jacobian(q))
    least = gamma * s[0]
    safety_inverse = Vt.T @ np.diag(1.0 / np.maximum(s, least)) @ U.T
    regular = s >= least
    projection = U[:, regular] @ U[:, regular].T
    feedback = U[:, ~regular] @ np.diag(s[~regular] / least) @ U[:, ~regular].T
    answer: np.ndarray = safety_inverse @ (projection + feedback) @ np.array(v)
    return answer


METHODS: dict[str, Method] = {
    "pseudoinverse": pseudoinverse,
    "constant 0.05": constant,
    "threshold": threshold,
    "J-PARSE 0.1": j_parse,
}


def recordings(arm: PlanarArm) -> Iterator[tuple[str, Pair, list[Pair]]]:
    """(name, start, twists at 100 Hz in the base frame) through stretch and fold."""
    hole = 0.0 if arm.l1 == arm.l2 else math.copysign(1.0, arm.l1 - arm.l2)
    yield "in from stretch", (0.3, 0.0), _steady(math.pi + 0.3, 0.05, 3.0)
    yield (
        "out of the fold",
        (0.3, math.pi),
        _steady(0.3 if hole >= 0 else 0.3 + math.pi, 0.05, 4.0),
    )
    yield "out and back", (0.3, 0.5), _steady(0.85, 0.2, 1.5) + _steady(0.85 + math.pi, 0.2, 2.0)
    yield "along the edge", (0.3, 0.05), _steady(0.3 + 1.7, 0.2, 3.0)
    yield "across the base", (0.3, 2.6), _steady(2.0, 0.1, 8.0)
    for seed in range(6):
        rng = random.Random(seed)
        twists: list[Pair] = []
        for _ in range(20):
            twists += _steady(rng.uniform(-3.2, 3.2), rng.choice((0.05, 0.2, 0.5)), 1.0)
        edge = rng.choice((0.0, math.pi))
        yield f"stick {seed}", (0.3, abs(edge - rng.choice((0.0, 0.02)))), twists


def _steady(direction: float, speed: float, seconds: float) -> list[Pair]:
    v = (speed * math.cos(direction), speed * math.sin(direction))
    return [v] * round(seconds / DT)


def walk(
    arm: PlanarArm, method: Method, q: Pair, twists: list[Pair], limit: float
) -> Iterator[tuple]:
    """Yield (q, qd, v) of every cycle under one of the plain methods."""
    for v in twists:
        qd = np.clip(method(arm, q, v), -limit, limit)
        yield q, qd, v
        q = (q[0] + float(qd[0]) * DT, q[1] + float(qd[1]) * DT)


def walk_ours(arm: PlanarArm, q: Pair, twists: list[Pair]) -> Iterator[tuple]:
    """Yield (q, qd, v) of every cycle of the follower, with an arm that is where it was sent."""
    follower, memory = Follower(FollowerConfig(arm, max_tip_speed=10.0)), Memory()
    for v in twists:
        outcome = follower.step(memory, Sensed(DT, Twist(*v), 0.0, q, 0.0))
        memory = outcome.memory
        yield q, np.array(outcome.report.velocity), v
        q = outcome.report.position


def score(arm: PlanarArm, cycles: Iterator[tuple]) -> np.ndarray:
    """[stuck s, fastest rad/s, lost m, lost with room m, astray angles..., flips] of one walk."""
    stuck = fastest = lost = lost_inside = 0.0
    angles, signs = [], []
    for q, qd, v in cycles:
        tip = arm.forward(q)
        moved = (arm.forward((q[0] + qd[0] * DT, q[1] + qd[1] * DT)) - tip) / DT
        speed = math.hypot(*v)
        missing = math.hypot(v[0] - moved[0], v[1] - moved[1]) * DT
        radius = math.hypot(*(tip + 0.02 * np.array(v) / speed))
        room = arm.inner_radius <= radius <= arm.outer_radius
        fastest = max(fastest, float(np.abs(qd).max()))
        lost += missing
        if room:
            lost_inside += missing
            stuck += DT * (math.hypot(*moved) < 0.02 * speed)
            if math.hypot(*moved) > 0.02 * speed:
                cross = v[0] * moved[1] - v[1] * moved[0]
                dot = v[0] * moved[0] + v[1] * moved[1]
                angles.append(abs(math.degrees(math.atan2(cross, dot))))
        if abs(math.sin(q[1])) > 1e-3:
            signs.append(math.sin(q[1]) > 0.0)
    flips = sum(a != b for a, b in itertools.pairwise(signs))
    astray = float(np.percentile(angles, 95)) if angles else 0.0
    return np.array((stuck, fastest, lost, lost_inside, astray, flips))


def table(title: str, group: Callable[[str], bool], limit: float) -> None:
    """Print one table: sums over recordings and arms, the largest speed, the median angle."""
    print(f"\n{title}")
    rows: dict[str, list[np.ndarray]] = {}
    for links in LINKS:
        arm = PlanarArm(*links, LIMITS, LIMITS)
        for _, start, twists in (item for item in recordings(arm) if group(item[0])):
            for name, method in METHODS.items():
                cycles = walk(arm, method, start, twists, limit)
                rows.setdefault(name, []).append(score(arm, cycles))
            rows.setdefault("ours", []).append(score(arm, walk_ours(arm, start, twists)))
    print(f"{'':<15}{'stuck s':>9}{'fastest':>11}{'lost m':>9}{'inside m':>10}", end="")
    print(f"{'astray deg':>12}{'flips':>7}")
    for name, scores in rows.items():
        stuck, _, lost, inside, _, flips = np.sum(scores, axis=0)
        fastest, astray = np.max([s[1] for s in scores]), np.median([s[4] for s in scores])
        print(f"{name:<15}{stuck:>9.2f}{fastest:>11.3g}{lost:>9.2f}{inside:>10.2f}", end="")
        print(f"{astray:>12.2f}{flips:>7.0f}")


def main() -> None:
    """Print the tables."""
    print(f"arms {LINKS}, 100 Hz")
    clipped = f"joint speeds of the others clipped to {SPEED_LIMIT} rad/s"
    table("into and out of the singularities, as they are", _directed, math.inf)
    table(f"into and out of the singularities, {clipped}", _directed, SPEED_LIMIT)
    table(f"random stick, {clipped}", lambda name: not _directed(name), SPEED_LIMIT)


def _directed(name: str) -> bool:
    return not name.startswith("stick")


if __name__ == "__main__":
    main()
