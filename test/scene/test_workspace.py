import math

import numpy as np
import pytest

from planar_arm_ik import JointLimits, PlanarArm, solve
from planar_arm_ik.scene.workspace import circle, elbow_intervals, workspace_sheets
from planar_arm_ik.status import Branch

DEGREES = math.pi / 180.0


def limits(lower, upper):
    return JointLimits(lower * DEGREES, upper * DEGREES)


ARMS = [
    PlanarArm(0.5, 0.4, limits(-170, 170), limits(-150, 150)),
    PlanarArm(0.3, 0.45, limits(-20, 100), limits(10, 120)),
    PlanarArm(0.4, 0.4, limits(-60, 200), limits(-160, 30)),
    PlanarArm(0.5, 0.2, JointLimits(continuous=True), limits(-100, -5)),
    PlanarArm(0.25, 0.4, limits(-45, 45), limits(30, 330)),
]


def windings(outline, points):
    """Winding number of a closed line about each point."""
    rays = outline[None, :, :] - points[:, None, :]
    angles = np.arctan2(rays[..., 1], rays[..., 0])
    turns = np.diff(angles, axis=1)
    turns = (turns + math.pi) % (2.0 * math.pi) - math.pi
    return np.rint(turns.sum(axis=1) / (2.0 * math.pi)).astype(int)


def inside(sheets, branch, points):
    covered = np.zeros(len(points), dtype=bool)
    for sheet in sheets:
        if sheet.branch is branch:
            total = sum(windings(outline, points) for outline in sheet.outlines[:1])
            for outline in sheet.outlines[1:]:
                total = total - windings(outline, points)
            covered |= total != 0
    return covered


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("branch", [Branch.POSITIVE, Branch.NEGATIVE])
def test_a_point_lies_in_a_sheet_exactly_when_inverse_kinematics_can_use_that_elbow(arm, branch):
    rng = np.random.default_rng(7)
    points = rng.uniform(-1.05, 1.05, (300, 2)) * arm.outer_radius
    sheets = workspace_sheets(arm, step=0.2 * DEGREES)
    drawn = inside(sheets, branch, points)
    for point, seen in zip(points, drawn, strict=True):
        candidates = solve(arm, point, singular_threshold=0.0).candidates
        usable = any(c.branch is branch and c.usable for c in candidates)
        assert seen == usable, f"{point} is {'in' if seen else 'out of'} the {branch.name} sheet"


@pytest.mark.parametrize("arm", ARMS)
def test_the_triangles_of_a_sheet_cover_the_integral_of_the_jacobian(arm):
    for sheet in workspace_sheets(arm, step=1.0 * DEGREES):
        a, b, c = (sheet.vertices[sheet.triangles[:, k]] for k in range(3))
        u, v = b - a, c - a
        areas = 0.5 * np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
        turn = min(arm.joint1.upper - arm.joint1.lower, 2.0 * math.pi)
        expected = sum(
            turn * arm.l1 * arm.l2 * abs(math.cos(low) - math.cos(high))
            for low, high in elbow_intervals(arm.joint2, sheet.branch)
        )
        assert areas.sum() == pytest.approx(expected, rel=2e-3)


def test_every_outline_is_a_closed_line():
    for arm in ARMS:
        for sheet in workspace_sheets(arm):
            for outline in sheet.outlines:
                assert outline[0] == pytest.approx(outline[-1], abs=1e-12)


def test_an_arm_without_limits_reaches_the_whole_ring_with_either_elbow():
    arm = PlanarArm(0.5, 0.2)
    for sheet in workspace_sheets(arm):
        radii = [np.hypot(*outline.T) for outline in sheet.outlines]
        assert sorted(float(r.mean()) for r in radii) == pytest.approx([0.3, 0.7])
        assert max(float(np.ptp(r)) for r in radii) < 1e-12


def test_an_elbow_the_limits_forbid_has_no_sheet():
    arm = PlanarArm(0.5, 0.2, JointLimits(), limits(10, 150))
    assert [sheet.branch for sheet in workspace_sheets(arm)] == [Branch.POSITIVE]


def test_limits_beyond_half_a_turn_name_the_same_poses_a_turn_later():
    (interval,) = elbow_intervals(limits(190, 260), Branch.NEGATIVE)
    assert interval == pytest.approx((-170 * DEGREES, -100 * DEGREES))
    assert elbow_intervals(limits(190, 260), Branch.POSITIVE) == ()
    assert len(elbow_intervals(limits(-30, 30), Branch.POSITIVE)) == 1


def test_a_circle_is_closed_and_round():
    points = circle(0.9)
    assert points[0] == pytest.approx(points[-1], abs=1e-12)
    assert np.hypot(*points.T) == pytest.approx(np.full(len(points), 0.9))
