"""Coming to rest along a trajectory: on it, within the limits, as soon as they allow."""

import numpy as np
import pytest

from arms import DEFAULT
from planar_arm_ik.trajectories.cubic_check import peaks
from planar_arm_ik.trajectories.stopping import stop_along
from planar_arm_ik.trajectories.timing import joint_limits, time_path
from planar_arm_ik.trajectories.trajectory import Trajectory

ACCELERATION = joint_limits(DEFAULT, "acceleration")
PERIOD = 0.02


def straight(rng):
    return np.stack((np.zeros(2), rng.uniform(-2.0, 2.0, 2)))


def curved(rng):
    t = np.linspace(0.0, 3.0, int(rng.integers(3, 40)))
    waves = rng.normal(0.0, 0.3, (3, 2))
    return np.array([0.3, 1.2]) + sum(
        np.outer(np.sin((k + 1) * t + k), waves[k]) for k in range(3)
    )


def travelled(q):
    return float(np.hypot(*np.diff(q, axis=0).T).sum())


@pytest.mark.parametrize(("kind", "factor"), [(straight, 1.0), (curved, 1.5)])
def test_it_rests_within_the_braking_distance_on_the_path(kind, factor):
    rng = np.random.default_rng(3)
    for _ in range(12):
        trajectory = time_path(DEFAULT, kind(rng)).trajectory
        elapsed = rng.uniform(0.0, trajectory.duration)
        stop = stop_along(trajectory, elapsed, ACCELERATION, 2.0 * PERIOD)
        begin = min(elapsed + 2.0 * PERIOD, trajectory.duration)
        q, qd, _ = trajectory.states(np.array([begin]))
        np.testing.assert_allclose(stop.q[0], q[0], atol=1e-12)
        np.testing.assert_array_equal(stop.qd[-1], [0.0, 0.0])
        assert stop.time[0] == pytest.approx(2.0 * PERIOD)
        if len(stop.time) == 1:
            continue
        np.testing.assert_allclose(stop.qd[0], qd[0], atol=1e-12)
        _, pull = peaks(stop.time, stop.q, stop.qd)
        assert (pull <= 1.0011 * ACCELERATION).all()
        moved, _, _ = stop.states(np.linspace(stop.time[0], stop.time[-1], 300))
        speed = np.hypot(*qd[0])
        brake = float((ACCELERATION / np.maximum(np.abs(qd[0]) / max(speed, 1e-9), 1e-9)).min())
        allowed = factor * speed**2 / (2.0 * brake) + 2.0 * PERIOD * speed + 1e-3
        assert travelled(moved) <= allowed
        path, _, _ = trajectory.states(np.linspace(0.0, trajectory.duration, 6000))
        off = [np.hypot(*(path - row).T).min() for row in moved[::15]]
        assert max(off) < 2e-3


def test_the_published_case_of_a_stop():
    # 1 rad/s and 2 rad/s^2: rest after 0.5 s, 0.25 rad further.
    time = np.linspace(0.0, 10.0, 501)
    q = np.stack((time, np.zeros(501)), axis=1)
    cruise = Trajectory(time, q, np.tile([1.0, 0.0], (501, 1)))
    stop = stop_along(cruise, 1.0, np.array([2.0, 2.0]))
    assert stop.duration == pytest.approx(0.5, abs=1e-6)
    assert stop.q[-1, 0] - 1.0 == pytest.approx(0.25, abs=1e-6)


def test_at_the_end_and_at_a_corner_there_is_nothing_to_stop():
    corner = time_path(DEFAULT, np.array([[0.0, 0.0], [0.5, 0.0], [0.5, 0.5]])).trajectory
    rest = corner.time[np.flatnonzero(~corner.qd.any(axis=1))[1]]
    stop = stop_along(corner, float(rest) - 0.01, ACCELERATION)
    np.testing.assert_allclose(stop.q[-1], [0.5, 0.0], atol=1e-9)
    ended = stop_along(corner, corner.duration + 1.0, ACCELERATION, 0.04)
    np.testing.assert_allclose(ended.q, [[0.5, 0.5]])


def test_a_stop_at_any_moment_keeps_points_apart_and_the_acceleration():
    move = time_path(DEFAULT, np.array([(0.0, 0.0), (1.0, -0.7)])).trajectory
    moments = np.concatenate((np.linspace(0.0, 0.02, 60), np.linspace(0.02, move.duration, 200)))
    for elapsed in moments:
        stop = stop_along(move, float(elapsed), ACCELERATION)
        if len(stop.time) > 1:
            assert np.diff(stop.time).min() >= 0.001 - 1e-12
            _, pull = peaks(stop.time, stop.q, stop.qd)
            assert (pull <= 1.0011 * ACCELERATION).all(), elapsed
