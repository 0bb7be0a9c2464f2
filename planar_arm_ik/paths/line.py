r"""Straight lines of the tip: where they leave what one elbow can do, exactly.

Along p(t) = p0 + t d every bound of an elbow is met where the line cuts a circle: the edges of the
ring and the limits of q2 are circles about the shoulder, as q2 depends on |p| alone; a limit
q1 = c is the circle of radius l2 about the elbow (l1 cos c, l1 sin c). So all places are roots of
quadratics. Between them q1 changes by (change of bearing) -+ (change of offset), turns included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.angles import TURN
from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.paths.lattice import Lattice, State, shorter_way
from planar_arm_ik.paths.polar import Polar
from planar_arm_ik.status import IkStatus

#: What ends a line: its status and what to say. The index is the code in :class:`Exits`.
REASONS = (
    (IkStatus.OK, ""),
    (IkStatus.TOO_FAR, "the line leaves the reach"),
    (IkStatus.TOO_CLOSE, "the line enters the hole around the shoulder"),
    (IkStatus.JOINT_LIMIT, "the line runs past a limit of joint1"),
    (IkStatus.JOINT_LIMIT, "the line runs past a limit of joint2"),
    (IkStatus.LINE_TOLERANCE, "the line passes the base, where the shoulder must turn in place"),
)
_FAR, _CLOSE, _JOINT1, _JOINT2, _TURN = range(1, 6)
_EDGE = 1e-9
#: Farther points [m] are taken to be here, so that no square overflows.
_HUGE = 1e100


@dataclass(frozen=True, eq=False)
class Exits:
    """Where lines leave what a state can do, per line (N - 1,).

    Args:
        fraction: fraction of the line, inf when it stays inside.
        reason: index into :data:`REASONS`.
        turn: change of q1 along the whole line [rad], not reduced to one turn.
    """

    fraction: Array
    reason: NDArray[np.int8]
    turn: Array


def exits(lattice: Lattice, polar: Polar, points: Array, source: int, tolerance: float) -> Exits:
    """Follow the line from each waypoint to the next, standing in one state.

    Args:
        lattice: the states.
        polar: the waypoints as the arm sees them.
        points: the waypoints (x, y) [m], shape (N, 2).
        source: the state; its elbow stays as it is along the line.
        tolerance: width of the rounding band at both edges of the ring [m].
    """
    arm, state = lattice.arm, lattice.states[source]
    near = np.clip(points, -_HUGE, _HUGE)
    begin = near[:-1]
    line = _Lines(begin, np.diff(near, axis=0))
    out = Exits(
        np.full(len(begin), np.inf),
        np.zeros(len(begin), dtype=np.int8),
        _turn(polar, state.branch),
    )
    _leave_ring(out, arm, state, line, tolerance)
    if not arm.joint1.unbounded:
        for limit in (arm.joint1.lower, arm.joint1.upper):
            if math.isfinite(limit):
                _leave_limit(out, lattice, polar, source, line, limit)
        # Lines that begin on a limit and lead out cross it nowhere else.
        end = lattice.q1[source, :-1] + out.turn
        beyond = (end < arm.joint1.lower - _EDGE) | (end > arm.joint1.upper + _EDGE)
        _mark(out, beyond & ~np.isfinite(out.fraction), 0.0, _JOINT1)
    base = polar.free[:-1] & (np.abs(_bearing_change(polar)) > _EDGE)
    _mark(out, base & ~line.still, 0.0, _TURN)
    return out


class _Lines:
    """Lines p0 + t d and where they cut circles."""

    def __init__(self, begin: Array, along: Array) -> None:
        self.begin, self.along = begin, along
        square = np.einsum("ij,ij->i", along, along)
        self.still = square == 0.0
        self.square = np.where(self.still, 1.0, square)

    def at(self, t: Array) -> Array:
        return self.begin + t[:, None] * self.along

    def cut(self, centre: Array, radius: float) -> tuple[Array, Array]:
        """Both t at which the lines meet a circle, inf when they miss it."""
        to = self.begin - centre
        b = np.einsum("ij,ij->i", to, self.along)
        # The distance of the centre from the line, by the cross product: no cancellation.
        cross = to[:, 0] * self.along[:, 1] - to[:, 1] * self.along[:, 0]
        inside = radius * radius * self.square - cross * cross
        miss = (inside < 0.0) | self.still
        root = np.sqrt(np.where(miss, 0.0, inside))
        first, second = (-b - root) / self.square, (-b + root) / self.square
        return np.where(miss, np.inf, first), np.where(miss, np.inf, second)


def _mark(out: Exits, where: NDArray[np.bool_], fraction: Array | float, reason: int) -> None:
    """Note an exit where it comes before those known."""
    t = np.broadcast_to(np.asarray(fraction, dtype=np.float64), where.shape)
    sooner = where & (t < out.fraction)
    out.fraction[sooner] = np.clip(t[sooner], 0.0, 1.0)
    out.reason[sooner] = reason


def _leave_ring(out: Exits, arm: PlanarArm, state: State, line: _Lines, tolerance: float) -> None:
    """Edges of the ring, narrowed by what the limits of q2 leave of it on this elbow."""
    least, most = _fold_range(arm, state)
    floor = arm.inner_radius if most >= math.pi else _radius(arm, most)
    ceiling = arm.outer_radius if least <= 0.0 else _radius(arm, least)
    centre = np.zeros(2)
    reason = _CLOSE if most >= math.pi else _JOINT2
    if floor > tolerance:
        entry, _ = line.cut(centre, floor - tolerance)
        exact, _ = line.cut(centre, floor)
        _mark(out, (entry > 0.0) & (entry < 1.0), exact, reason)
    else:
        t = -np.einsum("ij,ij->i", line.begin, line.along) / line.square
        nearest = np.hypot(*line.at(np.clip(t, 0.0, 1.0)).T)
        ends = np.minimum(np.hypot(*line.begin.T), np.hypot(*(line.begin + line.along).T))
        _mark(out, (nearest <= tolerance) & (ends > tolerance), t, _TURN)
    reason = _FAR if least <= 0.0 else _JOINT2
    _, exit_ = line.cut(centre, ceiling + tolerance)
    _, exact = line.cut(centre, ceiling)
    _mark(out, (exit_ >= 0.0) & (exit_ < 1.0), np.where(np.isfinite(exact), exact, exit_), reason)


def _leave_limit(
    out: Exits, lattice: Lattice, polar: Polar, source: int, line: _Lines, limit: float
) -> None:
    """Crossings of q1 = limit on the elbow of the state."""
    arm, branch = lattice.arm, lattice.states[source].branch
    elbow = arm.l1 * np.array((math.cos(limit), math.sin(limit)))
    for t in line.cut(elbow, arm.l2):
        inside = (t > _EDGE) & (t < 1.0 - _EDGE)
        if not inside.any():
            continue
        p = line.at(np.where(inside, t, 0.0))
        link = p - elbow
        side = elbow[0] * link[:, 1] - elbow[1] * link[:, 0]
        r2 = np.einsum("ij,ij->i", p, p)
        # The angle of the elbow seen from the tip's bearing tells the offset at the crossing.
        bearing = np.arctan2(p[:, 1], p[:, 0])
        offset = np.arctan2(2.0 * np.abs(side), r2 + (arm.l1 - arm.l2) * (arm.l1 + arm.l2))
        change = bearing - polar.bearing[:-1]
        shorter_way(change)
        q1 = lattice.q1[source, :-1] + change - branch * (offset - polar.offset[:-1])
        here = inside & (side * branch > 0.0) & (np.abs(q1 - limit) < 0.5 * math.pi)
        _mark(out, here, t, _JOINT1)


def _fold_range(arm: PlanarArm, state: State) -> tuple[float, float]:
    """Smallest and largest |q2 residue| [rad] the limits of joint2 leave on this elbow."""
    if arm.joint2.unbounded:
        return 0.0, math.pi
    low = arm.joint2.lower - TURN * state.k2
    high = arm.joint2.upper - TURN * state.k2
    if state.branch < 0:
        low, high = -high, -low
    return max(low, 0.0), min(high, math.pi)


def _radius(arm: PlanarArm, fold: float) -> float:
    """Distance of the tip from the shoulder [m] at |q2| = fold."""
    fold = min(max(fold, 0.0), math.pi)
    return math.hypot(arm.l1 + arm.l2 * math.cos(fold), arm.l2 * math.sin(fold))


def _bearing_change(polar: Polar) -> Array:
    change = np.diff(polar.bearing)
    shorter_way(change)
    return change


def _turn(polar: Polar, branch: int) -> Array:
    """Change of q1 along each line [rad]."""
    turn: Array = _bearing_change(polar) - branch * np.diff(polar.offset)
    return turn
