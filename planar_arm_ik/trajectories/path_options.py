"""How to plan and time a path."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.fields import same_as, setting
from planar_arm_ik.inverse.options import SolverOptions
from planar_arm_ik.paths.blend import BLEND_TOLERANCE
from planar_arm_ik.trajectories.timing import CORNER_ANGLE


@dataclass(frozen=True)
class PathOptions:
    """How to plan and time a path; see :func:`plan_path` and :func:`time_path`.

    Raises:
        PlanarArmError: a number is not finite where it must be, or out of its range.
    """

    rule: str = same_as(SolverOptions, "rule")
    search: str = setting("greedy", "how paths are searched", choices=("greedy", "global"))
    max_joint_step: float = math.inf
    line_tolerance: float | None = setting(
        1e-3, "largest distance of the tip from the lines [m]", lower=1e-6, upper=1.0
    )
    allow_branch_switch: bool = False
    tip_speed: float = 0.0
    velocity_scaling: float = 1.0
    acceleration_scaling: float = 1.0
    corner_angle: float = setting(
        CORNER_ANGLE, "joint-space bend that is stopped at [rad]", lower=1e-3, upper=math.pi
    )
    max_approach: float = setting(
        math.inf, "largest joint motion to the first waypoint [rad]", lower=0.0, upper=100.0
    )
    blend_tolerance: float = setting(
        BLEND_TOLERANCE,
        "how far the tip may leave the polyline to round its corners [m], 0 = not at all",
        lower=0.0,
        upper=0.1,
    )

    def __post_init__(self) -> None:
        for name in ("velocity_scaling", "acceleration_scaling"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise PlanarArmError(f"{name} {getattr(self, name)} must be in (0, 1]")
        if not 0.0 <= self.tip_speed < math.inf:
            raise PlanarArmError(f"tip_speed {self.tip_speed} m/s must be finite, not negative")
        if not 0.0 <= self.blend_tolerance < math.inf:
            raise PlanarArmError(
                f"blend_tolerance {self.blend_tolerance} m must be finite, not negative"
            )
        for name in ("max_joint_step", "max_approach"):
            if not getattr(self, name) > 0.0:
                raise PlanarArmError(f"{name} {getattr(self, name)} rad must be greater than 0")

    @property
    def timing(self) -> dict[str, Any]:
        """What :func:`time_path` is told of the whole motion, the approach included."""
        return {
            "tip_speed": self.tip_speed,
            "velocity_scaling": self.velocity_scaling,
            "acceleration_scaling": self.acceleration_scaling,
        }
