r"""Time-optimal speed profiles by the library toppra.

TOPP-RA (Pham, Pham, *A new approach to time-optimal path parameterization based on reachability
analysis*, IEEE T-RO 2018) finds the fastest x(u) = (du/dt)^2 under

    |q'| sqrt x <= v,   |J q'| sqrt x <= tip speed,   |q'' x + q' (du/dt)'| <= a.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.trajectories.joint_curve import Evaluate, Stretch
from planar_arm_ik.trajectories.profile import Profile

#: Grid points per stretch, at least.
GRID = 500

#: What to say where the library is missing.
MISSING = "toppra is not installed, so the motion is slower than it could be: pip install toppra"


@functools.cache
def library() -> Any:
    """Return the module toppra, or None where it is not installed."""
    try:
        import toppra
        import toppra.algorithm
        import toppra.constraint
    except ImportError:
        return None
    return toppra


def spline_curve(knots: Array, rows: Array) -> Evaluate:
    """Build the C2 spline through rows."""
    path = library().SplineInterpolator(knots, rows)
    return lambda u: (path(u), path(u, 1), path(u, 2))


def fastest(
    arm: PlanarArm,
    stretch: Stretch,
    velocity: Array,
    acceleration: Array,
    tip_speed: float,
    share: tuple[Array, Array] | None = None,
) -> Profile | None:
    """Find the fastest profile, None when the library finds none.

    Args:
        arm: the arm.
        stretch: the curve.
        velocity: joint speed limits [rad/s], shape (2,).
        acceleration: joint acceleration limits [rad/s^2], shape (2,).
        tip_speed: largest tip speed [m/s], 0 for none.
        share: arc lengths [rad], and the part of the accelerations to use there; None for all
            of them.
    """
    toppra = library()
    u = np.linspace(0.0, stretch.length, max(GRID, 2 * len(stretch.rows)) + 1)
    q, slope, _ = stretch.evaluate(u)
    top = speed_bound(arm, q, slope, velocity, tip_speed)

    class SpeedBound(toppra.constraint.LinearConstraint):  # type: ignore[misc, name-defined]
        def compute_constraint_params(self, _path: Any, _grid: Array, *_: Any) -> Any:
            bound = np.stack((np.zeros_like(top), top * top), axis=1)
            return None, None, None, None, None, None, bound

    part = None if share is None else np.interp(u, *share)[:, None]

    class Pull(toppra.constraint.JointAccelerationConstraint):  # type: ignore[misc, name-defined]
        def compute_constraint_params(self, path: Any, grid: Array, *rest: Any) -> Any:
            a, b, *others = super().compute_constraint_params(path, grid, *rest)
            return (a, b, *others) if part is None else (a / part, b / part, *others)

    pull = Pull(
        np.stack((-acceleration, acceleration), axis=1),
        discretization_scheme=toppra.constraint.DiscretizationType.Interpolation,
    )
    bound = SpeedBound()
    bound.dof = 2
    solver = toppra.algorithm.TOPPRA(
        [bound, pull], _path(toppra, stretch), gridpoints=u, solver_wrapper="seidel"
    )
    _, speed, _ = solver.compute_parameterization(0.0, 0.0)
    if speed is None or not np.isfinite(speed).all() or (speed[1:-1] <= 0.0).any():
        return None
    speed[[0, -1]] = 0.0
    return Profile(u, speed * speed)


def speed_bound(
    arm: PlanarArm, q: Array, slope: Array, velocity: Array, tip_speed: float
) -> Array:
    """Largest du/dt by the joint speeds and the tip speed [rad/s], shape (N,)."""
    top: Array = np.min(velocity / np.maximum(np.abs(slope), 1e-9), axis=1)
    if tip_speed > 0.0:
        tip = np.hypot(*np.einsum("nij,nj->ni", arm.jacobian(q), slope).T)
        top = np.minimum(top, tip_speed / np.maximum(tip, 1e-9))
    return top


def _path(toppra: Any, stretch: Stretch) -> Any:
    return toppra.SplineInterpolator(stretch.knots, stretch.rows)
