"""Trajectories and their player."""

import numpy as np
import pytest

from planar_arm_ik import PlanarArmError
from planar_arm_ik.trajectories.player import TrajectoryPlayer
from planar_arm_ik.trajectories.trajectory import Trajectory


def cubic(t):
    """A motion that a cubic piece reproduces exactly, and its velocity."""
    q = np.stack((1.0 + t - t**3, 0.5 * t**2), axis=-1)
    return q, np.stack((1.0 - 3.0 * t**2, t), axis=-1)


def test_sampling_reproduces_a_cubic_from_two_points():
    time = np.array([0.0, 0.7])
    trajectory = Trajectory(time, *cubic(time))
    for t in np.linspace(0.0, 0.699, 20):
        for got, want in zip(trajectory.sample(t), cubic(t), strict=True):
            np.testing.assert_allclose(got, want, atol=1e-14)


def test_without_velocities_the_motion_is_a_straight_line():
    trajectory = Trajectory(np.array([0.0, 2.0]), np.array([[0.0, 1.0], [1.0, 0.0]]), None)
    q, qd = trajectory.sample(0.5)
    np.testing.assert_allclose(q, [0.25, 0.75])
    np.testing.assert_allclose(qd, [0.5, -0.5])


def test_before_and_after_it_rests_at_the_ends():
    trajectory = Trajectory(np.array([0.5, 1.0]), np.ones((2, 2)) * [[1.0], [2.0]], None)
    for t, q in ((0.0, 1.0), (1.0, 2.0), (99.0, 2.0)):
        np.testing.assert_array_equal(trajectory.sample(t)[0], [q, q])
        np.testing.assert_array_equal(trajectory.sample(t)[1], [0.0, 0.0])


@pytest.mark.parametrize(
    ("time", "rows", "words"),
    [
        ([], np.empty((0, 2)), "M > 0"),
        ([0.0], np.zeros((2, 2)), "rule is"),
        ([0.0, 0.0], np.zeros((2, 2)), "point 1 is at 0.0 s"),
        ([-0.1, 0.0], np.zeros((2, 2)), "point 0"),
        ([0.0, np.nan], np.zeros((2, 2)), "finite"),
        ([0.0, 1.0], np.full((2, 2), np.inf), "finite"),
    ],
)
def test_a_malformed_trajectory_is_refused(time, rows, words):
    with pytest.raises(PlanarArmError, match=words):
        Trajectory(np.array(time), rows, None)


def test_a_new_trajectory_takes_over_in_position_and_velocity():
    player = TrajectoryPlayer(np.zeros(2))
    first = Trajectory(np.array([0.0, 1.0]), np.array([[0.0, 0.0], [1.0, 2.0]]), np.zeros((2, 2)))
    player.play(first, 10.0)
    before = player.sample(10.4)
    player.play(Trajectory(np.array([0.5]), np.array([[3.0, 3.0]]), np.zeros((1, 2))), 10.4)
    for was, now in zip(before, player.sample(10.4), strict=True):
        np.testing.assert_allclose(now, was, atol=1e-14)
    np.testing.assert_array_equal(player.sample(10.9)[0], [3.0, 3.0])
    assert player.finished(10.9)
    assert not player.finished(10.8)


def test_holding_stops_at_once():
    player = TrajectoryPlayer(np.zeros(2))
    player.play(Trajectory(np.array([1.0]), np.array([[1.0, 1.0]]), None), 0.0)
    player.hold(player.sample(0.5)[0])
    np.testing.assert_allclose(player.sample(5.0)[0], [0.5, 0.5])
