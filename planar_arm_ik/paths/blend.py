r"""Corners rounded within a tolerance, so that the arm need not stop at them.

An exact plan is rounded afterwards: its elbow is settled. The curve (``rounding``) is taken in
pieces whose straight joint moves stay close to it, and every piece must be reached, keep the joint
limits, be free of keep-out shapes and stay within the tolerance of the polyline; each waypoint is
missed by no more than that either. Where a piece fails, the corner next to it is rounded over a
shorter length, and in the end not at all: there the arm stops.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.arm.ring import BOUNDARY_TOLERANCE, Ring, ring_of
from planar_arm_ik.inverse.explain import singular
from planar_arm_ik.keep_out.collision import first_touch
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.paths.blend_rows import Rows, rows_along
from planar_arm_ik.paths.plan import KeptCorner, PathPlan
from planar_arm_ik.paths.rounding import wanted_reach
from planar_arm_ik.paths.simplify import bends, distinct, offset_from_segment, simplify, zigzags
from planar_arm_ik.paths.spaces import JointSpace, Space, TipSpace
from planar_arm_ik.paths.validation import limit_margin, smallest_sigma_min
from planar_arm_ik.status import IkStatus

#: Default of the executor and the command line [m].
BLEND_TOLERANCE = 0.5e-3

#: Parts of the tolerance: for leaving out noise, or else needless points; for the corners; for
#: the curve's samples.
_NOISE, _NEEDLESS, _MISS, _OFF = 0.5, 0.05, 0.85, 0.92
#: How much farther than the tolerance a waypoint may be from the curve: as far as the corner of a
#: right angle is from a point that is within the tolerance of both its sides.
_CORNER = math.sqrt(2.0)
#: Bend above which a corner counts as a way back [rad].
_BACK = math.radians(150.0)
#: Shortest length over which a corner is rounded [m] or [rad].
_SHORTEST = 1e-5
_ROUNDS, _GENTLE = 40, 14
_REASONS = (
    "the path turns back",
    "the curve would leave the reach",
    "the curve would pass a joint limit",
    "the curve would touch a keep-out shape",
    "no curve within the tolerance",
)
_TURNS_BACK, _REACH, _LIMIT, _TOUCH, _STRAYS = range(5)


def blended(
    arm: PlanarArm,
    plan: PathPlan,
    waypoints: Array,
    tolerance: float,
    line_tolerance: float | None = None,
    obstacles: Obstacles | None = None,
    ring: Ring | None = None,
) -> PathPlan:
    """Round the corners of a plan.

    Args:
        arm: the arm.
        plan: the exact plan.
        waypoints: what it was planned for (x, y) [m], shape (N, 2).
        tolerance: largest distance of the tip from the polyline, and of each waypoint from the
            tip's way [m]; 0 leaves the plan as it is.
        line_tolerance: as the plan was made with; None: corners of straight joint moves.
        obstacles: keep-out shapes.
        ring: constants of the arm and its tolerances; None for the defaults.

    Returns:
        The rounded plan; the exact one where there is nothing to round.
    """
    if not plan.ok or tolerance == 0.0 or len(plan.jumps) or len(waypoints) < 3:
        return plan
    ring = ring or ring_of(arm, None, BOUNDARY_TOLERANCE)
    if line_tolerance is None:
        space: Space = JointSpace(arm)
        given, scale = plan.q, math.hypot(arm.l1 + arm.l2, arm.l2)
    else:
        chord = min(line_tolerance, tolerance)
        space, given, scale = TipSpace(arm, ring, int(plan.branches[0]), chord), waypoints, 1.0
    noisy = _NOISE if zigzags(given) else _NEEDLESS
    for noise in (noisy * tolerance / scale, 0.0):
        job = _Job.of(arm, space, given, tolerance, noise, scale, obstacles)
        if len(job.vertices) < 3 and noise == 0.0:
            return plan
        rows = job.rows(plan.q[0])
        if rows is not None and np.abs(rows.q[-1] - plan.q[-1]).max() < 1e-6:
            rows.q[0], rows.q[-1] = plan.q[0], plan.q[-1]
            return _plan(arm, plan, rows, job, ring)
    return plan


@dataclass(frozen=True, eq=False)
class _Job:
    """One polyline to round.

    Args:
        arm: the arm.
        space: where the polyline lies.
        kept: given waypoints that are its vertices, shape (N,).
        along: place of every given waypoint, in vertices and fractions between, increasing.
        vertices: shape (N, 2).
        spent: what leaving out points took of the tolerance, per segment [m], shape (N - 1,).
        tolerance: largest distance from the polyline [m].
        obstacles: keep-out shapes.
        reasons: why corners are kept, by vertex.
    """

    arm: PlanarArm
    space: Space
    kept: NDArray[np.int64]
    along: Array
    vertices: Array
    spent: Array
    tolerance: float
    obstacles: Obstacles | None
    reasons: dict[int, int]

    @classmethod
    def of(
        cls,
        arm: PlanarArm,
        space: Space,
        given: Array,
        tolerance: float,
        noise: float,
        scale: float,
        obstacles: Obstacles | None,
    ) -> _Job:
        """Leave out what says nothing new."""
        places = distinct(given)
        chosen, off = (
            simplify(given[places], noise)
            if noise > 0.0
            else (np.arange(len(places)), np.zeros(len(places) - 1))
        )
        kept = places[chosen]
        s = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(given, axis=0).T))))
        along = np.interp(s, s[kept], np.arange(len(kept), dtype=np.float64))
        return cls(arm, space, kept, along, given[kept], off * scale, tolerance, obstacles, {})

    def rows(self, first: Array) -> Rows | None:
        """Rows of the rounded path from the pose `first`, None when there is none."""
        n = len(self.vertices)
        if n < 2:
            return None
        around = np.zeros(n)
        around[:-1], around[1:] = self.spent, np.maximum(around[1:], self.spent)
        bend = bends(self.vertices)
        longer = np.ones(n)
        longer[1:-1] = np.minimum(_CORNER, 1.0 / np.maximum(np.cos(0.5 * bend), 1e-9))
        miss = np.maximum(_MISS * self.tolerance - around, 0.0) * longer
        reach = wanted_reach(self.vertices, miss, self.space.norm)
        self.reasons.update(
            {int(v) + 1: _TURNS_BACK for v in np.flatnonzero(np.abs(bend) > _BACK)}
        )
        for number in range(_ROUNDS):
            stops = np.array([0, *sorted(self.reasons), n - 1])
            rows = rows_along(self.arm, self.space, self.vertices, stops, reach, miss, first)
            ratio, reason = self._failures(rows)
            bad = np.flatnonzero(ratio < 1.0)
            if len(bad) == 0:
                return rows
            corners = self._corners_of(rows.along[bad])
            if (corners < 0).any():
                return None
            shrink = np.ones(n)
            np.minimum.at(shrink, corners, ratio[bad] if number < _GENTLE else 0.0)
            reach *= shrink
            for vertex, why in zip(corners.tolist(), reason[bad].tolist(), strict=True):
                if reach[vertex] < _SHORTEST:
                    self.reasons.setdefault(vertex, why)
        return None

    def _failures(self, rows: Rows) -> tuple[Array, NDArray[np.int64]]:
        """How much shorter the rounding must be at each row, 1 where it is good, and why."""
        last = len(self.vertices) - 2
        segment = np.minimum(rows.along.astype(np.int64), last)
        away = np.full(len(rows.q), np.inf)
        for shift in (-1, 0, 1):
            near = np.clip(segment + shift, 0, last)
            rest = offset_from_segment(rows.points, self.vertices[near], self.vertices[near + 1])
            away = np.minimum(away, self.space.norm(rest))
        allowed = np.maximum(_OFF * self.tolerance - self.spent[segment], 1e-12)
        ratio, reason = np.ones(len(away)), np.full(len(away), _STRAYS)
        strays = away > allowed
        ratio[strays] = np.clip(allowed[strays] / away[strays], 0.3, 0.9)
        ratio[rows.unfollowed], reason[rows.unfollowed] = 0.6, _REACH
        for where, why in ((rows.beyond_reach, _REACH), (rows.beyond_limits, _LIMIT)):
            ratio[where], reason[where] = 0.6, why
        if self.obstacles is not None and self.obstacles.shapes:
            touch = first_touch(self.arm, self.obstacles, rows.q[:-1], rows.q[1:])
            hit = np.flatnonzero(np.isfinite(touch))
            ratio[hit], reason[hit] = 0.6, _TOUCH
            ratio[hit + 1], reason[hit + 1] = 0.6, _TOUCH
        return ratio, reason

    def _corners_of(self, along: Array) -> NDArray[np.int64]:
        """Rounded corner next to each place, -1 where there is none."""
        last = len(self.vertices) - 1
        nearest = np.round(along).astype(np.int64)
        other = np.where(along > nearest, nearest + 1, nearest - 1)
        open_ = np.ones(last + 3, dtype=np.bool_)
        open_[[0, 1, last + 1, last + 2]] = False
        open_[[1 + vertex for vertex in self.reasons]] = False
        return np.where(open_[nearest + 1], nearest, np.where(open_[other + 1], other, -1))


def _plan(arm: PlanarArm, plan: PathPlan, rows: Rows, job: _Job, ring: Ring) -> PathPlan:
    """Report on a rounded path."""
    corners = np.zeros(len(rows.q), dtype=np.bool_)
    corners[rows.stops] = True
    index = np.searchsorted(job.along, rows.along + 1e-12, side="right") - 1
    index[-1] = len(job.along) - 1
    sigma = smallest_sigma_min(arm, rows.q[:, 1])
    dull = sigma < ring.threshold
    return replace(
        plan,
        status=IkStatus.SINGULAR if dull else IkStatus.OK,
        message=singular(sigma, ring.threshold) if dull else "",
        q=rows.q,
        branches=np.full(len(rows.q), plan.branches[0]),
        waypoint_index=index,
        limit_margin=limit_margin(arm, rows.q),
        sigma_min=sigma,
        corners=corners,
        kept_corners=tuple(
            KeptCorner(int(job.kept[vertex]), _REASONS[why])
            for vertex, why in sorted(job.reasons.items())
        ),
    )
