"""Motions against densely sampled ones: no touch missed, nothing clear by 1 mm refused."""

import numpy as np
import pytest

from arms import ALL, DEFAULT, SHAPES
from planar_arm_ik import PlanarArmError
from planar_arm_ik.keep_out.collision import first_touch
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle


def check_motions(arm, count, samples, seed):
    rng = np.random.default_rng(seed)
    begin = rng.uniform(-np.pi, np.pi, (count, 2))
    dq = rng.normal(0.0, 1.0, (count, 2)) * rng.choice([0.05, 0.3, 1.5], (count, 1))
    touch = first_touch(arm, SHAPES, begin, begin + dq)
    t = np.linspace(0.0, 1.0, samples)
    refused = np.isfinite(touch)
    for first in range(0, count, 500):
        part = slice(first, first + 500)
        q = begin[part, None] + t[:, None] * dq[part, None]
        clearance = SHAPES.clearance(arm, q)
        touches = (clearance <= 0.0).any(axis=1)
        assert not (touches & ~refused[part]).any(), "a touch was missed"
        clear = clearance.min(axis=1) > 1e-3
        assert not (clear & refused[part]).any(), "a clear motion was refused"
        where = np.argmax(clearance <= 0.0, axis=1) / (samples - 1)
        early = touch[part][touches] - where[touches]
        assert early.max(initial=0.0) <= 1.0 / (samples - 1) + 1e-12
    assert 0.05 < refused.mean() < 0.95


@pytest.mark.parametrize("arm", ALL, ids=lambda arm: f"{arm.l1}-{arm.l2}")
def test_motions_are_judged_as_by_dense_sampling(arm):
    check_motions(arm, 120, 121, 1)


@pytest.mark.faults
def test_twenty_thousand_motions_are_judged_as_by_dense_sampling():
    check_motions(DEFAULT, 20_000, 801, 2)


def test_a_motion_through_a_thin_post_is_found_though_both_ends_are_far():
    thin = Obstacles((Circle("wire", 0.0, 0.8, 1e-4),))
    touch = first_touch(DEFAULT, thin, np.array([[0.0, 0.0]]), np.array([[np.pi, 0.0]]))
    assert touch[0] == pytest.approx(0.5, abs=2e-3)


def test_standing_still_is_free_or_touches_at_once():
    q = np.array([[0.0, 0.0], [np.arctan2(0.2, 0.3), 0.0]])
    assert first_touch(DEFAULT, SHAPES, q, q).tolist() == [np.inf, 0.0]


def test_bad_arguments_are_refused():
    with pytest.raises(PlanarArmError, match=r"\(N, 2\)"):
        first_touch(DEFAULT, SHAPES, np.zeros((2, 2)), np.zeros((3, 2)))
    with pytest.raises(PlanarArmError, match="resolution 0"):
        first_touch(DEFAULT, SHAPES, np.zeros((2, 2)), np.ones((2, 2)), 0.0)
