import json
import math

import numpy as np
import pytest

from places import DATA
from planar_arm_ik import JointLimits, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.scene.arrows import velocity_arrows
from planar_arm_ik.scene.history import History
from planar_arm_ik.scene.paths import path_picture
from planar_arm_ik.scene.study import EXAMPLES, example_path, follow
from planar_arm_ik.status import Branch

ARM = PlanarArm(
    0.5, 0.4, JointLimits(-2.9670597, 2.9670597, 2.0, 8.0), JointLimits(-2.6179938, 2.6179938)
)
ARC = json.loads((DATA / "branch_arc.json").read_text())


def test_the_example_arc_is_the_reference_arc():
    expected = [[point["x"], point["y"]] for point in ARC["points"]]
    assert example_path(ARM, "arc of 31 points") == pytest.approx(np.array(expected), abs=1e-12)


def test_the_picture_of_min_shoulder_shows_the_reference_jump():
    run = follow(ARM, example_path(ARM, "arc of 31 points"), "min_shoulder")
    picture = path_picture(ARM, run.q, run.branches)
    (jump,) = picture.jumps
    assert jump.index == ARC["min_shoulder_rule"]["largest_transition"]["from_index"]
    assert jump.text == "jump of 82.2° and 194.4°"
    assert [piece.branch for piece in picture.pieces] == [Branch.NEGATIVE, Branch.POSITIVE]
    assert [len(piece.points) for piece in picture.pieces] == [15, 16]
    assert picture.pieces[0].colour != picture.pieces[1].colour


def test_the_picture_of_nearest_is_one_piece():
    run = follow(ARM, example_path(ARM, "arc of 31 points"), "nearest")
    picture = path_picture(ARM, run.q, run.branches)
    assert picture.jumps == ()
    assert len(picture.pieces) == 1
    assert math.degrees(run.largest_step) == pytest.approx(0.57296, abs=1e-4)


def test_pieces_and_jumps_hold_every_point_once():
    rng = np.random.default_rng(11)
    for size in (0, 1, 2, 17, 60):
        q = rng.uniform(-2.5, 2.5, (size, 2))
        branches = np.sign(np.sin(q[:, 1])).astype(int)
        picture = path_picture(ARM, q, branches)
        points = [piece.points for piece in picture.pieces] or [np.empty((0, 2))]
        assert np.concatenate(points) == pytest.approx(ARM.forward(q))
        assert len(picture.jumps) == max(0, len(picture.pieces) - 1)


@pytest.mark.parametrize("l1_l2", [(0.5, 0.4), (0.3, 0.45), (0.2, 0.2)])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_fits_into_the_ring(name, l1_l2):
    arm = PlanarArm(*l1_l2)
    radius = np.hypot(*example_path(arm, name).T)
    assert radius.min() > arm.inner_radius
    assert radius.max() < arm.outer_radius


def test_an_unknown_example_is_refused_by_name():
    with pytest.raises(PlanarArmError, match="spiral"):
        example_path(ARM, "spiral")


def test_a_run_that_fails_has_a_reason_and_no_pose():
    run = follow(ARM, np.array([[0.6, 0.0], [2.0, 0.0]]), "nearest")
    assert len(run.q) == 0
    assert "waypoint 1" in run.message


def test_playback_holds_each_pose_and_begins_again():
    run = follow(ARM, example_path(ARM, "arc of 31 points"), "nearest")
    assert run.pose(0.0, 0.1) == pytest.approx(run.q[0])
    assert run.pose(1.449, 0.1) == pytest.approx(run.q[14])
    assert run.pose(3.9, 0.1) == pytest.approx(run.q[-1])
    assert run.pose(4.15, 0.1) == pytest.approx(run.q[0])


def test_velocity_arrows_close_a_triangle():
    commanded, achieved = np.array([0.3, -0.1]), np.array([0.2, 0.05])
    one, two, three = velocity_arrows((0.5, 0.2), commanded, achieved, commanded - achieved)
    assert one.end == pytest.approx(three.end)
    assert two.end == pytest.approx(three.start)
    assert one.start == pytest.approx([0.5, 0.2])


def test_long_arrows_shrink_together_and_short_ones_vanish():
    arrows = velocity_arrows((0, 0), (3.0, 0.0), (1.5, 0.0), (1.5, 0.0), longest=0.3)
    assert arrows[0].end == pytest.approx([0.3, 0.0])
    assert arrows[1].end == pytest.approx([0.15, 0.0])
    assert not any(a.visible for a in velocity_arrows((0, 0), (0, 0), (0, 0), (1e-5, 0)))


def test_history_keeps_the_newest_samples_at_its_rate():
    history = History(2, seconds=1.0, rate=10.0)
    kept = sum(history.add(0.01 * k, (float(k), -float(k))) for k in range(1000))
    assert kept == 100
    columns = history.columns()
    assert columns.shape == (3, 10)
    assert columns[0, -1] == 0.0
    assert (np.diff(columns[0]) > 0).all()
    assert (columns[1] == -columns[2]).all()


def test_history_starts_anew_when_time_runs_back():
    history = History(1)
    history.add(100.0, (1.0,))
    assert history.add(1.0, (2.0,))
    assert history.columns().tolist() == [[0.0], [2.0]]
