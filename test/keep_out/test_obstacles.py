"""Clearance of the links, against points sampled on them; the block of the arm file; COLLISION."""

import math

import numpy as np
import pytest

from arms import ALL, DEFAULT, SHAPES
from planar_arm_ik import ConfigError, IkStatus, PlanarArmError, solve, solve_batch
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle

POST = SHAPES.shapes[0]


def sampled_clearance(arm, q, obstacles, count):
    """Distance of points on both links to the shapes, by another way: exact outside."""
    t = np.linspace(0.0, 1.0, count)[:, None, None]
    elbow, tip = arm.elbow(q), arm.forward(q)
    points = np.concatenate((t * elbow, elbow + t * (tip - elbow)))
    least = np.full(len(q), np.inf)
    for shape in obstacles.shapes:
        if isinstance(shape, Circle):
            gap = np.hypot(points[..., 0] - shape.x, points[..., 1] - shape.y) - shape.radius
        else:
            gap = point_to_polygon(points, np.array(shape.corners))
        least = np.minimum(least, gap.min(axis=0))
    return least - obstacles.link_radius


def point_to_polygon(points, corners):
    """Distance outside, negative inside (the distance to the nearest edge)."""
    edge, inside = np.full(points.shape[:-1], np.inf), np.ones(points.shape[:-1], dtype=bool)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along, to = b - a, points - a
        t = np.clip(to @ along / (along @ along), 0.0, 1.0)
        edge = np.minimum(edge, np.linalg.norm(to - t[..., None] * along, axis=-1))
        inside &= along[0] * to[..., 1] - along[1] * to[..., 0] >= 0.0
    return np.where(inside, -edge, edge)


def check_poses(arm, count, samples=161):
    rng = np.random.default_rng(11)
    q = rng.uniform(-math.pi, math.pi, (count, 2))
    clearance = SHAPES.clearance(arm, q)
    sampled = sampled_clearance(arm, q, SHAPES, samples)
    spacing = max(arm.l1, arm.l2) / (samples - 1)
    outside = sampled > spacing
    assert (clearance[outside] <= sampled[outside] + 1e-12).all()
    np.testing.assert_allclose(clearance[outside], sampled[outside], atol=spacing)
    assert (clearance[sampled <= 0.0] <= 0.0).all()  # no touch is missed
    assert (clearance[sampled > 1e-3 + spacing] > 0.0).all()  # nothing clear is refused


@pytest.mark.parametrize("arm", ALL, ids=lambda arm: f"{arm.l1}-{arm.l2}")
def test_the_clearance_is_that_of_points_on_the_links(arm):
    check_poses(arm, 400)


@pytest.mark.faults
def test_the_clearance_of_a_hundred_thousand_poses():
    for first in range(10):
        del first
        check_poses(DEFAULT, 10_000, 321)


def test_shapes_of_any_leading_axes_and_none_at_all():
    q = np.zeros((3, 4, 2))
    assert SHAPES.clearances(DEFAULT, q).shape == (3, 4, 2, 3)
    assert SHAPES.clearance(DEFAULT, q).shape == (3, 4)
    assert math.isinf(Obstacles(()).clearance(DEFAULT, np.zeros(2)))
    assert Obstacles(()).nearest(DEFAULT, np.zeros(2)) == ("", 0, math.inf)


def test_the_nearest_shape_is_named_with_its_link():
    name, link, clearance = SHAPES.nearest(DEFAULT, solve(DEFAULT, (0.3, 0.2), rule="positive").q)
    assert (name, link) == ("post", 2)
    assert clearance == pytest.approx(-0.07)


def test_a_pose_that_touches_is_refused_with_name_and_depth():
    answer = solve(DEFAULT, (0.55, 0.0), rule="negative", obstacles=SHAPES)
    assert answer.status is IkStatus.COLLISION
    assert "'post', 0.002572 m deep; the positive branch would do" in answer.message
    assert answer.candidates[1].obstacle == "post"
    free = solve(DEFAULT, (0.55, 0.0), rule="clearance", obstacles=SHAPES)
    assert free.status is IkStatus.OK
    assert free.candidates[0].clearance > 0.0


def test_limits_come_before_collisions_and_collisions_before_steps():
    answer = solve(DEFAULT, (0.3, 0.2), seed=(0.0, 0.5), max_joint_step=0.1, obstacles=SHAPES)
    assert answer.status is IkStatus.COLLISION


@pytest.mark.parametrize("rule", ["nearest", "clearance", "keep", "limit_margin"])
def test_many_targets_get_the_answers_of_one(rule):
    rng = np.random.default_rng(3)
    targets, seed = rng.uniform(-0.95, 0.95, (150, 2)), (0.4, 1.0)
    batch = solve_batch(DEFAULT, targets, seed, rule, obstacles=SHAPES)
    collisions = 0
    for index, target in enumerate(targets):
        answer = solve(DEFAULT, target, seed, rule, obstacles=SHAPES)
        assert batch.chosen.status[index] == answer.status, (index, target)
        assert batch.chosen.branch[index] == answer.branch
        for branch, candidate in enumerate(answer.candidates):
            assert batch.status[index, branch] == candidate.status
            collisions += candidate.status is IkStatus.COLLISION
    assert collisions > 20


def test_the_block_of_the_arm_file_is_read_and_written():
    block = {
        "names": ["post", "box"],
        "link_radius": 0.02,
        "post": {"circle": [0.3, 0.2, 0.05]},
        "box": {"polygon": [0.1, 0.1, 0.2, 0.1, 0.2, 0.2]},
    }
    obstacles = Obstacles.from_config(block)
    assert [shape.name for shape in obstacles.shapes] == ["post", "box"]
    flat = obstacles.flat()
    assert flat["post.circle"] == [0.3, 0.2, 0.05]
    assert flat["box.polygon"] == [0.1, 0.1, 0.2, 0.1, 0.2, 0.2]
    assert flat["link_radius"] == 0.02


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({}, "obstacles.names None"),
        ({"names": []}, r"obstacles.names \[\]"),
        ({"names": ["a"]}, "obstacles.a is among the names but has no block"),
        ({"names": ["a"], "a": {"circle": [0.3, 0.2, 0.1]}, "b": {}}, "obstacles.b is not among"),
        ({"names": ["a"], "a": {"circle": [0.3, 0.2]}}, "obstacles.a.circle must be"),
        ({"names": ["a"], "a": {"disc": [0.3, 0.2, 0.1]}}, "obstacles.a.disc must be"),
        ({"names": ["a"], "a": {"circle": [0.3, "x", 0.1]}}, "must be numbers"),
        ({"names": ["a"], "a": {"circle": [0.3, 0.2, math.nan]}}, "finite numbers"),
        ({"names": ["a"], "a": {"circle": [0.0, 0.1, 0.2]}}, "covers the shoulder"),
        ({"names": ["a", "a"], "a": {"circle": [0.5, 0.1, 0.2]}}, "names that differ"),
        ({"names": ["a"], "link_radius": -1.0, "a": {"circle": [0.5, 0, 0.1]}}, "link_radius"),
    ],
)
def test_a_bad_block_is_refused_with_key_and_rule(block, words):
    with pytest.raises(ConfigError, match=words):
        Obstacles.from_config(block)


def test_link_radius_must_be_finite():
    with pytest.raises(PlanarArmError, match="link_radius nan"):
        Obstacles((POST,), math.nan)
