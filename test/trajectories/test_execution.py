"""Watching a motion: every way it can end, on a made-up clock and a made-up arm."""

import numpy as np
import pytest

from arms import DEFAULT
from planar_arm_ik import JointLimits, PlanarArm
from planar_arm_ik.arm.joint_states import MeasuredState
from planar_arm_ik.paths.waypoints import example_arc
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.execution import Execution
from planar_arm_ik.trajectories.motion import PathOptions, prepare
from planar_arm_ik.trajectories.player import TrajectoryPlayer
from planar_arm_ik.trajectories.tolerances import Tolerances

PERIOD = 0.02
TOLERANCES = Tolerances()


class Run:
    """An execution and an arm that follows `lag` seconds late."""

    def __init__(self, lag=0.0, tolerances=TOLERANCES, tip_speed=0.3):
        self.motion = prepare(
            DEFAULT, example_arc(), np.array([0.3, -1.0]), PathOptions(tip_speed=tip_speed)
        )
        self.execution = Execution(DEFAULT, self.motion, self.motion.trajectory, 0.0)
        self.player = TrajectoryPlayer(np.array([0.3, -1.0]))
        self.player.play(self.motion.trajectory, 0.0)
        self.now, self.lag, self.tolerances = 0.0, lag, tolerances
        self.noticed = np.inf
        self.frozen, self.age, self.listeners, self.sent, self.offset = None, 0.0, 1, [], 0.0

    def q(self):
        if self.frozen is not None:
            return self.frozen
        return self.player.sample(max(0.0, self.now - self.lag))[0] + self.offset

    def until(self, stop_at):
        """Step until the end of the execution or a time."""
        while self.execution.ended is None and self.now < stop_at:
            self.now += PERIOD
            q = self.q()
            state = None if q is None else MeasuredState(q, np.zeros(2), self.now - self.age)
            age = min(self.age, self.noticed)
            ramp = self.execution.step(self.now, self.tolerances, state, age, self.listeners)
            if ramp is not None:
                self.send(ramp)
        return self.execution.ended

    def send(self, ramp):
        self.sent.append(ramp)
        self.player.play(ramp, self.now)

    def stop(self, status):
        ramp = self.execution.stop(self.now, self.tolerances, status, "asked to")
        if ramp is not None:
            self.send(ramp)
        return ramp


@pytest.mark.parametrize("lag", [0.0, 0.1])
def test_an_arm_that_follows_ends_well_also_when_it_is_late(lag):
    run = Run(lag)
    status, message = run.until(20.0)
    assert (status, message) == (IkStatus.OK, "")
    assert run.execution.fraction == 1.0
    assert run.now >= run.motion.trajectory.duration
    assert not run.sent
    if lag:
        assert 0.01 < run.execution.largest_error < 0.5


@pytest.mark.parametrize("begin", [0.3, 0.5, 0.8])
def test_an_arm_that_stands_still_ends_the_motion_within_half_a_second(begin):
    run = Run(lag=0.05, tolerances=Tolerances(path=0.0))
    run.until(begin)
    run.frozen = run.q()
    ended, message = run.until(20.0)
    assert ended is IkStatus.CONTROLLER
    assert "stands still" in message
    (ramp,) = run.sent
    assert run.now - ramp.duration <= begin + 0.5


@pytest.mark.parametrize("lag", [0.0, 0.05, 0.15, 0.3])
def test_an_arm_that_is_late_does_not_stand_still(lag):
    run = Run(lag, Tolerances(path=0.0, goal_time=2.0))
    assert run.until(20.0)[0] is IkStatus.OK


def test_a_watcher_that_was_held_up_does_not_blame_the_arm():
    run = Run()
    run.until(0.6)
    state = MeasuredState(run.q(), np.zeros(2), run.now)
    run.now += 0.8
    assert run.execution.step(run.now, TOLERANCES, state, 0.0, 1) is None
    assert run.until(20.0)[0] is IkStatus.OK


@pytest.mark.parametrize("tip_speed", [0.005, 0.02, 0.1, 0.5])
@pytest.mark.parametrize("rate", [10.0, 50.0])
def test_coarse_encoders_and_slow_paths_are_no_stall(tip_speed, rate):
    count, lag = 2.0 * np.pi / 1024, 0.2
    run = Run(lag, Tolerances(path=0.0, goal=0.0), tip_speed)
    ideal = run.q
    seen = {}

    def coarse():
        beat = int(run.now * rate + 1e-9)
        run.age = run.now - beat / rate
        if beat not in seen:
            seen.clear()
            seen[beat] = np.round(ideal() / count) * count
        return seen[beat]

    run.q = coarse
    assert run.until(400.0)[0] is IkStatus.OK


def test_a_stop_within_a_path_is_no_stall():
    run = Run()
    corner = prepare(
        DEFAULT, [(0.5, 0.45), (0.4, 0.45), (0.4, 0.35)], np.array([0.3, 1.2]), PathOptions()
    )
    run.motion = corner
    run.execution = Execution(DEFAULT, corner, corner.trajectory, 0.0)
    run.player = TrajectoryPlayer(np.array([0.3, 1.2]))
    run.player.play(corner.trajectory, 0.0)
    assert run.until(20.0)[0] is IkStatus.OK


@pytest.mark.parametrize("status", [IkStatus.CANCELED, IkStatus.PREEMPTED])
def test_a_stop_ramps_down_and_ends_once_at_rest(status):
    run = Run()
    run.until(0.8)
    assert run.stop(status) is not None
    assert run.stop(IkStatus.PREEMPTED) is None
    ended, message = run.until(20.0)
    assert (ended, message) == (status, "asked to")
    assert len(run.sent) == 1
    assert run.now < 0.8 + 0.6
    rest = run.q()
    run.now += 5.0
    np.testing.assert_array_equal(run.q(), rest)
    assert 0.0 <= run.execution.fraction < 1.0


def test_a_push_off_the_path_is_a_ramp_and_path_tolerance():
    run = Run()
    run.until(0.8)
    run.offset = 0.25
    status, message = run.until(20.0)
    assert status is IkStatus.PATH_TOLERANCE
    assert "0.25 rad off the path, tolerance 0.2" in message
    assert len(run.sent) == 1


def test_an_arm_that_does_not_move_is_noticed_within_half_a_second():
    run = Run(tolerances=Tolerances(stall=0.0))
    run.frozen = np.array([0.3, -1.0])
    status, _ = run.until(20.0)
    assert status is IkStatus.PATH_TOLERANCE
    assert run.now < 1.0
    late = Run(tolerances=Tolerances(path=0.0, stall=0.0))
    late.frozen = np.array([0.3, -1.0])
    status, message = late.until(20.0)
    assert status is IkStatus.GOAL_TOLERANCE
    assert "rad from the goal" in message
    unchecked = Run(tolerances=Tolerances(path=0.0, goal=0.0, stall=0.0))
    unchecked.frozen = np.array([0.3, -1.0])
    assert unchecked.until(20.0)[0] is IkStatus.OK


def test_stale_states_stop_the_arm_and_say_how_old():
    run = Run()
    run.until(0.8)
    run.age = 0.6
    status, message = run.until(20.0)
    assert (status, message) == (IkStatus.NO_STATE, "joint_states are 0.6 s old")
    assert len(run.sent) == 1


def test_a_controller_that_is_gone_ends_it_at_once():
    run = Run()
    run.until(0.8)
    run.listeners = 0
    assert run.until(20.0)[0] is IkStatus.CONTROLLER
    assert run.now < 0.8 + 2.5 * PERIOD


def test_a_noisy_arm_ends_after_the_goal_time():
    run = Run()
    rng = np.random.default_rng(0)
    exact = run.q
    run.q = lambda: exact() + rng.normal(0.0, 1e-3, 2)
    status, _ = run.until(20.0)
    assert status is IkStatus.OK
    assert run.now <= run.motion.trajectory.duration + TOLERANCES.goal_time + 2.5 * PERIOD


def test_progress_counts_down():
    run = Run()
    left = []
    for _ in range(40):
        run.until(run.now + PERIOD)
        left.append(run.execution.progress(run.now).time_remaining)
    assert left == sorted(left, reverse=True)
    assert left[0] == pytest.approx(run.motion.trajectory.duration - PERIOD)


@pytest.mark.parametrize("moment", [0.4, 0.9, 1.4])
def test_a_motion_that_ends_early_says_how_far_it_came(moment):
    run = Run()
    run.until(moment)
    before = run.execution.progress(run.now)
    run.stop(IkStatus.CANCELED)
    during = run.execution.progress(run.now + 0.05)
    assert run.execution.fraction == before.fraction
    assert (during.waypoint_index, during.fraction) == (before.waypoint_index, before.fraction)
    run.until(20.0)
    assert run.execution.fraction == before.fraction


def test_an_arm_that_never_moved_came_nowhere_and_is_told_apart():
    run = Run(tolerances=Tolerances(path=0.0))
    run.frozen = np.array([0.3, -1.0])
    status, message = run.until(20.0)
    assert status is IkStatus.GOAL_TOLERANCE
    assert run.execution.fraction == 0.0
    assert "has not moved at all" in message


def test_whole_turns_of_a_continuous_joint_are_no_error():
    arm = PlanarArm(0.5, 0.4, JointLimits(velocity=2.0, acceleration=8.0, continuous=True),
                    DEFAULT.joint2)  # fmt: skip
    start = np.array([3.0, 1.0])
    motion = prepare(arm, arm.forward([(3.1, 1.0), (3.4, 1.0)]), start, PathOptions())
    execution = Execution(arm, motion, motion.trajectory, 0.0)
    now = 0.0
    while execution.ended is None and now < 20.0:
        now += PERIOD
        q, _ = motion.trajectory.sample(now)
        wrapped = np.array([(q[0] + np.pi) % (2.0 * np.pi) - np.pi, q[1]])
        state = MeasuredState(wrapped, np.zeros(2), now)
        assert execution.step(now, TOLERANCES, state, 0.0, 1) is None
    assert execution.ended[0] is IkStatus.OK
    assert execution.largest_error < 1e-9
