r"""Every way the arm can stand at every waypoint: the lattice the searches go through.

It is a layered graph with the same states in every layer: a trellis; planners of tool paths call
such a graph a ladder graph. A *state* is an elbow branch together with whole turns of the joints,
(branch, k1, k2). Angles are kept as residues plus integer turns: for a joint without bounds the
residue alone is the state, its turns are counted afterwards, and so the next pose depends on the
last one only through its state. A bounded joint wider than a turn has several representations,
each a state of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.angles import LIMIT_TOLERANCE, TURN
from planar_arm_ik.arm.planar_arm import Array, JointLimits, PlanarArm
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.paths.polar import Polar, winding

Mask = NDArray[np.bool_]

#: All steps of a path.
ALL = slice(None)


@dataclass(frozen=True)
class State:
    """One way to stand: elbow branch (+1 or -1) and whole turns added to both residues."""

    branch: int
    k1: int
    k2: int

    def same_elbow(self, other: State) -> bool:
        """Whether the elbow stays in its half turn between two states."""
        return self.branch == other.branch and self.k2 == other.k2


@dataclass(frozen=True, eq=False)
class Lattice:
    """States of all N waypoints.

    Args:
        arm: the arm.
        states: the S states; positive branches first.
        q1: shoulder angle per state [rad], shape (S, N).
        q2: elbow angle per state [rad], shape (S, N).
        usable: whether a state passes reach, limits and keep-out shapes, shape (S, N).
    """

    arm: PlanarArm
    states: tuple[State, ...]
    q1: Array
    q2: Array
    usable: Mask

    def columns(self, first: int, stop: int) -> Lattice:
        """Only the waypoints from `first` to before `stop`."""
        part = slice(first, stop)
        q1, q2, usable = self.q1[:, part], self.q2[:, part], self.usable[:, part]
        return Lattice(self.arm, self.states, q1, q2, usable)

    def motion(self, source: int, to: int, steps: slice = ALL) -> tuple[Array, Array]:
        """Joint motions from one state to another, one waypoint on.

        Args:
            source: state at the beginning of each step.
            to: state at its end.
            steps: which of the N - 1 steps.

        Returns:
            (dq1, dq2) [rad], each as long as `steps`; for a joint without bounds the shorter way
            round.
        """
        begin, stop, _ = steps.indices(self.q1.shape[1] - 1)
        dq1 = self.q1[to, begin + 1 : stop + 1] - self.q1[source, begin:stop]
        dq2 = self.q2[to, begin + 1 : stop + 1] - self.q2[source, begin:stop]
        if self.arm.joint1.unbounded:
            shorter_way(dq1)
        if self.arm.joint2.unbounded:
            shorter_way(dq2)
        return dq1, dq2


def shorter_way(angle: Array) -> None:
    """Add whole turns, in place, until every angle lies in (-pi, pi]."""
    far = np.abs(angle) >= math.pi
    if far.any():
        angle[far] -= TURN * np.ceil(angle[far] / TURN - 0.5)


def build_lattice(
    arm: PlanarArm, polar: Polar, points: Array, start: tuple[float, float]
) -> Lattice:
    """List the states of a path and where each one is usable.

    Args:
        arm: the arm.
        polar: the waypoints as the arm sees them.
        points: the waypoints (x, y) [m], shape (N, 2).
        start: joint angles before the path [rad]. Of a joint with one bound or many turns only
            the turns around them are listed: as many as the bearing of the path winds, and two.

    Returns:
        The lattice; keep-out shapes are not yet looked at.
    """
    rows: list[tuple[State, Array, Array, Mask]] = []
    wide = any(not j.unbounded and j.upper - j.lower > 3.0 * TURN for j in arm.joints)
    turns = winding(points) if wide else 1
    for branch in (1, -1):
        row = 0 if branch > 0 else 1
        residue1, residue2 = polar.shoulders[row], polar.elbows[row]
        half = (0.0, math.pi) if branch > 0 else (-math.pi, 0.0)
        for k2 in _turns(arm.joint2, half, start[1], 0):
            q2, ok2 = _inside(residue2, k2, arm.joint2)
            for k1 in _turns(arm.joint1, (-math.pi, math.pi), start[0], turns):
                q1, ok1 = _inside(residue1, k1, arm.joint1)
                ok = ok1 & ok2 & polar.reachable
                if ok.any() or not any(other[0].branch == branch for other in rows):
                    rows.append((State(branch, k1, k2), q1, q2, ok))
    useful = [row for row in rows if row[3].any() or _alone(row[0], rows)]
    states, q1s, q2s, oks = zip(*useful, strict=True)
    one_each = [state.branch for state in states] == [1, -1]
    q1 = _rows(q1s, polar.shoulders if one_each else None)
    q2 = _rows(q2s, polar.elbows if one_each else None)
    return Lattice(arm, tuple(states), q1, q2, np.stack(oks))


def _rows(parts: tuple[Array, ...], both: Array | None) -> Array:
    """Stack rows, or return the array of both branches when they are its untouched rows."""
    if both is not None and all(part.base is both for part in parts):
        return both
    return np.stack(parts)


def _alone(state: State, rows: list[tuple[State, Array, Array, Mask]]) -> bool:
    """Whether no usable state shares the branch of this unusable one."""
    return not any(row[0].branch == state.branch and row[3].any() for row in rows)


def _turns(limits: JointLimits, residues: tuple[float, float], start: float, turns: int) -> range:
    """Whole turns that can bring a residue inside the limits, near the start when many do."""
    if limits.unbounded:
        return range(1)
    near = math.floor(start / TURN + 0.5)
    low: float = near - turns - 2
    high: float = near + turns + 2
    least = _ceil((limits.lower - residues[1]) / TURN)
    most = -_ceil((residues[0] - limits.upper) / TURN)
    if least > high or most < low:  # the start is far outside the limits
        low, high = (least, least) if least > high else (most, most)
    return range(int(max(least, low)), int(min(most, high)) + 1)


def _ceil(turns: float) -> float:
    """Ceiling of a number of turns, generous by rounding; infinities pass."""
    return math.ceil(turns - 1e-9) if math.isfinite(turns) else turns


def _inside(residue: Array, k: int, limits: JointLimits) -> tuple[Array, Mask]:
    """Representation with k turns, set on a limit it misses by rounding, and whether it fits."""
    q = residue + TURN * k if k else residue
    if limits.unbounded or (limits.lower <= q.min() and q.max() <= limits.upper):
        return q, np.ones(q.shape, dtype=np.bool_)
    ok = (q >= limits.lower - LIMIT_TOLERANCE) & (q <= limits.upper + LIMIT_TOLERANCE)
    return np.clip(q, limits.lower, limits.upper, where=ok, out=q.copy()), ok


def without_touching(lattice: Lattice, obstacles: Obstacles | None) -> Lattice:
    """Mark the states that touch a keep-out shape as not usable."""
    if obstacles is None:
        return lattice
    usable = lattice.usable.copy()
    for row, (q1, q2) in enumerate(zip(lattice.q1, lattice.q2, strict=True)):
        where = np.flatnonzero(usable[row])
        q = np.stack((q1[where], q2[where]), axis=1)
        usable[row, where] = obstacles.clearance(lattice.arm, q) > 0.0
    return Lattice(lattice.arm, lattice.states, lattice.q1, lattice.q2, usable)


def constant(states: NDArray[np.integer[Any]]) -> bool:
    """Whether a sequence stays in one state."""
    return bool((states == states[0]).all())


def entries(rows: NDArray[Any], states: NDArray[np.integer[Any]]) -> NDArray[Any]:
    """Entries of rows (S, N) along a sequence of n states, shape (n,)."""
    if constant(states):
        return rows[states[0], : len(states)]
    along: NDArray[Any] = rows[states, np.arange(len(states))]
    return along
