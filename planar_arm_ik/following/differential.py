r"""Joint speed for a tip velocity: pseudoinverse and damped least squares, with what they lose.

Damped least squares minimises |v - J qd|^2 + lambda^2 |qd|^2 (Wampler 1986; Nakamura and Hanafusa
1986). With J = sum_i sigma_i u_i v_i^T (:mod:`.singular`) its answer is

    qd = sum_i sigma_i / (sigma_i^2 + lambda^2) (u_i.v) v_i,    |qd| <= |v| / (2 lambda)

lambda has the unit of J [m/rad]. lambda = 0 is the pseudoinverse; it drops a singular value that
is nothing but rounding. Whatever was lost is in the residual v - J qd, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.arm.singular import Decomposition, decompose, metric_of
from planar_arm_ik.door import ARM, NUMBER, PAIR, WORD, require, takes
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.following.box import Box, least_squares_in_box

#: Answers to the question what to do when a joint would be too fast.
VELOCITY_POLICIES = ("none", "scale", "project")


@dataclass(frozen=True, eq=False, slots=True)
class VelocityStep:
    """Joint speed for one tip velocity, and what became of the velocity.

    Args:
        joint_velocity: qd [rad/s], shape (2,).
        achieved: J qd [m/s], base frame, shape (2,).
        residual: asked - achieved [m/s], base frame, shape (2,).
        sigma_min: smallest singular value of J [m/rad].
        sigma_max: largest singular value of J [m/rad].
        damping: lambda [m/rad].
        scale: common factor on both joint speeds, 1 when no limit acts.
    """

    joint_velocity: Array
    achieved: Array
    residual: Array
    sigma_min: float
    sigma_max: float
    damping: float
    scale: float


@takes(
    look_first=False,
    arm=ARM,
    q=PAIR,
    tip_velocity=PAIR,
    damping=NUMBER,
    velocity_limits=WORD,
    cutoff=NUMBER,
)
def damped_step(
    arm: PlanarArm,
    q: ArrayLike,
    tip_velocity: ArrayLike,
    damping: float,
    velocity_limits: str = "none",
    cutoff: float = 1e-12,
) -> VelocityStep:
    """Solve v = J(q) qd by damped least squares.

    Args:
        arm: the arm.
        q: joint angles [rad], shape (2,).
        tip_velocity: v [m/s], base frame, shape (2,).
        damping: lambda [m/rad], not negative; 0 is the pseudoinverse.
        velocity_limits: "none" ignores the arm's speed limits; "scale" slows both joints together
            until they hold, which keeps the tip's direction; "project" takes the least-squares
            answer among the joint speeds that hold them.
        cutoff: the pseudoinverse drops singular values up to this part of the largest.

    Returns:
        The joint speed and its residual.

    Raises:
        PlanarArmError: a value is not finite or of the wrong shape, the damping or cut-off is
            negative, or the policy is unknown.
    """
    q1, q2 = _pair("q", q, "rad")
    vx, vy = _pair("tip_velocity", tip_velocity, "m/s")
    for name, value in (("damping", damping), ("cutoff", cutoff)):
        if not (math.isfinite(value) and value >= 0.0):
            raise PlanarArmError(f"{name} = {value} must be finite and not negative")
    if velocity_limits not in VELOCITY_POLICIES:
        known = ", ".join(VELOCITY_POLICIES)
        raise PlanarArmError(
            f"velocity_limits {velocity_limits!r} is unknown; choose one of {known}"
        )
    now = decompose(arm.l1, arm.l2, q1, q2)
    x1, x2 = _damped_inverse(now, vx, vy, damping, cutoff)
    y1, y2, scale = _limited(arm, now, x1, x2, damping, velocity_limits)
    j1x, j1y, j2x, j2y, *_, sigma1, sigma2 = now
    achieved = np.array((j1x * y1 + j2x * y2, j1y * y1 + j2y * y2))
    return VelocityStep(
        joint_velocity=np.array((y1, y2)),
        achieved=achieved,
        residual=np.array((vx, vy)) - achieved,
        sigma_min=abs(sigma2),
        sigma_max=sigma1,
        damping=float(damping),
        scale=scale,
    )


def _damped_inverse(
    now: Decomposition, vx: float, vy: float, damping: float, cutoff: float
) -> tuple[float, float]:
    *_, ux, uy, cos, sin, sigma1, sigma2 = now
    square = damping * damping
    along1 = (ux * vx + uy * vy) * sigma1 / (sigma1 * sigma1 + square)
    along2 = 0.0
    if damping > 0.0 or abs(sigma2) > cutoff * sigma1:
        along2 = (ux * vy - uy * vx) * sigma2 / (sigma2 * sigma2 + square)
    return along1 * cos - along2 * sin, along1 * sin + along2 * cos


def _limited(
    arm: PlanarArm, now: Decomposition, x1: float, x2: float, damping: float, policy: str
) -> tuple[float, float, float]:
    """Joint speeds inside the arm's speed limits, and the common factor on them."""
    limit1, limit2 = arm.joint1.velocity, arm.joint2.velocity
    if policy == "none" or (abs(x1) <= limit1 and abs(x2) <= limit2):
        return x1, x2, 1.0
    if policy == "scale":
        scale = min(limit / abs(x) for limit, x in ((limit1, x1), (limit2, x2)) if x)
        return scale * x1, scale * x2, scale
    # A trace of the largest singular value keeps the metric definite where the arm is singular.
    metric = metric_of(now, max(damping, 1e-9 * now[8]))
    y1, y2 = least_squares_in_box(x1, x2, metric, Box(-limit1, limit1, -limit2, limit2))
    return y1, y2, 1.0


def _pair(name: str, values: ArrayLike, unit: str) -> Sequence[float]:
    if np.asarray(values).dtype == np.bool_:
        require(name, values, PAIR)
    pair = np.asarray(values, dtype=np.float64)
    if pair.shape != (2,):
        raise PlanarArmError(f"{name} has shape {pair.shape}; it must hold two numbers [{unit}]")
    if not np.isfinite(pair).all():
        raise PlanarArmError(f"{name} = {pair.tolist()} {unit} must be finite")
    return pair.tolist()  # type: ignore[no-any-return]
