"""Motions along rounded paths: no stop, within the tolerance, never slower than exact."""

import itertools

import numpy as np
import pytest

from arms import DEFAULT, SHAPES
from planar_arm_ik.keep_out.collision import first_touch
from planar_arm_ik.paths.simplify import offset_from_segment
from planar_arm_ik.trajectories.cubic_check import peaks
from planar_arm_ik.trajectories.motion import PathOptions, prepare

TOLERANCE = 0.5e-3


def circle(count, radius=0.05):
    a = np.linspace(0.0, 2.0 * np.pi, count + 1)
    return np.array((0.5, 0.1)) + radius * np.stack((np.cos(a), np.sin(a)), axis=1)


def motion(points, tolerance=TOLERANCE, shapes=None, **options):
    return prepare(
        DEFAULT, points, None, PathOptions(blend_tolerance=tolerance, **options), shapes
    )


def farthest(trajectory, points):
    """Largest distance of the tip from the polyline, every millisecond of the cubics [m]."""
    q, _, _ = trajectory.states(np.arange(0.0, trajectory.duration, 1e-3))
    away = [
        np.hypot(*offset_from_segment(DEFAULT.forward(q), *pair).T)
        for pair in itertools.pairwise(points)
    ]
    return float(np.min(away, axis=0).max())


def keeps_the_limits(trajectory):
    speed, pull = peaks(trajectory.time, trajectory.q, trajectory.qd)
    return (speed <= 2.0 * 1.001).all() and (pull <= 8.0 * 1.001).all()


@pytest.mark.parametrize("count", [12, 24, 36, 48, 72])
def test_a_circle_of_few_points_is_nearly_as_fast_as_one_of_many(count):
    pytest.importorskip("toppra")
    points = circle(count)
    found, fine = motion(points), motion(circle(144))
    assert found.stops == 0
    assert farthest(found.trajectory, points) <= TOLERANCE
    assert keeps_the_limits(found.trajectory)
    if count >= 24:
        assert found.trajectory.duration <= 1.05 * fine.trajectory.duration


@pytest.mark.parametrize("on_lines", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_a_random_polyline_keeps_every_promise(seed, on_lines):
    pytest.importorskip("toppra")
    rng = np.random.default_rng(100 + seed)
    count, step = int(rng.integers(3, 12)), float(rng.choice((0.004, 0.03, 0.08)))
    points = rng.uniform(-0.6, 0.6, 2) + np.cumsum(rng.normal(0.0, step, (count, 2)), axis=0)
    shapes = SHAPES if seed % 2 else None
    lines = {"line_tolerance": 1e-3 if on_lines else None}
    exact, found = motion(points, 0.0, shapes, **lines), motion(points, shapes=shapes, **lines)
    assert found.plan.status >= 0 or found.plan.status is exact.plan.status
    if not found.ok:
        return
    assert keeps_the_limits(found.trajectory)
    assert found.trajectory.duration <= exact.trajectory.duration * (1.0 + 1e-12)
    if on_lines:
        assert farthest(found.trajectory, points) <= TOLERANCE + 1e-3 * (
            found.plan.corners is None
        )
    if shapes is not None:
        q = found.trajectory.q
        assert not np.isfinite(first_touch(DEFAULT, shapes, q[:-1], q[1:])).any()


def test_the_tip_keeps_its_speed_along_blends():
    pytest.importorskip("toppra")
    speed = 0.1
    found = motion(circle(24), tip_speed=speed)
    trajectory = found.trajectory
    time = np.linspace(0.1, 0.9, 2000) * trajectory.duration
    q, qd, _ = trajectory.states(time)
    tip = np.hypot(*np.einsum("nij,nj->ni", DEFAULT.jacobian(q), qd).T)
    assert tip.min() >= 0.98 * speed
    assert tip.max() <= 1.001 * speed
    assert found.slow_parts == ()


def test_where_the_tip_speed_is_not_kept_the_joint_is_named():
    pytest.importorskip("toppra")
    found = motion([(0.5, 0.0), (0.6, 0.0), (0.6, 0.1)], tip_speed=0.2)
    (part,) = found.slow_parts
    assert 0.3 < part.begin < 0.5 < part.end < 0.7
    assert part.least < 0.2
    assert part.limit == "acceleration"
    assert part.joint in (1, 2)
    assert motion([(0.5, 0.0), (0.6, 0.0), (0.6, 0.1)]).slow_parts == ()


@pytest.mark.parametrize(
    ("points", "options", "reason"),
    [
        ([(0.5, 0.0), (0.6, 0.0), (0.5, 0.0)], {}, "turns back"),
        ([(0.5, 0.1), (0.7, 0.1), (0.5, 0.3)], {"blend_tolerance": 1e-6}, "no curve"),
    ],
)
def test_every_stop_is_told_with_its_reason(points, options, reason):
    pytest.importorskip("toppra")
    found = prepare(DEFAULT, points, None, PathOptions(**options))
    assert found.stops == len(found.plan.kept_corners) == 1
    assert found.plan.kept_corners[0].waypoint == 1
    assert reason in found.plan.kept_corners[0].reason


def test_an_exact_path_asked_for_gives_no_reasons():
    assert motion([(0.5, 0.0), (0.6, 0.0), (0.6, 0.1)], 0.0).plan.kept_corners == ()


@pytest.mark.parametrize("shape", ["circle", "square"])
def test_a_rounded_path_takes_at_most_1_03_times_toppra_on_its_own_curve(shape):
    """The independent solution: the library's own joint constraints on the spline of the rows."""
    toppra = pytest.importorskip("toppra")
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)])
    points = circle(24) if shape == "circle" else np.array((0.5, 0.1)) + 0.04 * corners
    found = motion(points)
    q = found.plan.q[np.r_[True, np.abs(np.diff(found.plan.q, axis=0)).max(axis=1) > 1e-9]]
    assert found.stops == 0
    way = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(q, axis=0).T))))
    limits = [
        toppra.constraint.JointVelocityConstraint(np.array([[-2.0, 2.0]] * 2)),
        toppra.constraint.JointAccelerationConstraint(np.array([[-8.0, 8.0]] * 2)),
    ]
    grid = np.linspace(0.0, way[-1], 1001)
    solver = toppra.algorithm.TOPPRA(
        limits, toppra.SplineInterpolator(way, q), gridpoints=grid, solver_wrapper="seidel"
    )
    _, speed, _ = solver.compute_parameterization(0.0, 0.0)
    best = float((2.0 * np.diff(grid) / (speed[1:] + speed[:-1])).sum())
    assert 0.995 * best <= found.trajectory.duration <= 1.03 * best
