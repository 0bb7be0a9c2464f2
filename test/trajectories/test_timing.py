"""Timing: limits hold, the curve is kept, stops are on the curve."""

import math

import numpy as np
import pytest

from arms import DEFAULT, EQUAL
from planar_arm_ik import PlanarArmError, plan_path
from planar_arm_ik.paths.waypoints import example_arc
from planar_arm_ik.trajectories.timing import time_path


def dense(trajectory, count=4000):
    time = np.linspace(0.0, trajectory.duration, count)
    states = [trajectory.sample(t) for t in time]
    q, qd = (np.array(rows) for rows in zip(*states, strict=True))
    return q, qd, np.diff(qd, axis=0) / np.diff(time)[:, None]


def random_paths(count):
    rng = np.random.default_rng(7)
    steps = [rng.uniform(-0.3, 0.3, (rng.integers(2, 12), 2)) for _ in range(count)]
    return [np.cumsum(rows, axis=0) for rows in steps]


@pytest.mark.parametrize("path", random_paths(20), ids=lambda path: f"{len(path)}")
def test_speed_and_acceleration_limits_hold(path):
    _, qd, qdd = dense(time_path(DEFAULT, path).trajectory)
    assert np.abs(qd).max() <= 2.0 * (1.0 + 1e-3)
    assert np.abs(qdd[1:-1]).max() <= 8.0 * 1.05


def test_it_rests_at_both_ends_and_its_points_are_close():
    trajectory = time_path(DEFAULT, np.array([[0.0, 0.0], [0.5, 1.0], [1.0, 0.5]])).trajectory
    np.testing.assert_array_equal(trajectory.qd[[0, -1]], np.zeros((2, 2)))
    assert np.diff(trajectory.time).max() <= 0.02 + 1e-12


def test_the_tip_keeps_to_the_arc_and_to_its_speed():
    plan = plan_path(DEFAULT, example_arc())
    q, qd, _ = dense(time_path(DEFAULT, plan.q, tip_speed=0.1).trajectory)
    assert np.abs(np.hypot(*DEFAULT.forward(q).T) - 0.6).max() < 1e-5
    speed = np.linalg.norm(np.einsum("nij,nj->ni", DEFAULT.jacobian(q), qd), axis=1)
    assert speed.max() <= 0.1 * (1.0 + 1e-3)


def test_scaling_slows_down():
    path = np.array([[0.0, 0.0], [2.0, 0.0]])
    full = time_path(DEFAULT, path).trajectory.duration
    assert full == pytest.approx(2.0 / 2.0 + 2.0 / 8.0)
    assert time_path(DEFAULT, path, velocity_scaling=0.5).trajectory.duration > full
    assert time_path(DEFAULT, path, acceleration_scaling=0.5).trajectory.duration > full


MOVES = {
    "line": [(0.1, 1.0), (0.5, 0.6)],
    "shoulder": [(0.1, 1.0), (0.3, 1.0)],
    "corner": [(0.0, 1.0), (0.1, 1.0), (0.1, 1.2)],
    "arc": [(0.3 * math.cos(t), 1.0 + 0.3 * math.sin(t)) for t in np.linspace(0.0, 1.0, 30)],
}


@pytest.mark.parametrize("scaling", [0.03, 0.01, 0.003, 1e-3, 3e-4, 1e-4])
@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_a_small_scaling_is_the_speed_that_was_asked_for(move, scaling):
    path = np.array(move)
    timed = time_path(DEFAULT, path, velocity_scaling=scaling)
    limits = scaling * np.array([joint.velocity for joint in DEFAULT.joints])
    least = (np.abs(np.diff(path, axis=0)) / limits).max(axis=1).sum()
    assert least <= timed.trajectory.time[-1] * 1.001
    assert timed.trajectory.time[-1] <= 1.02 * least
    assert np.abs(timed.trajectory.qd / limits).max() <= 1.001


@pytest.mark.parametrize("scaling", [0.03, 0.003, 3e-4])
def test_a_small_scaling_without_the_library_is_kept_or_the_message_says_slower(scaling):
    for name, move in MOVES.items():
        path = np.array(move)
        timed = time_path(DEFAULT, path, velocity_scaling=scaling, use_library=False)
        limits = scaling * np.array([joint.velocity for joint in DEFAULT.joints])
        least = (np.abs(np.diff(path, axis=0)) / limits).max(axis=1).sum()
        assert timed.trajectory.time[-1] <= (1.15 if name == "arc" else 1.02) * least
        assert "slower" in timed.message


def test_a_path_that_goes_nowhere_is_one_point():
    trajectory = time_path(DEFAULT, np.array([[0.1, 0.2], [0.1, 0.2]])).trajectory
    assert trajectory.time.tolist() == [0.0]


@pytest.mark.parametrize("scaling", [0.0, -1.0, 1.5, float("nan")])
def test_a_scaling_out_of_range_is_refused(scaling):
    with pytest.raises(PlanarArmError, match="velocity_scaling"):
        time_path(DEFAULT, np.zeros((2, 2)), velocity_scaling=scaling)


def test_missing_limits_and_bad_paths_are_refused():
    with pytest.raises(PlanarArmError, match="finite velocity limit"):
        time_path(EQUAL, np.zeros((2, 2)))
    with pytest.raises(PlanarArmError, match="joint path"):
        time_path(DEFAULT, np.full((2, 2), np.nan))
    with pytest.raises(PlanarArmError, match="tip_speed"):
        time_path(DEFAULT, np.zeros((2, 2)), tip_speed=-1.0)


@pytest.mark.parametrize("size", [3e-9, 1e-8, 1e-7, 1.3e-6, 1e-5, 1e-3])
def test_points_are_a_millisecond_apart_however_small_the_motion(size):
    for path in ([(0.3, 1.0), (0.3, 1.0 + size)], [(0.3, 1.0), (0.5, 1.2), (0.5, 1.2 + size)]):
        trajectory = time_path(DEFAULT, np.array(path)).trajectory
        assert np.diff(trajectory.time).min() >= 0.001 - 1e-12
        np.testing.assert_array_equal(trajectory.q[-1], path[-1])


@pytest.mark.parametrize(
    "slow",
    [
        {"tip_speed": 1e-9},
        {"tip_speed": 5e-324},
        {"velocity_scaling": 1e-7},
        {"velocity_scaling": 5e-324},
        {"acceleration_scaling": 1e-12},
    ],
)
@pytest.mark.parametrize("use_library", [True, False])
@pytest.mark.parametrize(
    "path", [[(0.0, 0.5), (0.1, 0.5)], [(0.0, 0.5), (0.1, 0.5), (0.15, 0.52)]]
)
def test_a_motion_of_more_than_an_hour_is_refused_before_it_fills_the_memory(
    path, slow, use_library
):
    with pytest.raises(PlanarArmError, match="at most 3600 s"):
        time_path(DEFAULT, np.array(path), corner_angle=1.0, use_library=use_library, **slow)
