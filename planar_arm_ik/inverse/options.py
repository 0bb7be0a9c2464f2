"""The options of :func:`planar_arm_ik.solve` that outlive one target."""

from __future__ import annotations

from dataclasses import dataclass

from planar_arm_ik.arm.ring import BOUNDARY_TOLERANCE
from planar_arm_ik.fields import setting
from planar_arm_ik.inverse.branches import METRICS, Rule


@dataclass(frozen=True)
class SolverOptions:
    """How to choose between the branches, and when an answer is singular or out of reach.

    Whoever asks with them checks them: see :func:`planar_arm_ik.inverse.question.ask`.
    """

    rule: str = setting(
        "nearest", "rule that chooses the elbow", choices=[rule.value for rule in Rule]
    )
    metric: str = setting("l2", "joint distance of `nearest`", choices=METRICS)
    weights: tuple[float, float] = setting(
        (1.0, 1.0), "weights of the joints in the distance", lower=1e-6, upper=1e6
    )
    singular_threshold: float | None = setting(
        None, "sigma_min below which an answer is SINGULAR [m/rad]", lower=0.0, upper=10.0
    )
    boundary_tolerance: float = setting(
        BOUNDARY_TOLERANCE, "rounding band at the edges, part of the reach", lower=0.0, upper=1e-3
    )
