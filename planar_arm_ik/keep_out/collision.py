r"""Whether a straight joint motion touches a keep-out shape, by a bound and not by samples alone.

On a joint motion dq no point of link 1 moves farther than l1 |dq1|, none of link 2 farther than
l1 |dq1| + l2 |dq1 + dq2| = m. A link with clearance c0 and c1 at the ends of a piece has at least
(c0 + c1 - m) / 2 in between (Schwarzer, Saha, Latombe, *Adaptive dynamic collision checking*,
2005): positive, the piece is free; else it is halved. A piece that is still open when m is below
the resolution counts as a touch, so nothing that is clear by more than half of it is refused.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.keep_out.obstacles import Obstacles

#: A motion that stays clear by more than this is never refused [m].
RESOLUTION = 1e-3


def first_touch(
    arm: PlanarArm,
    obstacles: Obstacles,
    q_from: ArrayLike,
    q_to: ArrayLike,
    resolution: float = RESOLUTION,
) -> Array:
    """Find where straight joint motions first touch a keep-out shape.

    Args:
        arm: the arm.
        obstacles: the shapes.
        q_from: joint angles at the start [rad], shape (N, 2).
        q_to: joint angles at the end [rad], shape (N, 2).
        resolution: what is clear by more than this is never refused [m], positive.

    Returns:
        Fraction of each motion at its first touch, in [0, 1], to within the resolution; inf where
        the motion is free. Shape (N,).

    Raises:
        PlanarArmError: the resolution is not positive, or the shapes of the arguments differ.
    """
    begin = np.asarray(q_from, dtype=np.float64)
    end = np.asarray(q_to, dtype=np.float64)
    if begin.shape != end.shape or begin.ndim != 2 or begin.shape[1] != 2:
        raise PlanarArmError(f"motions from {begin.shape} to {end.shape} must both be (N, 2)")
    if not resolution > 0.0:
        raise PlanarArmError(f"resolution {resolution} m must be greater than 0")
    dq = end - begin
    reach = _reach(arm, dq)
    first = np.full(len(begin), np.inf)
    c0, c1 = _clear(arm, obstacles, begin), _clear(arm, obstacles, end)
    first[np.any(c1 <= 0.0, axis=1)] = 1.0
    first[np.any(c0 <= 0.0, axis=1)] = 0.0
    index, t0, width = np.arange(len(begin)), np.zeros(len(begin)), 1.0
    while True:
        moved = reach[index] * width
        open_ = np.any(c0 + c1 <= moved, axis=1) & (t0 < first[index])
        index, t0, c0, c1, moved = index[open_], t0[open_], c0[open_], c1[open_], moved[open_]
        fine = np.max(moved, axis=1, initial=0.0) <= resolution
        np.minimum.at(first, index[fine], t0[fine])
        index, t0, c0, c1 = index[~fine], t0[~fine], c0[~fine], c1[~fine]
        if index.size == 0:
            return first
        width *= 0.5
        middle = t0 + width
        c = _clear(arm, obstacles, begin[index] + middle[:, None] * dq[index])
        touch = np.any(c <= 0.0, axis=1)
        np.minimum.at(first, index[touch], middle[touch])
        index = np.concatenate((index, index))
        t0 = np.concatenate((t0, middle))
        c0, c1 = np.concatenate((c0, c)), np.concatenate((c, c1))


def _reach(arm: PlanarArm, dq: Array) -> Array:
    """Farthest any point of link 1 and of link 2 moves [m], shape (N, 2)."""
    link1 = arm.l1 * np.abs(dq[:, 0])
    return np.stack((link1, link1 + arm.l2 * np.abs(dq[:, 0] + dq[:, 1])), axis=1)


def _clear(arm: PlanarArm, obstacles: Obstacles, q: Array) -> Array:
    """Clearance of each link from the nearest shape [m], shape (N, 2)."""
    least: Array = np.min(obstacles.clearances(arm, q), axis=2, initial=np.inf)
    return least
