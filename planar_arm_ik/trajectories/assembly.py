"""Stretches put together, each as fast as limits and the controller's cubics allow."""

from __future__ import annotations

import math

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.trajectories.cubic_check import excess, stretch_factor
from planar_arm_ik.trajectories.joint_curve import Stretch
from planar_arm_ik.trajectories.profile import Profile, trapezoid
from planar_arm_ik.trajectories.sample_times import NEAR, SHORTEST, SPACING
from planar_arm_ik.trajectories.toppra_timing import fastest, speed_bound
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Longest motion [s]: a slower one is a unit or a zero gone astray, and would not fit a message.
LONGEST = 3600.0

_SAMPLES_PER_PIECE = 8
_PROBES = np.array((0.0, 0.25, 0.5, 0.75))
#: Places at which the accelerations are cut, rounds of it, and a slowing that needs none.
_PLACES, _ROUNDS, _GOOD = 2001, 3, 1.015


class Assembly:
    """Stretches one after the other, each slowed for the controller's cubics."""

    def __init__(
        self,
        arm: PlanarArm,
        velocity: Array,
        acceleration: Array,
        tip_speed: float,
        slow_locally: bool,
    ) -> None:
        self._arm, self._velocity, self._acceleration = arm, velocity, acceleration
        self._tip_speed, self._slow_locally = tip_speed, slow_locally
        self._points: list[tuple[Array, Array, Array]] = []
        self._end = 0.0
        self.rows: list[Array] = []
        self.fastest = 0.0

    def add(self, part: Stretch, with_library: bool) -> None:
        """Time a stretch and append it."""
        profile = self._profile(part, with_library)
        self._refuse_if_long(profile.duration)
        least = profile.duration
        time, q, qd = profile.points(part)
        slower = self._slower(time, q, qd)
        if self._slow_locally and with_library and not part.straight and slower > _GOOD:
            profile = self._locally_slower(part, profile, slower)
            time, q, qd = profile.points(part)
            slower = self._slower(time, q, qd)
        self._refuse_if_long(slower * profile.duration)
        while slower * float(np.diff(time).max()) > SPACING * (1.0 + 1e-9):
            time, q, qd = profile.points(part, 0.98 * SPACING / slower)
            slower = self._slower(time, q, qd)
        passed = self._end + slower * profile.time_of(part.knots)
        self.rows.append(passed[1:] if self.rows else passed)
        skip = 1 if self._points else 0
        self._points.append((self._end + slower * time[skip:], q[skip:], qd[skip:] / slower))
        self.fastest += least
        self._end += slower * float(time[-1])

    def _locally_slower(self, part: Stretch, profile: Profile, slower: float) -> Profile:
        """Slow down only where the controller's cubics need it, as long as that is faster."""
        u = np.linspace(0.0, part.length, _PLACES)
        q, slope, _ = part.evaluate(u)
        bound = speed_bound(self._arm, q, slope, self._velocity, self._tip_speed)
        share, best, least = np.ones(_PLACES), profile, slower * profile.duration
        for _ in range(_ROUNDS):
            if slower <= _GOOD:
                break
            time, q, qd = profile.points(part)
            over = excess(time, q, qd, self._acceleration)
            at, _ = profile.at(profile.times, time)
            for k in np.flatnonzero(over > 1.0).tolist():
                margin = 0.5 * (at[k + 1] - at[k])
                share[(u >= at[k] - margin) & (u <= at[k + 1] + margin)] /= over[k]
            limits = self._velocity, self._gentle(bound), self._tip_speed
            found = fastest(self._arm, part, *limits, share=(u, share))
            if found is None:
                break
            profile = found
            slower = self._slower(*profile.points(part))
            if slower * profile.duration < least:
                best, least = profile, slower * profile.duration
        return best

    def _gentle(self, bound: Array) -> Array:
        """Accelerations whose ramps to the largest speed end on a trajectory point [rad/s^2].

        A ramp between two points would be overshot (see :func:`trapezoid`).
        """
        gentle: Array = np.minimum(self._acceleration, float(bound.max()) / NEAR)
        return gentle

    def _refuse_if_long(self, duration: float) -> None:
        if not self._end + duration <= LONGEST:
            raise PlanarArmError(
                f"the motion would take {self._end + duration:.3g} s or more; at most "
                f"{LONGEST:g} s: raise tip_speed or the scalings"
            )

    def _slower(self, time: Array, q: Array, qd: Array) -> float:
        """Factor by which the controller's cubics must be slowed; none shorter than SHORTEST."""
        slower = stretch_factor(time, q, qd, self._velocity, self._acceleration)
        slower = max(slower, SHORTEST / float(np.diff(time).min()))
        if self._tip_speed == 0.0:
            return slower
        between = (time[:-1, None] + np.diff(time)[:, None] * _PROBES).ravel()
        position, velocity, _ = Trajectory(time, q, qd).states(between)
        tip = np.einsum("nij,nj->ni", self._arm.jacobian(position), velocity)
        return max(slower, float(np.hypot(*tip.T).max()) / self._tip_speed)

    def _profile(self, part: Stretch, with_library: bool) -> Profile:
        u = np.linspace(0.0, part.length, _SAMPLES_PER_PIECE * (len(part.rows) - 1) + 1)
        q, slope, bend = part.evaluate(u)
        bound = speed_bound(self._arm, q, slope, self._velocity, self._tip_speed)
        self._refuse_if_long(part.length / max(float(bound.max()), 1e-300))
        if with_library and not (part.straight and self._tip_speed == 0.0):
            pull = self._gentle(bound)
            found = fastest(self._arm, part, self._velocity, pull, self._tip_speed)
            if found is not None:
                return found
        share = 1.0 if part.straight else 0.5  # of the acceleration, for speeding up
        speed = float(bound.min())
        if not part.straight:
            speed = min(speed, math.sqrt(_ratio(share * self._acceleration, np.abs(bend))))
        return trapezoid(part, speed, _ratio(share * self._acceleration, np.abs(slope)))

    def trajectory(self) -> Trajectory:
        """Return all of it."""
        time, q, qd = (np.concatenate(arrays) for arrays in zip(*self._points, strict=True))
        return Trajectory(time, q, qd)


def _ratio(limit: Array, demand: Array) -> float:
    """Return the smallest limit / demand over all samples and joints; large without demand."""
    return float((limit / np.maximum(demand, 1e-12)).min())
