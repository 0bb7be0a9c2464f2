import pytest

pytest.importorskip("rclpy")
from planar_arm_ik.nodes.cartesian_follower.clock_watch import ClockWatch

TICK = 10_000_000


def watched(times, timeout=0.25, start=100.0):
    """Feed (clock [ns], monotonic [s]) pairs; return what the watch says."""
    watch = ClockWatch(timeout)
    return [watch.elapsed(0.01, now, start + at, True) for now, at in times]


def test_real_time_always_runs():
    assert ClockWatch(0.25).elapsed(0.01, 5, 100.0, False) == (0.01, True)


def test_simulated_time_counts_at_its_own_speed():
    said = watched([(5 * TICK, 0.0), (6 * TICK, 0.02), (6 * TICK, 0.03), (9 * TICK, 0.04)])
    assert [runs for _, runs in said] == [True] * 4
    assert [dt for dt, _ in said] == pytest.approx([0.0, 0.01, 0.0, 0.03])


def test_before_the_first_tick_it_does_not_run():
    assert watched([(0, 0.0), (0, 0.01)]) == [(0.01, False), (0.01, False)]


def test_a_stopped_clock_is_noticed_after_the_timeout_and_stops_in_real_time():
    said = watched([(5 * TICK, 0.0), (5 * TICK, 0.25), (5 * TICK, 0.26), (6 * TICK, 0.27)])
    assert said[1] == (0.0, True)
    assert said[2] == (0.01, False)
    assert said[3] == (pytest.approx(0.01), True)


def test_after_a_jump_back_it_does_not_run_for_the_timeout():
    times = [(500 * TICK, 0.0), (5 * TICK, 0.01), (20 * TICK, 0.2), (27 * TICK, 0.27)]
    said = watched(times)
    assert [runs for _, runs in said] == [True, False, False, True]
    assert said[3][0] == pytest.approx(0.07)
