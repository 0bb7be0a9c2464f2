r"""Coming to rest along a trajectory as fast as the acceleration limits allow.

The trajectory's own clock tau runs ever slower: q(tau(t)) with rate r = dtau/dt falling from 1 to
0 stays on the curve. With qd, qdd of the trajectory at tau, joint j accelerates by

    qdd_j r^2 + qd_j rd,      |.| <= a_j.

At every step rd is the most negative value these limits allow; on a straight joint move that is
the deceleration a, so the arm rests after v^2 / 2a.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.trajectories.cubic_check import OVER, peaks
from planar_arm_ik.trajectories.sample_times import SHORTEST, SPACING, sample_times
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Step of the integration [s].
_STEP = 0.001
_FINEST = 0.05 * _STEP
_SHARES = (1.0, 0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6)


def stop_along(
    trajectory: Trajectory, elapsed: float, acceleration: Array, lead: float = 0.0
) -> Trajectory:
    """Stop along a trajectory.

    Args:
        trajectory: what is being executed, with velocities.
        elapsed: time since its start [s].
        acceleration: joint acceleration limits [rad/s^2], shape (2,).
        lead: time until the new trajectory takes over [s]; its first point is where the old one
            is then, with its velocity.

    Returns:
        A trajectory from there to rest, further along the same curve, points at most 20 ms
        apart; its first point is at `lead`.
    """
    begin = min(elapsed + lead, trajectory.duration)
    for share in _SHARES:
        stop = _ramp(trajectory, begin, share * acceleration)
        _, pull = peaks(stop.time, stop.q, _velocities(stop)) if len(stop.time) > 1 else (0, 0)
        if np.all(pull <= OVER * acceleration):
            break
    return Trajectory(stop.time + lead, stop.q, stop.qd) if lead > 0.0 else stop


def _velocities(trajectory: Trajectory) -> Array:
    return np.zeros_like(trajectory.q) if trajectory.qd is None else trajectory.qd


def _ramp(trajectory: Trajectory, begin: float, acceleration: Array) -> Trajectory:
    times, taus, rates = [0.0], [begin], [1.0]
    t, tau, rate = 0.0, begin, 1.0
    limits = acceleration.tolist()
    for piece in _pieces(trajectory, begin, _next_rest(trajectory, begin)):
        while rate > 0.0 and piece.end - tau > 1e-9:
            fall = _fall(*piece.motion(tau), rate, limits)
            step = min(_STEP, (piece.end - tau) / rate)
            if fall > 0.0:  # near rest the trajectory's own speed changes within a step
                left = rate / fall
                step = min(step, left, max(0.125 * left, _FINEST))
            t += step
            tau = min(piece.end, tau + step * (rate - 0.5 * fall * step))
            rate -= fall * step
            rate = rate if rate > 1e-9 else 0.0
            times.append(t)
            taus.append(tau)
            rates.append(rate)
    return _sampled(trajectory, np.array(times), np.array(taus), np.array(rates))


class _Piece(NamedTuple):
    """One cubic of a trajectory: velocities and accelerations at its begin, and jerks."""

    begin: float
    end: float
    qd: list[float]
    qdd: list[float]
    jerk: list[float]

    def motion(self, tau: float) -> tuple[list[float], list[float]]:
        """Joint velocities [rad/s] and accelerations [rad/s^2] at time tau [s]."""
        t = tau - self.begin
        each = list(zip(self.qd, self.qdd, self.jerk, strict=True))
        return [v + t * (a + 0.5 * t * j) for v, a, j in each], [a + t * j for _, a, j in each]


def _pieces(trajectory: Trajectory, begin: float, end: float) -> Iterator[_Piece]:
    """Cubics from one time to another, the first one from `begin` on."""
    times = trajectory.time
    for k in range(int(np.searchsorted(times, begin, side="right")), len(times)):
        low, high = max(begin, float(times[k - 1])), min(end, float(times[k]))
        if high <= low:
            return
        _, qd, qdd = trajectory.states(np.array((low, 0.5 * (low + high))))
        jerk = (qdd[1] - qdd[0]) / (0.5 * (high - low))
        yield _Piece(low, high, qd[0].tolist(), qdd[0].tolist(), jerk.tolist())


def _next_rest(trajectory: Trajectory, begin: float) -> float:
    """Time of the next point at rest [s]: the corner the arm stops at anyway, or the end."""
    rests = (trajectory.time > begin) & ~_velocities(trajectory).any(axis=1)
    return float(trajectory.time[np.argmax(rests)]) if rests.any() else trajectory.duration


def _fall(qd: list[float], qdd: list[float], rate: float, acceleration: list[float]) -> float:
    """Fastest fall of the rate the limits allow [1/s], not negative."""
    falls = []
    for speed, pull, most in zip(qd, qdd, acceleration, strict=True):
        if abs(speed) > 1e-9:
            along = math.copysign(pull, pull * speed) * rate * rate
            falls.append((most + along) / abs(speed))
    return max(0.0, min(falls, default=1.0 / _STEP))


def _sampled(trajectory: Trajectory, times: Array, taus: Array, rates: Array) -> Trajectory:
    end = float(times[-1])
    # The trajectory is smooth between its own points only.
    inside = (trajectory.time > taus[0]) & (trajectory.time < taus[-1])
    switches = np.interp(trajectory.time[inside], taus, times)
    wanted = sample_times(switches, end, 0.5 * SPACING) if end > 0.0 else np.zeros(1)
    # The nearest steps of the integration: between them the clock is not linear.
    nodes = np.unique(np.searchsorted(times, wanted - 0.5 * _STEP))
    early = nodes[times[nodes] <= end - SHORTEST]
    nodes = np.unique(np.concatenate(([0], early, [len(times) - 1])))
    t, tau, rate = times[nodes], taus[nodes], rates[nodes]
    rate[-1] = 0.0
    if 0.0 < end < SHORTEST:
        t = t * (SHORTEST / end)
    q, qd, _ = trajectory.states(tau)
    return Trajectory(t, q, qd * rate[:, None])
