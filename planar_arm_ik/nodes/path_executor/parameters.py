"""Parameters of ``path_executor``."""

from __future__ import annotations

import dataclasses
from functools import cached_property

from planar_arm_ik.nodes.common.core_parameters import core_values, declared_in
from planar_arm_ik.nodes.common.parameters import parameter
from planar_arm_ik.trajectories.motion import PathOptions
from planar_arm_ik.trajectories.tolerances import Tolerances


@dataclasses.dataclass(frozen=True)
class PathExecutorConfig:
    """The node's parameters: what goals leave open, and what a motion must keep to."""

    branch_selection: str = declared_in(PathOptions, "rule")
    search: str = declared_in(PathOptions, "search")
    line_tolerance: float = declared_in(PathOptions, "line_tolerance")
    blend_tolerance: float = declared_in(PathOptions, "blend_tolerance")
    corner_angle: float = declared_in(PathOptions, "corner_angle")
    max_approach: float = declared_in(PathOptions, "max_approach", zero=", 0 = not checked")
    path_tolerance: float = declared_in(Tolerances, "path")
    path_lag: float = declared_in(Tolerances, "lag")
    goal_tolerance: float = declared_in(Tolerances, "goal")
    goal_time: float = declared_in(Tolerances, "goal_time")
    state_timeout: float = declared_in(Tolerances, "state_timeout")
    stall_time: float = declared_in(Tolerances, "stall")
    max_wait: float = parameter(
        60.0, "how far ahead a path may be stamped [s]", lower=0.0, upper=86400.0
    )

    @cached_property
    def options(self) -> PathOptions:
        """How a path is planned and timed where its goal leaves it open."""
        return PathOptions(**core_values(self, PathOptions))

    @cached_property
    def tolerances(self) -> Tolerances:
        """What a motion must keep to."""
        return Tolerances(**core_values(self, Tolerances))
