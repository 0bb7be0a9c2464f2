r"""From a joint path to a timed trajectory under joint speed and acceleration limits.

The path is a cubic curve q(u) through the waypoints (Catmull-Rom tangents, at rest at both ends
of each piece that stops), with u counted in joint arc length. One trapezoid u(t) moves along it:

    |q' ud| <= v,      |q'' ud^2| + |q' udd| <= a

each half of the acceleration limit is kept for one of the two terms.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from planar_arm_ik.arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.trajectory import Trajectory

#: Largest time between two trajectory points [s].
POINT_SPACING = 0.02

_SAMPLES_PER_PIECE = 8
_SAME = 1e-9


def time_path(
    arm: PlanarArm,
    q: Array,
    *,
    tip_speed: float = 0.0,
    velocity_scaling: float = 1.0,
    acceleration_scaling: float = 1.0,
) -> Trajectory:
    """Time a joint path from rest to rest.

    Args:
        arm: the arm; both joints need finite speed and acceleration limits.
        q: joint angles [rad], shape (M, 2), M > 0; repeated rows are merged.
        tip_speed: largest speed of the tip [m/s]; 0 for none.
        velocity_scaling: part of the joint speed limits to use, in (0, 1].
        acceleration_scaling: part of the joint acceleration limits to use, in (0, 1].

    Returns:
        The trajectory, points at most 20 ms apart, at rest at both ends.

    Raises:
        PlanarArmError: a limit is missing, or a scaling or the tip speed is out of range.
    """
    velocity = _limits(arm, "velocity", velocity_scaling)
    acceleration = _limits(arm, "acceleration", acceleration_scaling)
    if not 0.0 <= tip_speed < math.inf:
        raise PlanarArmError(f"tip_speed {tip_speed} m/s must be finite and not negative")
    path = _without_repeats(np.asarray(q, dtype=np.float64))
    if len(path) == 1:
        return Trajectory(np.zeros(1), path, np.zeros((1, 2)))
    curve = _Curve(path)
    u = np.linspace(0.0, curve.length, _SAMPLES_PER_PIECE * (len(path) - 1) + 1)
    position, slope, bend = curve.evaluate(u)
    speed = _ratio(velocity, np.abs(slope))
    speed = min(speed, math.sqrt(_ratio(0.5 * acceleration, np.abs(bend))))
    if tip_speed > 0.0:
        tip_slope = np.einsum("nij,nj->ni", arm.jacobian(position), slope)
        speed = min(speed, tip_speed / float(np.hypot(*tip_slope.T).max()))
    push = _ratio(0.5 * acceleration, np.abs(slope))
    return _trapezoid(curve, speed, push)


class _Curve:
    """Cubic curve through joint waypoints, in joint arc length."""

    def __init__(self, path: Array) -> None:
        steps = np.diff(path, axis=0)
        pieces = np.hypot(steps[:, 0], steps[:, 1])
        self.knots = np.concatenate(([0.0], np.cumsum(pieces)))
        self.path = path
        chords = steps / pieces[:, None]
        weight = (pieces[1:] / (pieces[1:] + pieces[:-1]))[:, None]
        inner = weight * chords[:-1] + (1.0 - weight) * chords[1:]
        self.tangents = np.concatenate((chords[:1], inner, chords[-1:]))

    @property
    def length(self) -> float:
        return float(self.knots[-1])

    def evaluate(self, u: Array) -> tuple[Array, Array, Array]:
        """q, dq/du and d2q/du2 at arc lengths u, each of shape (len(u), 2)."""
        k = np.clip(np.searchsorted(self.knots, u, side="right"), 1, len(self.knots) - 1)
        h = (self.knots[k] - self.knots[k - 1])[:, None]
        t = (u - self.knots[k - 1])[:, None] / h
        m0, m1 = h * self.tangents[k - 1], h * self.tangents[k]
        delta = self.path[k] - self.path[k - 1]
        c2, c3 = 3.0 * delta - 2.0 * m0 - m1, m0 + m1 - 2.0 * delta
        q = self.path[k - 1] + t * (m0 + t * (c2 + t * c3))
        return q, (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / h, (2.0 * c2 + 6.0 * t * c3) / h**2


def _trapezoid(curve: _Curve, speed: float, push: float) -> Trajectory:
    """Move along the curve with at most `speed` and `push` in arc length per second."""
    length = curve.length
    speed = min(speed, math.sqrt(push * length))
    ramp = speed / push
    duration = length / speed + ramp
    corners = np.array((0.0, ramp, duration - ramp, duration))
    time = _subdivided(corners[np.diff(corners, prepend=-1.0) > _SAME])
    left = duration - time
    u = np.where(
        time < ramp,
        0.5 * push * time**2,
        np.where(left < ramp, length - 0.5 * push * left**2, speed * (time - 0.5 * ramp)),
    )
    ud = np.minimum(speed, push * np.minimum(time, left))
    q, slope, _ = curve.evaluate(np.clip(u, 0.0, length))
    q[0], q[-1] = curve.path[0], curve.path[-1]
    return Trajectory(time, q, slope * ud[:, None])


def _subdivided(corners: Array) -> Array:
    """Times at most POINT_SPACING apart that include the corners of the speed profile."""
    pieces = [
        np.linspace(a, b, max(2, math.ceil((b - a) / POINT_SPACING)) + 1)[:-1]
        for a, b in itertools.pairwise(corners)
    ]
    return np.concatenate((*pieces, corners[-1:]))


def _ratio(limit: Array, demand: Array) -> float:
    """Return the smallest limit / demand over all samples and joints; large without demand."""
    return float((limit / np.maximum(demand, 1e-12)).min())


def _without_repeats(path: Array) -> Array:
    if path.ndim != 2 or path.shape[1] != 2 or len(path) == 0 or not np.isfinite(path).all():
        raise PlanarArmError(f"joint path of shape {path.shape} must be finite and (M, 2), M > 0")
    keep = np.concatenate(([True], np.abs(np.diff(path, axis=0)).max(axis=1) > _SAME))
    return path[keep]


def _limits(arm: PlanarArm, kind: str, scaling: float) -> Array:
    if not 0.0 < scaling <= 1.0:
        raise PlanarArmError(f"{kind}_scaling {scaling} must be in (0, 1]")
    limits = np.array([getattr(joint, kind) for joint in arm.joints])
    if not np.isfinite(limits).all():
        raise PlanarArmError(f"timing needs a finite {kind} limit for both joints, got {limits}")
    return limits * scaling


def slow_down(arm: PlanarArm, trajectory: Trajectory, elapsed: float) -> Trajectory:
    """Stop along a trajectory: its own curve, passed ever more slowly.

    Args:
        arm: the arm whose acceleration limits hold.
        trajectory: what is being executed.
        elapsed: time since its start [s].

    Returns:
        A trajectory from the present point to rest, further along the same curve.
    """
    acceleration = _limits(arm, "acceleration", 1.0)
    _, qd = trajectory.sample(elapsed)
    ramp = max(2.0 * POINT_SPACING, float((np.abs(qd) / (0.5 * acceleration)).max()))
    count = max(3, math.ceil(ramp / POINT_SPACING) + 1)
    time = np.linspace(0.0, ramp, count)
    rate = 1.0 - time / ramp
    states = [trajectory.sample(elapsed + t - 0.5 * t * t / ramp) for t in time]
    q = np.array([position for position, _ in states])
    qds = np.array([velocity for _, velocity in states]) * rate[:, None]
    return Trajectory(time, q, qds)
