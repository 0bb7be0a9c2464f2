"""Parameters of the ik_server."""

from __future__ import annotations

import dataclasses
from functools import cached_property

from planar_arm_ik.arm.ring import BOUNDARY_TOLERANCE
from planar_arm_ik.inverse.branches import METRICS, Rule
from planar_arm_ik.nodes.common.parameters import parameter


@dataclasses.dataclass(frozen=True)
class IkServerConfig:
    """Parameters of the node; all change live, each update as a whole or not at all."""

    branch_selection: str = parameter(
        "nearest", "rule that chooses the elbow", choices=[rule.value for rule in Rule]
    )
    metric: str = parameter("l2", "joint distance of `nearest`", choices=METRICS)
    weights: tuple[float, float] = parameter(
        (1.0, 1.0), "weights of the joints in the distance", lower=1e-6, upper=1e6
    )
    singular_threshold: float = parameter(
        0.0,
        "sigma_min below which an answer is SINGULAR [m/rad]; 0 = arm's own",
        lower=0.0,
        upper=10.0,
    )
    boundary_tolerance: float = parameter(
        BOUNDARY_TOLERANCE, "rounding band at the edges, part of the reach", lower=0.0, upper=1e-3
    )
    state_timeout: float = parameter(
        0.5, "age from which joint_states are no seed [s]", lower=0.01, upper=60.0
    )
    max_batch: int = parameter(
        1_000_000, "most targets one request of ~/solve_batch may hold", lower=1, upper=100_000_000
    )

    @cached_property
    def options(self) -> tuple[str, tuple[float, float], float | None, float]:
        """Metric, weights, threshold and tolerance, as :func:`.question.ask` wants them."""
        threshold = self.singular_threshold or None
        return self.metric, self.weights, threshold, self.boundary_tolerance
