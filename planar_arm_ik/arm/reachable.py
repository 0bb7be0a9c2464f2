"""The point nearest to a target that the arm reaches within its joint limits.

The tip's region is bounded by arcs: circles about the shoulder, where the elbow is at a limit,
stretched or folded; circles about the elbow, where the shoulder is at a limit. Every point of
these arcs is reachable, and the point nearest to a target outside the region lies on one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from planar_arm_ik.arm.angles import TURN, within_limits
from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Arc:
    """Part of a circle in the base frame.

    Args:
        center: (x, y) [m].
        radius: [m].
        span: smallest and largest direction from the center [rad], as limits.
    """

    center: Point
    radius: float
    span: JointLimits

    def nearest(self, target: Point) -> Point:
        """Point of the arc nearest to a target (x, y) [m]."""
        angle = _direction(target[0] - self.center[0], target[1] - self.center[1])
        lower, upper = self.span.lower, self.span.upper
        if upper - lower < TURN:
            angle = within_limits(angle, 0.5 * (lower + upper), self.span)
            angle = min(max(angle, lower), upper)
        return (
            self.center[0] + self.radius * math.cos(angle),
            self.center[1] + self.radius * math.sin(angle),
        )


def boundary_arcs(arm: PlanarArm) -> Iterator[Arc]:
    """Arcs that bound what the tip reaches within the joint limits; some may lie inside."""
    for q2 in _extreme_elbows(arm.joint2):
        x, y = arm.l1 + arm.l2 * math.cos(q2), arm.l2 * math.sin(q2)
        yield Arc((0.0, 0.0), math.hypot(x, y), _shifted(arm.joint1, math.atan2(y, x)))
    if arm.joint1.upper - arm.joint1.lower < TURN:
        for q1 in (arm.joint1.lower, arm.joint1.upper):
            elbow = (arm.l1 * math.cos(q1), arm.l1 * math.sin(q1))
            yield Arc(elbow, arm.l2, _shifted(arm.joint2, q1))


def nearest_reachable(arm: PlanarArm, target: Point) -> Point:
    """Return the reachable point nearest to a target that is not reachable.

    Args:
        arm: the arm.
        target: finite (x, y) in the base frame [m].

    Returns:
        (x, y) in the base frame [m].
    """
    # A target very far away lies in the same direction as one far away.
    scale = min(1.0, 1e9 * arm.outer_radius / max(abs(target[0]), abs(target[1]), 1e-300))
    seen = target[0] * scale, target[1] * scale
    points = [arc.nearest(seen) for arc in boundary_arcs(arm)]
    return min(points, key=lambda point: math.dist(point, seen))


def _extreme_elbows(limits: JointLimits) -> list[float]:
    """Angles q2 within the limits at which the tip is nearest to, or farthest from, the base."""
    if limits.upper - limits.lower >= TURN:
        return [0.0, math.pi]
    first, last = math.ceil(limits.lower / math.pi), math.floor(limits.upper / math.pi)
    turning = [math.pi * k for k in range(first, min(last, first + 1) + 1)]
    return [limits.lower, limits.upper, *turning]


def _shifted(limits: JointLimits, angle: float) -> JointLimits:
    """Limits of a joint as directions in the base frame, in the first turn."""
    width = limits.upper - limits.lower
    if width >= TURN:
        return JointLimits()
    start = math.remainder(limits.lower + angle, TURN)
    return JointLimits(start, start + width)


def _direction(x: float, y: float) -> float:
    largest = max(abs(x), abs(y))  # scaled first: denormal offsets keep their direction
    return math.atan2(y / largest, x / largest) if largest > 0.0 else 0.0
