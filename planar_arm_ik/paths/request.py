"""What a path is asked for, checked."""

from __future__ import annotations

from dataclasses import dataclass

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.arm.ring import Ring
from planar_arm_ik.inverse.branches import Rule
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.paths.greedy import BatchDistance


@dataclass(frozen=True, eq=False)
class PathRequest:
    """Checked arguments of :func:`planar_arm_ik.plan_path`; see there."""

    arm: PlanarArm
    points: Array
    start: tuple[float, float] | None
    rule: Rule
    max_joint_step: float
    line_tolerance: float | None
    allow_branch_switch: bool
    distance: BatchDistance
    ring: Ring
    boundary_tolerance: float
    obstacles: Obstacles | None

    @property
    def reference(self) -> tuple[float, float]:
        """The start, or (0, 0) without one [rad]."""
        return self.start or (0.0, 0.0)
