"""The planning problem of one path: what is asked, the states, the steps between them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.angles import TURN
from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.inverse.branches import branch_of, wanted_branch
from planar_arm_ik.keep_out.collision import first_touch
from planar_arm_ik.paths.densify import DenseLine, densify, tip_deviation
from planar_arm_ik.paths.greedy import BLOCK
from planar_arm_ik.paths.lattice import (
    ALL,
    Lattice,
    Mask,
    build_lattice,
    constant,
    entries,
    shorter_way,
    without_touching,
)
from planar_arm_ik.paths.line import Exits, exits
from planar_arm_ik.paths.polar import Polar, to_polar
from planar_arm_ik.paths.request import PathRequest
from planar_arm_ik.status import Branch

Indices = NDArray[np.integer[Any]]
#: Difference of angles that are meant to be the same [rad].
_SAME = 1e-6


class PathProblem:
    """States, steps and checks of one path.

    Args:
        request: the request.
        polar: its waypoints as the arm sees them.
        lattice: its states.
    """

    def __init__(self, request: PathRequest, polar: Polar, lattice: Lattice) -> None:
        self.request = request
        self.polar = polar
        self.lattice = lattice
        self._exits: dict[int, Exits] = {}

    @classmethod
    def of(cls, request: PathRequest) -> PathProblem:
        """List the states of a request."""
        along_lines = request.line_tolerance is not None
        arm, points, reference = request.arm, request.points, request.reference
        polar = to_polar(arm, request.ring, points, reference[0], along_lines)
        lattice = build_lattice(arm, polar, points, reference)
        return cls(request, polar, without_touching(lattice, request.obstacles))

    def part(self, first: int, stop: int) -> PathProblem:
        """Only the waypoints from `first` to before `stop`, with the same states."""
        request = replace(self.request, points=self.request.points[first:stop])
        polar = self.polar.columns(first, stop)
        if request.line_tolerance is None:  # bearings are told where lines are followed only
            polar = to_polar(request.arm, request.ring, request.points, along_lines=True)
        return PathProblem(request, polar, self.lattice.columns(first, stop))

    @cached_property
    def among(self) -> tuple[int, ...]:
        """States the rule may choose from: those of the branch it insists on, or all."""
        seed = Branch.NONE
        if self.request.start is not None:
            seed = branch_of(self.request.start[1])
        wanted = wanted_branch(self.request.rule, seed)
        return tuple(
            index
            for index, state in enumerate(self.lattice.states)
            if wanted is Branch.NONE or state.branch == wanted
        )

    def start_distance(self) -> Array:
        """Squared distance from the start to each state at waypoint 0, inf when not usable."""
        arm, reference = self.request.arm, self.request.reference
        dq1 = self.lattice.q1[:, 0] - reference[0]
        dq2 = self.lattice.q2[:, 0] - reference[1]
        for joint, dq in zip(arm.joints, (dq1, dq2), strict=True):
            if joint.unbounded:
                shorter_way(dq)
        return np.where(self.lattice.usable[:, 0], self.request.distance(dq1, dq2), np.inf)

    def exits(self, source: int) -> Exits:
        """Where the straight lines leave what the elbow of a state can do."""
        if source not in self._exits:
            tolerance = self.request.boundary_tolerance * self.request.arm.outer_radius
            self._exits[source] = exits(
                self.lattice, self.polar, self.request.points, source, tolerance
            )
        return self._exits[source]

    def same_elbow(self, source: int, to: int) -> bool:
        """Whether the elbow stays in its half turn between two states."""
        return self.lattice.states[source].same_elbow(self.lattice.states[to])

    def same_branch(self, source: int, to: int) -> bool:
        """Whether two states are on the same branch."""
        return self.lattice.states[source].branch == self.lattice.states[to].branch

    def motion(self, source: int, to: int, steps: slice = ALL) -> tuple[Array, Array]:
        """Joint motions (dq1, dq2) [rad] between two states; see :meth:`Lattice.motion`.

        Where lines are followed it is the way the line goes.
        """
        dq1, dq2 = self.lattice.motion(source, to, steps)
        along_line = self.request.line_tolerance is not None and self.same_elbow(source, to)
        if along_line and self.request.arm.joint1.unbounded:
            dq1 = self.exits(source).turn[steps]
        return dq1, dq2

    def off_line(self, source: int, to: int) -> Mask:
        """Steps between two states that do not follow the straight line, shape (N - 1,)."""
        if self.request.line_tolerance is None:
            return np.zeros(len(self.request.points) - 1, dtype=np.bool_)
        dq1, dq2 = self.motion(source, to)
        if not self.same_elbow(source, to):
            bound = tip_deviation(self.request.arm, np.stack((dq1, dq2), axis=1))
            return bound > self.request.line_tolerance
        line = self.exits(source)
        return np.isfinite(line.fraction) | (np.abs(dq1 - line.turn) > _SAME)

    def usable_along(self, states: Indices) -> Mask:
        """Whether each state of a sequence is usable where it stands."""
        usable: Mask = entries(self.lattice.usable, states)
        return usable

    def follow(self, states: Indices) -> Array:
        """Joint angles along a sequence of states, turns counted [rad], shape (n, 2)."""
        q = np.empty((len(states), 2))
        for axis, angles in enumerate((self.lattice.q1, self.lattice.q2)):
            column = q[:, axis]
            column[...] = entries(angles, states)
            if self.request.arm.joints[axis].unbounded:
                moved = self.steps(states)[axis]
                turns = np.round((moved - np.diff(column)) / TURN)
                nearest = self.request.reference[axis] - column[0]
                first = math.ceil(nearest / TURN - 0.5)
                column += TURN * (first + np.concatenate(([0.0], np.cumsum(turns))))
        return q

    def steps(self, states: Indices) -> tuple[Array, Array]:
        """Joint motions [rad] along a sequence of n states from waypoint 0, each (n - 1,)."""
        n, count = len(states) - 1, len(self.lattice.states)
        if constant(states):
            dq1, dq2 = self.motion(int(states[0]), int(states[0]))
            return dq1[:n], dq2[:n]
        out = np.empty((2, n))
        for source in range(count):
            leaves = states[:-1] == source
            for to in range(count):
                here = leaves & (states[1:] == to)
                if here.any():
                    dq1, dq2 = self.motion(source, to)
                    out[0, here], out[1, here] = dq1[:n][here], dq2[:n][here]
        return out[0], out[1]

    def step_sizes(self, states: Indices) -> Array:
        """Larger joint motion of each step along a sequence of states [rad], (n - 1,)."""
        if not constant(states):
            dq1, dq2 = self.steps(states)
            mixed: Array = np.maximum(np.abs(dq1), np.abs(dq2))
            return mixed
        size, state = np.empty(len(states) - 1), int(states[0])
        for begin in range(0, len(size), BLOCK):
            part = slice(begin, min(begin + BLOCK, len(size)))
            dq1, dq2 = self.motion(state, state, part)
            np.maximum(np.abs(dq1), np.abs(dq2), out=size[part])
        return size

    def refused_steps(self, states: Indices) -> Mask:
        """Steps along a sequence of states that are too large or leave the elbow unasked."""
        refused = np.zeros(len(states) - 1, dtype=np.bool_)
        if self.request.max_joint_step < math.inf:
            refused |= self.step_sizes(states) > self.request.max_joint_step
        if not self.request.allow_branch_switch:
            refused |= self.switches(states)
        return refused

    def switches(self, states: Indices) -> Mask:
        """Steps along a sequence of states at which the elbow changes its half turn."""
        if constant(states):
            return np.zeros(len(states) - 1, dtype=np.bool_)
        half_turn = np.array([2 * s.k2 + (s.branch < 0) for s in self.lattice.states])[states]
        changed: Mask = half_turn[1:] != half_turn[:-1]
        return changed

    def branches(self, states: Indices) -> NDArray[np.int8]:
        """Elbow branch of each state of a sequence."""
        return np.array([state.branch for state in self.lattice.states], dtype=np.int8)[states]

    def densified(self, states: Indices, follow: Mask) -> DenseLine:
        """Poses along a sequence of n states from waypoint 0.

        Args:
            states: the sequence.
            follow: lines to subdivide, shape (n - 1,), where lines are followed at all.
        """
        request, n = self.request, len(states)
        q = self.follow(states)
        if request.line_tolerance is None:
            return DenseLine(q, np.arange(n), np.zeros(n))
        return densify(
            request.arm,
            request.points[:n],
            self.polar.columns(0, n),
            q,
            self.branches(states),
            follow,
            request.line_tolerance,
            request.ring,
        )

    def touches(self, q: Array) -> Array:
        """First touch of each straight joint move between poses (n, 2), inf when free."""
        if self.request.obstacles is None or len(q) < 2:
            return np.full(max(0, len(q) - 1), np.inf)
        return first_touch(self.request.arm, self.request.obstacles, q[:-1], q[1:])

    def touched(self, source: int, to: int, where: Mask) -> Mask:
        """Steps between two states that touch a keep-out shape, of those asked for, (N - 1,)."""
        out = np.zeros_like(where)
        if self.request.obstacles is None or not where.any():
            return out
        if self.request.line_tolerance is not None and self.same_elbow(source, to):
            n = len(self.request.points)
            dense = self.densified(np.full(n, source, dtype=np.intp), where)
            asked = where[np.minimum(dense.line[:-1], n - 2)]
            q, after = dense.q[:-1][asked], dense.q[1:][asked]
            line = dense.line[:-1][asked]
        else:
            line = np.flatnonzero(where)
            q = np.stack((self.lattice.q1[source, line], self.lattice.q2[source, line]), axis=1)
            after = q + np.stack(self.motion(source, to), axis=1)[line]
        touch = first_touch(self.request.arm, self.request.obstacles, q, after)
        out[line[np.isfinite(touch)]] = True
        return out
