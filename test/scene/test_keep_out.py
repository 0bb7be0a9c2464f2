"""Keep-out shapes as they are drawn, and what is said of an elbow that touches one."""

import math

import numpy as np
import pytest

from arms import DEFAULT as ARM
from planar_arm_ik import solve
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle, Polygon
from planar_arm_ik.scene.colours import Palette
from planar_arm_ik.scene.ghosts import ghosts
from planar_arm_ik.scene.keep_out import keep_outs
from planar_arm_ik.scene.texts import solution_text

POST = Circle("post", 0.45, -0.1, 0.06)
SHELF = Polygon("shelf", ((0.2, 0.5), (0.5, 0.5), (0.5, 0.6), (0.3, 0.7)))
BOTH = Obstacles((POST, SHELF), link_radius=0.02)

#: Linear RGB as seen without one kind of cone (Machado, Oliveira, Fernandes 2009, severity 1).
VISIONS = {
    "all cones": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


def test_an_arm_without_shapes_has_nothing_to_draw():
    assert keep_outs(None) == ()
    assert keep_outs(Obstacles(())) == ()


@pytest.mark.parametrize(("shape", "area"), [(POST, math.pi * 0.06**2), (SHELF, 0.04)])
def test_the_outline_is_closed_on_the_shapes_edge_and_the_fill_has_its_area(shape, area):
    (drawn,) = keep_outs(Obstacles((shape,)))
    assert drawn.name == shape.name
    assert drawn.outline[0] == pytest.approx(drawn.outline[-1], abs=1e-12)
    step = np.array((1e-12, 0.0))
    assert np.abs(shape.distance(drawn.outline, drawn.outline + step)).max() < 1e-9
    inside = np.array([drawn.centre])
    assert shape.distance(inside, inside + step)[0] < 0.0
    a, b, c = (drawn.outline[drawn.triangles[:, k]] for k in range(3))
    (ux, uy), (vx, vy) = (b - a).T, (c - a).T
    assert 0.5 * np.abs(ux * vy - uy * vx).sum() == pytest.approx(area, rel=2e-3)


def test_a_target_no_elbow_reaches_freely_is_told_with_shape_and_depth():
    solution = solve(ARM, (0.45, -0.1), obstacles=BOTH)
    text = solution_text(solution)
    assert text.title == "touches post, 0.080 m deep"
    assert text.mark == "✕"
    for ghost in ghosts(solution):
        assert (ghost.usable, ghost.chosen, ghost.colour) == (False, False, Palette.UNUSED)
        assert ghost.reason == "✕ touches post, 0.080 m deep"


def test_an_elbow_that_touches_is_grey_with_its_reason_beside_a_free_one():
    solution = solve(ARM, (0.6, 0.1), obstacles=BOTH)
    free, touching = sorted(ghosts(solution), key=lambda ghost: not ghost.usable)
    clearance = float(BOTH.clearance(ARM, touching.q))
    assert clearance < 0.0
    assert touching.reason == f"✕ touches post, {-clearance:.3f} m deep"
    assert touching.colour is Palette.UNUSED
    assert free.chosen
    assert free.reason == ""
    assert touching.reason.removeprefix("✕ ") in solution_text(solution).detail


def lab(colour, vision):
    """CIE L*a*b* of a colour as seen with a kind of vision."""
    channels = np.array(colour.fractions)
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(vision) @ linear, 0.0, 1.0)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(to_xyz @ seen / (0.9505, 1.0, 1.089))
    return np.array((116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)))


@pytest.mark.parametrize("vision", VISIONS)
def test_keep_out_shapes_are_told_from_both_elbows_with_any_colour_vision(vision):
    own = lab(Palette.KEEP_OUT, VISIONS[vision])
    for other in (Palette.POSITIVE, Palette.NEGATIVE):
        assert np.linalg.norm(own - lab(other, VISIONS[vision])) > 25.0
