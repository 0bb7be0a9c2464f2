"""One block of targets through kernel, limits and rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from planar_arm_ik.arm.angles import NEARLY_PI
from planar_arm_ik.arm.planar_arm import LARGEST_ANGLE, Array
from planar_arm_ik.batch.block_limits import BlockLimits, Reference, blank
from planar_arm_ik.batch.block_rules import BlockRule
from planar_arm_ik.batch.columns import Bytes, Columns
from planar_arm_ik.batch.kernel import BlockKernel, Mask
from planar_arm_ik.inverse.question import Question
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.status import IkStatus

#: Targets in a block: its dozen buffers fit into a second-level cache of 1 MiB.
BLOCK = 8192


class BlockSolver:
    """Solves blocks of at most `size` targets with buffers of its own.

    Args:
        question: arm, tolerances, rule.
        seeds: shape (2,) or (N, 2) [rad], or None.
        size: largest block.
        obstacles: keep-out shapes.
    """

    def __init__(
        self,
        question: Question,
        seeds: Array | None,
        size: int,
        obstacles: Obstacles | None = None,
    ) -> None:
        self._question, self._seeds, self._obstacles = question, seeds, obstacles
        self._kernel = BlockKernel(question.ring, size)
        seeded = seeds is not None
        self._limits = [BlockLimits(joint, seeded, size) for joint in question.arm.joints]
        self._rule = BlockRule(question, size)
        self._q, self._status = np.empty((2, 2, size)), np.empty((2, size), dtype=np.int8)
        self._floats = np.empty((4, size))
        self._bits = np.empty(size, dtype=np.int64)
        self._masks = np.empty((2, size), dtype=bool)

    def solve(self, targets: tuple[Any, Any], part: slice, result: Columns) -> None:
        """Solve ``x[part], y[part]`` of the targets [m] into the same part of the result."""
        n = part.stop - part.start
        q = self._q[..., :n] if result.q is None else result.q[..., part]
        status = self._status[:, :n] if result.status is None else result.status[:, part]
        x, y, *seed_buffers = self._floats[:, :n]
        x[...], y[...] = targets[0][part], targets[1][part]
        reference, bad_seed = self._reference(part, seed_buffers)
        block = self._kernel.solve(x, y, q[0, 0], q[1, 0], q[0, 1])
        _negate(q[0, 1], q[1, 1])
        if block.free is not None:
            limits = self._question.arm.joint1
            kept = np.clip(reference[0], limits.lower, limits.upper)
            for branch in range(2):
                np.copyto(q[branch, 0], kept, where=block.free)
        clearance = None if self._obstacles is None else np.full((2, n), np.nan)
        for branch in range(2):
            refused = self._grade(q[branch], status[branch], block.singular, reference)
            _refuse(status[branch], refused, block.reach, bad_seed)
            if clearance is not None:
                self._keep_out(q[branch], status[branch], refused, clearance[branch])
            blank(q[branch], refused, self._bits[:n])
        if result.chosen is not None:
            self._rule.choose(q, status, reference, result.chosen.part(part), clearance)

    def _keep_out(self, q: Array, status: Bytes, refused: Mask, clearance: Array) -> None:
        """Refuse the poses of one branch that touch a shape; note the clearance of the others."""
        graded = (status >= 0) | (status == IkStatus.JOINT_STEP)
        where = np.flatnonzero(graded)
        if self._obstacles is None or where.size == 0:
            return
        gap = self._obstacles.clearance(self._question.arm, q[:, where].T)
        status[where[gap <= 0.0]] = IkStatus.COLLISION
        refused |= status == IkStatus.COLLISION
        usable = status[where] >= 0
        clearance[where[usable]] = gap[usable]

    def _reference(
        self, part: slice, buffers: list[Array]
    ) -> tuple[tuple[Reference, Reference], Mask | None]:
        """Return the seeds of a block, and where they are not usable."""
        seeds = self._seeds
        if seeds is None:
            return (0.0, 0.0), None
        if seeds.ndim == 1:
            usable = bool((np.abs(seeds) <= LARGEST_ANGLE).all())
            first, second = (float(seeds[0]), float(seeds[1])) if usable else (0.0, 0.0)
            return (first, second), None if usable else np.ones(buffers[0].size, dtype=bool)
        for joint, buffer in enumerate(buffers):
            buffer[...] = seeds[part, joint]
        bad = ~(np.abs(buffers[0]) <= LARGEST_ANGLE) | ~(np.abs(buffers[1]) <= LARGEST_ANGLE)
        return (buffers[0], buffers[1]), bad if bad.any() else None

    def _grade(
        self, q: Array, status: Bytes, singular: Mask, reference: tuple[Reference, Reference]
    ) -> Mask:
        """Compare one branch with limits and joint step, and write its status."""
        refused: Mask = self._masks[0, : status.size]
        mask = self._masks[1, : status.size]
        refused.fill(False)
        limited = [
            limits.fit(angle, origin, refused)
            for limits, angle, origin in zip(self._limits, q, reference, strict=True)
        ]
        # SINGULAR is 1, and -1 & JOINT_LIMIT is JOINT_LIMIT: two passes and no branch.
        status[...] = singular.view(np.int8)
        if any(limited):
            status |= np.negative(refused.view(np.int8))
            status &= np.int8(IkStatus.JOINT_LIMIT)
        step = self._question.max_joint_step
        if self._seeds is not None and step < np.inf:
            for angle, origin in zip(q, reference, strict=True):
                np.greater(np.abs(angle - origin), step, out=mask)
                mask &= status >= 0
                status[mask] = IkStatus.JOINT_STEP
                refused |= mask
        return refused


def _refuse(status: Bytes, refused: Mask, reach: Bytes | None, bad_seed: Mask | None) -> None:
    """Refuse targets out of reach and seeds that are not usable, whatever the pose would be."""
    if reach is not None:
        missed = reach < 0
        np.copyto(status, reach, where=missed)
        refused |= missed
    if bad_seed is not None:
        status[bad_seed] = IkStatus.INVALID_INPUT
        refused |= bad_seed


def _negate(q2: Array, negative: Array) -> None:
    """Elbow angle of the negative branch in (-pi, pi]; half a turn is +pi on both branches."""
    np.negative(q2, out=negative)
    if not q2.max(initial=0.0) < NEARLY_PI:
        negative[~(q2 < NEARLY_PI)] = np.pi
