"""Whole paths of the tip: accepted whole, or refused whole with the reason and the place.

Planning takes these steps:

1. request: the arguments, checked (:mod:`.request`); what is no path is refused at once.
2. problem: every way the arm can stand at every waypoint, within reach, joint limits and clear of
   keep-out shapes (:mod:`.problem`).
3. search: one of these states per waypoint, greedily or globally (:mod:`.search`).
4. validation: the motions between the waypoints; then the plan or the refusal
   (:mod:`.validation`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import LARGEST_ANGLE, PlanarArm
from planar_arm_ik.arm.ring import BOUNDARY_TOLERANCE, ring_of
from planar_arm_ik.door import ARM, FLAG, NUMBER, NUMBERS, OBSTACLES, PAIR, WORD, optional, takes
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.branches import Rule
from planar_arm_ik.inverse.explain import bad_seed
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.paths.blend import blended
from planar_arm_ik.paths.plan import PathPlan
from planar_arm_ik.paths.problem import PathProblem
from planar_arm_ik.paths.request import (
    PathRequest,
    batch_distance,
    joint_step,
    start_angles,
    tolerance_of_corners,
    tolerance_of_lines,
)
from planar_arm_ik.paths.search import global_way, greedy_way
from planar_arm_ik.paths.validation import validated
from planar_arm_ik.status import IkStatus

__all__ = ["PathPlan", "plan_path"]

_SEARCHES = {"greedy": greedy_way, "global": global_way}


@takes(
    arm=ARM,
    waypoints=NUMBERS,
    start=optional(PAIR),
    rule=WORD,
    search=WORD,
    max_joint_step=NUMBER,
    line_tolerance=optional(NUMBER),
    blend_tolerance=NUMBER,
    allow_branch_switch=FLAG,
    metric=WORD,
    weights=PAIR,
    singular_threshold=optional(NUMBER),
    boundary_tolerance=NUMBER,
    obstacles=OBSTACLES,
)
def plan_path(
    arm: PlanarArm,
    waypoints: ArrayLike,
    start: ArrayLike | None = None,
    rule: str = "nearest",
    search: str = "greedy",
    max_joint_step: float = math.inf,
    line_tolerance: float | None = None,
    *,
    allow_branch_switch: bool = False,
    metric: str = "l2",
    weights: tuple[float, float] = (1.0, 1.0),
    singular_threshold: float | None = None,
    boundary_tolerance: float = BOUNDARY_TOLERANCE,
    obstacles: Obstacles | None = None,
    blend_tolerance: float = 0.0,
) -> PathPlan:
    """Find joint angles for a whole tip path.

    Args:
        arm: the arm.
        waypoints: tip positions (x, y) in the base frame [m], shape (N, 2).
        start: joint angles before the path [rad], shape (2,); the approach from there is no step.
        rule: branch rule, see :func:`planar_arm_ik.solve`. In the global search positive,
            negative and keep restrict the elbow; the others leave both to the search.
        search: greedy (the rule waypoint by waypoint, each seeded by the last) or global (the
            smallest largest joint step over the whole path, then the smallest sum of them).
        max_joint_step: largest |dq| per joint between neighbouring waypoints [rad].
        line_tolerance: largest distance of the tip from the straight lines between waypoints [m];
            lines are then subdivided, and the rule `nearest` keeps the elbow of the first
            waypoint, as it does from point to point of a line. None: straight joint moves.
        allow_branch_switch: accept a path that changes its elbow between waypoints.
        metric: joint distance of the rule `nearest`: l2, l1 or linf of (w1 dq1, w2 dq2).
        weights: (w1, w2), positive.
        singular_threshold: see :func:`planar_arm_ik.solve`.
        boundary_tolerance: see :func:`planar_arm_ik.solve`.
        obstacles: keep-out shapes; poses and the motions between them are checked.
        blend_tolerance: how far the tip may leave the polyline to round its corners [m], see
            :func:`planar_arm_ik.paths.blend.blended`; 0: corners stay, and the arm stops there.

    Returns:
        The plan, or the first failure with its index, reason and fraction.

    Raises:
        PlanarArmError: waypoints are not of shape (N, 2), the rule, search or metric is unknown,
            or an argument is out of range.
    """
    points = np.asarray(waypoints, dtype=np.float64)
    if points.size == 0:
        return _invalid("the path has no waypoints")
    if points.ndim != 2 or points.shape[1] != 2:
        raise PlanarArmError(f"waypoints have shape {points.shape}; the rule is (N, 2)")
    if search not in _SEARCHES:
        raise PlanarArmError(f"search {search!r} is unknown; choose one of greedy, global")
    request = PathRequest(
        arm,
        points,
        start_angles(start),
        Rule.parse(rule),
        joint_step(max_joint_step),
        tolerance_of_lines(line_tolerance),
        allow_branch_switch,
        batch_distance(metric, weights),
        ring_of(arm, singular_threshold, boundary_tolerance),
        boundary_tolerance,
        obstacles if obstacles is not None and obstacles.shapes else None,
    )
    refusal = _refused(request)
    if refusal is not None:
        return refusal
    problem = PathProblem.of(request)
    way = _SEARCHES[search](problem)
    plan, lines = validated(problem, way), request.line_tolerance
    tolerance = tolerance_of_corners(blend_tolerance)
    return blended(arm, plan, points, tolerance, lines, request.obstacles, request.ring)


def _refused(request: PathRequest) -> PathPlan | None:
    """Refuse what is no path: numbers that are not finite, `keep` with nothing to keep."""
    start, points = request.start, request.points
    finite = np.isfinite(points)
    if not finite.all():
        index = int(np.argmin(finite)) // 2
        return _invalid(
            f"waypoint {index} {tuple(points[index].tolist())} m must be finite", index
        )
    if start is None:
        return _invalid("rule keep needs a start", 0) if request.rule is Rule.KEEP else None
    if not all(abs(q) <= LARGEST_ANGLE for q in start):
        return _invalid(bad_seed(start, LARGEST_ANGLE).replace("seed", "start", 1))
    return None


def _invalid(message: str, index: int = -1) -> PathPlan:
    return PathPlan(
        IkStatus.INVALID_INPUT, failed_index=index, fraction=0.0, limit_margin=0.0, message=message
    )
