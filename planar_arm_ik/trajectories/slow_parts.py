"""Where a motion does not keep the tip speed it was asked for, and which joint holds it back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Part of the tip speed below which it counts as not kept.
KEPT = 0.98
#: Time between two looks [s].
_PERIOD = 0.002


@dataclass(frozen=True)
class SlowPart:
    """A part of the way on which the tip is slower than asked for.

    Args:
        begin: where it begins, as a part of the path's time, 0 to 1.
        end: where it ends.
        least: smallest tip speed there [m/s].
        joint: joint nearest to its limit, 1 or 2.
        limit: which limit: velocity or acceleration.
    """

    begin: float
    end: float
    least: float
    joint: int
    limit: str


def slow_parts(
    arm: PlanarArm, path: Trajectory, tip_speed: float, velocity: Array, acceleration: Array
) -> tuple[SlowPart, ...]:
    """Find where the tip is more than 2 % slower than asked for, apart from both ends.

    Speeding up from rest at the begin and slowing down to rest at the end are no such parts,
    stops on the way are.

    Args:
        arm: the arm.
        path: the timed path without its approach.
        tip_speed: what was asked for [m/s]; 0 for nothing.
        velocity: joint speed limits [rad/s], shape (2,).
        acceleration: joint acceleration limits [rad/s^2], shape (2,).
    """
    if tip_speed == 0.0 or path.duration == 0.0:
        return ()
    time = np.linspace(0.0, path.duration, max(3, round(path.duration / _PERIOD) + 1))
    q, qd, qdd = path.states(time)
    speed = np.hypot(*np.einsum("nij,nj->ni", arm.jacobian(q), qd).T)
    use = np.concatenate((np.abs(qd) / velocity, np.abs(qdd) / acceleration), axis=1)
    slow = np.concatenate(([False], speed < KEPT * tip_speed, [False]))
    begins, ends = np.flatnonzero(slow[1:] & ~slow[:-1]), np.flatnonzero(slow[:-1] & ~slow[1:])
    whole = len(begins) == 1 and begins[0] == 0 and ends[0] == len(time)
    parts = []
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        if not whole and (begin == 0 or end == len(time)):
            continue
        # Braking and speeding up again take turns with what holds back in between.
        which = int(np.argmax(use[begin:end].mean(axis=0)))
        parts.append(
            SlowPart(
                float(time[begin] / path.duration),
                float(time[end - 1] / path.duration),
                float(speed[begin:end].min()),
                1 + which % 2,
                "velocity" if which < 2 else "acceleration",
            )
        )
    return tuple(parts)
