"""The nearest point the arm reaches, with and without joint limits."""

import math

import numpy as np
import pytest

from planar_arm_ik import IkStatus, JointLimits, PlanarArm, solve
from planar_arm_ik.arm.reachable import boundary_arcs, nearest_reachable

LIMITED = [
    PlanarArm(0.5, 0.4, JointLimits(-2.967, 2.967), JointLimits(-2.618, 2.618)),
    PlanarArm(0.3, 0.5, JointLimits(-0.4, 1.9), JointLimits(0.3, 2.2)),
    PlanarArm(0.4, 0.4, JointLimits(0.1, 0.6), JointLimits(-3.5, -0.2)),
    PlanarArm(0.4, 0.3, JointLimits(continuous=True), JointLimits(-0.5, 1.0)),
    PlanarArm(0.4, 0.3, JointLimits(-1.0, math.inf), JointLimits(-0.5, 7.0)),
    PlanarArm(0.4, 0.3, JointLimits(5.0, 6.5), JointLimits(-7.0, -5.5)),
]


def sweep(arm, n=300):
    """Tips of a dense grid of poses within the limits."""
    spans = [np.linspace(max(joint.lower, -9.0), min(joint.upper, 9.0), n) for joint in arm.joints]
    return arm.forward(np.stack(np.meshgrid(*spans), axis=-1).reshape(-1, 2))


@pytest.mark.parametrize("arm", LIMITED)
def test_no_pose_is_nearer_than_the_nearest_reachable_point(arm):
    tips, missed = sweep(arm), 0
    for target in np.random.default_rng(11).uniform(-1.2, 1.2, (40, 2)):
        solution = solve(arm, target)
        if solution.status >= 0:
            assert solution.nearest_point is None
            continue
        missed += 1
        distance = math.dist(solution.nearest_point, target)
        swept = np.hypot(*(tips - target).T).min()
        assert distance <= swept + 1e-12
        assert distance >= swept - 0.04
    assert missed > 5


@pytest.mark.parametrize("arm", LIMITED)
def test_the_nearest_reachable_point_has_an_answer(arm):
    for target in np.random.default_rng(12).uniform(-1.2, 1.2, (100, 2)):
        if solve(arm, target).status < 0:
            point = np.array(nearest_reachable(arm, tuple(target)))
            inward = point + 1e-7 * (sweep_center(arm) - point)
            statuses = [solve(arm, p).status for p in (point, inward)]
            assert max(statuses) >= 0


def sweep_center(arm):
    middle = [0.5 * (max(j.lower, -3.0) + min(j.upper, 3.0)) for j in arm.joints]
    return arm.forward(middle)


def test_without_limits_the_edges_of_the_ring_are_the_boundary():
    arm = PlanarArm(0.5, 0.4)
    assert sorted(arc.radius for arc in boundary_arcs(arm)) == pytest.approx([0.1, 0.9])
    assert nearest_reachable(arm, (0.0, 3.0)) == pytest.approx((0.0, 0.9))
    assert nearest_reachable(arm, (0.0, 0.0)) == pytest.approx((0.1, 0.0))


def test_a_limit_refusal_names_the_nearest_point_but_a_blocked_branch_does_not():
    arm = LIMITED[1]
    behind = solve(arm, (-0.3, -0.3))
    assert behind.status is IkStatus.JOINT_LIMIT
    assert math.dist(behind.nearest_point, (-0.3, -0.3)) > 0.01
    blocked = solve(PlanarArm(0.5, 0.4, joint2=JointLimits(-2.0, 0.1)), (0.6, 0), rule="positive")
    assert blocked.status is IkStatus.JOINT_LIMIT
    assert blocked.nearest_point is None


def test_limits_many_turns_away_have_a_nearest_point_too():
    arm = PlanarArm(0.5, 0.4, JointLimits(1e6 - 1.0, 1e6), JointLimits(-1e6, -1e6 + 2.0))
    solution = solve(arm, (3.0, 0.0))
    assert math.dist(solution.nearest_point, (3.0, 0.0)) < 3.0
    assert solve(arm, (0.0, 0.0)).status is IkStatus.TOO_CLOSE
