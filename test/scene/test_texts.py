import itertools
import math

import numpy as np
import pytest

from planar_arm_ik import JointLimits, PlanarArm, solve
from planar_arm_ik.scene.colours import Palette, branch_colour
from planar_arm_ik.scene.ghosts import arm_points, ghosts
from planar_arm_ik.scene.texts import degrees_text, millimetres, solution_text
from planar_arm_ik.status import Branch

ARM = PlanarArm(
    0.5, 0.4, JointLimits(-2.967, 2.967, 2.0, 8.0), JointLimits(-2.618, 2.618, 2.0, 8.0)
)


@pytest.mark.parametrize(
    ("target", "title"),
    [
        ((0.93, 0.0), "too far by 0.030 m"),
        ((0.0, 0.9001), "too far by less than 0.001 m"),
        ((1.4, 0.0), "too far by 0.500 m"),
        ((0.05, 0.0), "too close by 0.050 m"),
        ((0.0, 0.0), "too close by 0.100 m"),
        ((0.6, -0.1), "reached, negative elbow"),
        ((0.899999, 0.0), "reached, nearly singular (positive elbow)"),
    ],
)
def test_the_title_says_what_the_arm_can_do(target, title):
    assert solution_text(solve(ARM, target)).title == title


def test_a_missing_distance_is_never_said_to_be_nothing():
    rng = np.random.default_rng(3)
    for missing in 10.0 ** rng.uniform(-12, 1, 500):
        text = millimetres(missing)
        assert "0.000" not in text
        if missing >= 0.001:
            assert float(text.removesuffix(" m")) == pytest.approx(missing, abs=0.00051)


def test_a_limit_that_blocks_the_other_elbow_is_said():
    arm = PlanarArm(0.5, 0.4, JointLimits(-0.1, 3.0), JointLimits(-2.6, 2.6))
    text = solution_text(solve(arm, (0.6, 0.0)))
    assert text.title == "reached, negative elbow"
    assert text.detail.endswith("positive elbow: beyond a joint limit")


@pytest.mark.parametrize("target", [(math.nan, 0.0), (math.inf, 1.0)])
def test_a_target_that_is_no_number_is_refused_in_words(target):
    assert solution_text(solve(ARM, target)).title == "not a valid request"


def test_good_warning_and_refused_differ_in_mark_and_colour():
    texts = [solution_text(solve(ARM, t)) for t in ((0.6, 0.1), (0.8999, 0.0), (1.0, 0.0))]
    assert len({text.mark for text in texts}) == 3
    assert len({text.colour for text in texts}) == 3


def test_degrees_have_no_minus_zero():
    assert degrees_text(-1e-9) == "0.0°"
    assert degrees_text(-math.pi / 2) == "-90.0°"


def test_ghosts_show_both_elbows_and_one_is_chosen():
    solution = solve(ARM, (0.6, -0.1))
    drawn = ghosts(solution)
    assert [ghost.branch for ghost in drawn] == [Branch.POSITIVE, Branch.NEGATIVE]
    assert [ghost.chosen for ghost in drawn] == [False, True]
    for ghost in drawn:
        assert arm_points(ARM, ghost.q)[-1] == pytest.approx([0.6, -0.1], abs=1e-12)
    assert drawn[1].opacity > drawn[0].opacity


def test_a_ghost_beyond_a_limit_is_grey_and_faint():
    arm = PlanarArm(0.5, 0.4, JointLimits(-0.1, 3.0), JointLimits(-2.6, 2.6))
    positive, negative = ghosts(solve(arm, (0.6, 0.0)))
    assert not positive.usable
    assert positive.colour == Palette.UNUSED
    assert negative.colour == branch_colour(Branch.NEGATIVE)
    assert positive.opacity < negative.opacity


def test_out_of_reach_has_no_ghosts():
    assert ghosts(solve(ARM, (2.0, 0.0))) == ()


def test_points_of_the_arm_keep_leading_axes():
    q = np.zeros((4, 3, 2))
    assert arm_points(ARM, q).shape == (4, 3, 3, 2)


def luminance(colour):
    channels = np.array(colour.fractions)
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def as_seen_by(colour, kind):
    """Linear-RGB simulation of dichromacy (Vienot, Brettel, Mollon 1999)."""
    matrices = {
        "protanope": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
        "deuteranope": [
            [0.29275, 0.70725, 0.0],
            [0.29275, 0.70725, 0.0],
            [-0.02234, 0.02234, 1.0],
        ],
    }
    return np.array(matrices[kind]) @ np.array(colour.fractions) ** 2.2


@pytest.mark.parametrize("kind", ["protanope", "deuteranope"])
def test_colours_that_stand_side_by_side_stay_apart_for_colour_blind_people(kind):
    groups = [
        (Palette.POSITIVE, Palette.NEGATIVE, Palette.UNUSED),
        (Palette.GOOD, Palette.WARNING, Palette.REFUSED),
        (Palette.COMMANDED, Palette.ACHIEVED, Palette.RESIDUAL),
    ]
    for group in groups:
        for one, other in itertools.combinations(group, 2):
            apart = np.linalg.norm(as_seen_by(one, kind) - as_seen_by(other, kind))
            assert apart > 0.08, f"{one.hex} and {other.hex} for a {kind}: {apart:.3f}"


def test_status_colours_are_readable_on_white():
    for colour in (Palette.GOOD, Palette.REFUSED, Palette.POSITIVE):
        assert 1.05 / (luminance(colour) + 0.05) > 3.0, colour.hex
