"""Parameters of the ik_server."""

from __future__ import annotations

import dataclasses
from functools import cached_property

from planar_arm_ik.inverse.options import SolverOptions
from planar_arm_ik.nodes.common.core_parameters import core_values, declared_in
from planar_arm_ik.nodes.common.parameters import parameter


@dataclasses.dataclass(frozen=True)
class IkServerConfig:
    """Parameters of the node; all change live, each update as a whole or not at all."""

    branch_selection: str = declared_in(SolverOptions, "rule")
    metric: str = declared_in(SolverOptions, "metric")
    weights: tuple[float, float] = declared_in(SolverOptions, "weights")
    singular_threshold: float = declared_in(
        SolverOptions, "singular_threshold", zero="; 0 = arm's own"
    )
    boundary_tolerance: float = declared_in(SolverOptions, "boundary_tolerance")
    state_timeout: float = parameter(
        0.5, "age from which joint_states are no seed [s]", lower=0.01, upper=60.0
    )
    max_batch: int = parameter(
        1_000_000, "most targets one request of ~/solve_batch may hold", lower=1, upper=100_000_000
    )

    @cached_property
    def options(self) -> SolverOptions:
        """Options of the solver."""
        return SolverOptions(**core_values(self, SolverOptions))
