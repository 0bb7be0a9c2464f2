"""The worked example of branch choice: one arc of 31 points, followed under two rules.

The arc of radius 0.6 m crosses the x axis. Under `min_shoulder` both elbows are equally good on
the axis, so the answer changes elbow between points 14 and 15; under `nearest` it never does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.paths.planner import plan_path
from planar_arm_ik.paths.waypoints import example_arc

#: Names of the example paths, in the order a menu shows them.
EXAMPLES = ("arc of 31 points", "line along the edge", "square", "circle")


@dataclass(frozen=True, eq=False)
class Run:
    """One path followed point by point under one rule.

    Args:
        rule: the rule.
        q: joint angles [rad], shape (M, 2); empty when a point has no answer.
        branches: elbow per point, shape (M,).
        largest_step: largest |dq| of a joint between neighbours [rad].
        message: why there is no answer, else "".
    """

    rule: str
    q: Array
    branches: NDArray[np.int8]
    largest_step: float
    message: str

    def pose(self, seconds: float, period: float) -> Array:
        """Pose at a time, one point every `period` seconds, held: a jump is seen as a jump.

        The run goes forward, waits for a second, and starts again.
        """
        cycle = len(self.q) * period + 1.0
        index = min(int((seconds % cycle) / period), len(self.q) - 1)
        pose: Array = self.q[index]
        return pose


def example_path(arm: PlanarArm, name: str) -> Array:
    """Waypoints of an example, scaled to the ring of the arm.

    Args:
        arm: the arm.
        name: one of EXAMPLES.

    Returns:
        Tip positions (x, y) [m], shape (N, 2).

    Raises:
        PlanarArmError: there is no such example.
    """
    if name not in EXAMPLES:
        raise PlanarArmError(f"example {name!r} is unknown; choose one of {', '.join(EXAMPLES)}")
    ring = arm.outer_radius - arm.inner_radius
    middle = arm.inner_radius + 0.625 * ring
    if name == "arc of 31 points":
        arc = example_arc()
        return arc * (middle / float(np.hypot(*arc[0])))
    if name == "line along the edge":
        y = np.linspace(-0.5, 0.5, 41) * arm.outer_radius
        return np.stack((np.full_like(y, 0.8 * arm.outer_radius), y), axis=-1)
    size = 0.13 * arm.outer_radius
    centre = np.array([0.5 * middle, 0.75 * middle])
    if name == "square":
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]], dtype=np.float64)
        side = np.linspace(0.0, 4.0, 41)
        return centre + size * np.stack(
            [np.interp(side, np.arange(5.0), corners[:, axis]) for axis in (0, 1)], axis=-1
        )
    angle = np.linspace(0.0, 2.0 * math.pi, 61)
    return centre + size * np.stack((np.cos(angle), np.sin(angle)), axis=-1)


def follow(arm: PlanarArm, waypoints: Array, rule: str, start: Array | None = None) -> Run:
    """Follow waypoints under a rule, each seeded by the last, jumps included."""
    plan = plan_path(arm, waypoints, start, rule, allow_branch_switch=True)
    return Run(rule, plan.q, plan.branches, plan.largest_step, "" if plan.ok else plan.message)
