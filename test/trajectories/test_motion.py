"""From waypoints to a motion: approach, timing, refusals, progress."""

import math

import numpy as np
import pytest

from arms import DEFAULT, EQUAL, SHAPES
from planar_arm_ik import IkStatus, PlanarArmError
from planar_arm_ik.paths.waypoints import example_arc
from planar_arm_ik.trajectories.cubic_check import peaks
from planar_arm_ik.trajectories.motion import PathOptions, prepare

START = np.array([0.3, -1.0])


def test_the_motion_starts_where_the_arm_is_and_passes_every_waypoint():
    motion = prepare(DEFAULT, example_arc(), START, PathOptions())
    trajectory = motion.trajectory
    np.testing.assert_array_equal(trajectory.q[0], START)
    assert motion.approach > 0.0
    tips = DEFAULT.forward(trajectory.states(motion.row_times)[0])
    rows = np.searchsorted(motion.plan.waypoint_index, np.arange(31))
    np.testing.assert_allclose(tips[rows], example_arc(), atol=1e-5)
    speed, pull = peaks(trajectory.time, trajectory.q, trajectory.qd)
    assert (speed <= 2.0 * 1.001).all()
    assert (pull <= 8.0 * 1.001).all()


def test_progress_counts_waypoints_and_length():
    motion = prepare(DEFAULT, [(0.5, 0.0), (0.6, 0.0), (0.6, 0.3)], START, PathOptions())
    assert motion.progress(0.0) == (0, 0.0)
    index, fraction = motion.progress(motion.approach + 1e-3)
    assert index == 1
    assert fraction < 0.01
    rows = np.searchsorted(motion.plan.waypoint_index, [1])
    index, fraction = motion.progress(float(motion.row_times[rows[0]]) + 1e-6)
    assert index == 2
    assert fraction == pytest.approx(0.25, abs=1e-3)
    assert motion.progress(1e9) == (2, 1.0)
    seen = [motion.progress(t)[1] for t in np.linspace(0.0, 3.0, 200)]
    assert seen == sorted(seen)


def test_nothing_to_do_has_no_trajectory():
    tip = DEFAULT.forward(START)
    motion = prepare(DEFAULT, [tip, tip], START, PathOptions())
    assert motion.ok
    assert motion.trajectory is None


def test_an_approach_that_is_too_long_names_joint_values_and_tolerance():
    start = np.array([1.845, -1.7])
    motion = prepare(DEFAULT, example_arc(), start, PathOptions(max_approach=0.05))
    assert (motion.plan.status, motion.plan.failed_index) == (IkStatus.JOINT_STEP, 0)
    for words in ("joint1 = 0.57", "1.845 rad", "max_approach 0.05"):
        assert words in motion.plan.message
    pushed = prepare(
        DEFAULT, example_arc(), np.array([0.58, -1.69]), PathOptions(max_approach=0.05)
    )
    assert pushed.ok


def test_an_approach_through_a_shape_is_refused():
    post_between = prepare(DEFAULT, [(0.4, -0.4)], np.array([1.5, 0.1]), PathOptions(), SHAPES)
    assert post_between.plan.status is IkStatus.COLLISION
    assert "'post' on the approach" in post_between.plan.message
    assert post_between.trajectory is None


def test_an_arm_without_limits_cannot_be_timed():
    motion = prepare(EQUAL, [(0.3, 0.0), (0.3, 0.1)], None, PathOptions())
    assert motion.plan.status is IkStatus.TIMING
    assert "finite velocity limit" in motion.plan.message


def test_a_refused_plan_keeps_its_reason():
    motion = prepare(DEFAULT, [(0.5, 0.0), (0.5, 0.8)], START, PathOptions())
    assert (motion.plan.status, motion.plan.failed_index) == (IkStatus.TOO_FAR, 1)
    assert not motion.ok


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("velocity_scaling", 0.0),
        ("acceleration_scaling", 1.5),
        ("tip_speed", -1.0),
        ("tip_speed", math.nan),
        ("max_joint_step", 0.0),
        ("max_approach", math.nan),
    ],
)
def test_options_out_of_range_are_refused(field, value):
    with pytest.raises(PlanarArmError, match=field):
        PathOptions(**{field: value})
