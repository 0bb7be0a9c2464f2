"""Figures: what they are made of, their files, and whether their colours can be told apart."""

import itertools
import math
import re
import sys

import numpy as np
import pytest

from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.chains.tables import load_table
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.figures import FIGURES, draw, save
from planar_arm_ik.figures.maps import elbow_ranges
from planar_arm_ik.figures.style import DARK, LIGHT, settings
from planar_arm_ik.status import Branch

BOUND = JointLimits(-2.9, 2.9, 2.0, 8.0)
ARM = PlanarArm(0.5, 0.4, BOUND, BOUND)
THEMES = [LIGHT, DARK]
IDS = [theme.name for theme in THEMES]

#: Linear-light simulation of missing cones (Machado, Oliveira, Fernandes 2009, severity 1).
VISION = {
    "full": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(color):
    """#rrggbb to linear-light RGB in [0, 1]."""
    srgb = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def luminance(color):
    return float(linear(color) @ (0.2126, 0.7152, 0.0722))


def contrast(one, two):
    """Contrast ratio of two colours as in WCAG 2."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    """Linear-light RGB to CIE L*a*b*."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    scaled = to_xyz @ np.clip(rgb, 0.0, 1.0) / (0.9505, 1.0, 1.089)
    f = np.where(scaled > 0.008856, np.cbrt(scaled), 7.787 * scaled + 16 / 116)
    return np.array((116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])))


@pytest.mark.parametrize("theme", THEMES, ids=IDS)
def test_texts_and_lines_stand_out_from_the_page(theme):
    assert contrast(theme.text, theme.background) >= 12
    for color in theme.series:
        assert contrast(color, theme.background) >= 4.5


@pytest.mark.parametrize("theme", THEMES, ids=IDS)
@pytest.mark.parametrize("vision", VISION)
def test_series_can_be_told_apart_by_every_kind_of_colour_vision(theme, vision):
    seen = [lab(VISION[vision] @ linear(color)) for color in theme.series]
    distances = [np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)]
    assert min(distances) >= 12


def test_a_figure_is_drawn_for_light_and_dark_pages(tmp_path):
    pytest.importorskip("matplotlib")
    (files,) = draw(tmp_path, ARM, ["branch_arc"], ["svg"])
    assert [path.name for path in files] == ["branch_arc.svg", "branch_arc-dark.svg"]
    for path, theme in zip(files, THEMES, strict=True):
        text = path.read_text()
        assert theme.background in text
        assert theme.text in text
        assert re.search(r"\b(nan|inf)\b", text) is None


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_leaves_the_page_and_no_text_covers_another(name):
    matplotlib = pytest.importorskip("matplotlib")
    with matplotlib.rc_context(settings(LIGHT)):
        figure = FIGURES[name](ARM, LIGHT)
        figure.canvas.draw()
        width, height = figure.get_size_inches()
        drawn = figure.get_tightbbox()
    assert drawn.x0 > -0.02
    assert drawn.y0 > -0.02
    assert drawn.x1 < width + 0.02
    assert drawn.y1 < height + 0.02
    texts = [text for text in words(figure) if text.get_text()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    for (one, box), (two, other) in itertools.combinations(boxes, 2):
        assert not box.padded(-1.0).overlaps(other.padded(-1.0)), (one, two)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("postures", ["q1 = -41.41°, q2 = 97.18°", "q1 = 41.41°, q2 = -97.18°"]),
        ("branch_arc", ["jump of 82.25°", "jump of 194.36°"]),
    ],
)
def test_the_numbers_in_a_figure_are_the_reference_values(name, expected):
    pytest.importorskip("matplotlib")
    text = "\n".join(word.get_text() for word in words(FIGURES[name](ARM, LIGHT)))
    assert [number for number in expected if number not in text] == []


def words(figure):
    """All texts that are drawn, but the numbers along the axes."""
    for axes in figure.axes:
        legend = axes.get_legend()
        yield from axes.texts
        yield from legend.get_texts() if legend else ()
        yield from (axes.xaxis.label, axes.yaxis.label, axes.title)


@pytest.mark.parametrize(
    ("lower", "upper", "positive", "negative"),
    [
        (-math.inf, math.inf, [(0, math.pi)], [(-math.pi, 0)]),
        (-2.6, 2.6, [(0, 2.6)], [(-2.6, 0)]),
        (0.0, 2.6, [(0, 2.6)], []),
        (1.5, 4.5, [(1.5, math.pi)], [(math.pi, 4.5)]),
        (-4.0, 1.0, [(-4.0, -math.pi), (0, 1.0)], [(-math.pi, 0)]),
    ],
)
def test_the_map_covers_the_elbow_angles_within_the_limits(lower, upper, positive, negative):
    limits = JointLimits(lower, upper)
    for branch, expected in ((Branch.POSITIVE, positive), (Branch.NEGATIVE, negative)):
        ranges = elbow_ranges(limits, branch)
        np.testing.assert_allclose(ranges, np.reshape(expected, (-1, 2)) if expected else [])
        for low, high in ranges:
            assert math.copysign(1.0, math.sin(0.5 * (low + high))) == branch


def test_a_branch_without_poses_is_said_to_have_none():
    pytest.importorskip("matplotlib")
    arm = PlanarArm(0.12, 0.09, BOUND, JointLimits(0.0, 2.6))
    texts = [word.get_text() for word in words(FIGURES["workspace"](arm, LIGHT))]
    assert texts.count("no pose within the limits") == 1


def test_files_are_the_same_on_every_run(tmp_path):
    pytest.importorskip("matplotlib")
    one = next(draw(tmp_path / "one", ARM, ["pp_sketch"]))
    two = next(draw(tmp_path / "two", ARM, ["pp_sketch"]))
    assert len(one) == len(two) == 6
    for a, b in zip(one, two, strict=True):
        assert a.read_bytes() == b.read_bytes()


def test_a_skeleton_goes_into_a_new_folder(tmp_path):
    pytest.importorskip("matplotlib")
    from planar_arm_ik.figures.arms import skeleton

    chain = load_table("scara")
    q = [0.2] * len(chain)
    path = tmp_path / "new" / "scara.PNG"
    save(lambda theme: skeleton(chain, q, theme), LIGHT, path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_wrong_names_and_places_are_refused_in_a_sentence(tmp_path):
    pytest.importorskip("matplotlib")
    with pytest.raises(PlanarArmError, match="figure 'x' is unknown; choose of postures"):
        next(draw(tmp_path, ARM, ["x"]))
    with pytest.raises(PlanarArmError, match="gif must end in one of svg, pdf, png"):
        next(draw(tmp_path, ARM, ["postures"], ["gif"]))
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(PlanarArmError, match="cannot write"):
        next(draw(blocked, ARM, ["postures"], ["svg"]))


def test_without_matplotlib_the_line_to_install_it_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PlanarArmError, match=r"pip install 'planar_arm_ik\[figures\]'"):
        next(draw(tmp_path, ARM))
