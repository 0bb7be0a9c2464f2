import pytest

from planar_arm_ik.scene.follower_texts import follower_text
from planar_arm_ik.status import FollowerState


@pytest.mark.parametrize("state", list(FollowerState))
def test_every_state_of_the_follower_has_words_of_its_own(state):
    titles = {follower_text(s, "", 1.0, 0.0, 0.2).title for s in FollowerState}
    assert len(titles) == len(FollowerState)
    text = follower_text(state, "why", 0.5, 0.01, 0.03)
    assert text.title
    assert text.detail == "why; scale 0.50, missing 0.010 m/s, sigma_min 0.030 m/rad"


def test_errors_warnings_and_fine_states_carry_different_marks():
    marks = {
        follower_text(state, "", 1.0, 0.0, 0.2).mark
        for state in (FollowerState.OK, FollowerState.SLOWED, FollowerState.NO_STATE)
    }
    assert len(marks) == 3


def test_a_number_nobody_knows_is_told_as_such():
    assert follower_text(77, "", 1.0, 0.0, 0.2).title == "unknown state 77"
