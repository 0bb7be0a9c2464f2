"""Result arrays of a batch: what a caller reads by target is filled column by column.

A column is one contiguous array for one branch and joint, which lets every array pass run at full
speed; :class:`IkBatch` and :class:`IkChoice` are views of the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.status import IkStatus

Bytes = NDArray[np.int8]


@dataclass(frozen=True, eq=False, slots=True)
class IkChoice:
    """What a rule chose for each of N targets.

    Args:
        q: chosen angles [rad], shape (N, 2); NaN without an answer.
        status: outcome each, as of :func:`planar_arm_ik.solve`, shape (N,), int8.
        branch: 1 positive, -1 negative, 0 without an answer, shape (N,), int8.
    """

    q: Array
    status: NDArray[np.int8]
    branch: NDArray[np.int8]

    @property
    def failed_index(self) -> int:
        """Index of the first target without an answer, -1 when all have one."""
        return first_failure(self.status)


@dataclass(frozen=True, eq=False, slots=True)
class IkBatch:
    """Both elbows for each of N targets.

    Args:
        q: joint angles [rad], shape (N, 2, 2): target, branch (positive, negative), joint; NaN
            where a branch is refused. The memory lies by component: ``q[:, 0, 1]`` is contiguous.
        status: outcome of both branches, shape (N, 2), int8: OK or SINGULAR when usable.
        chosen: what the rule chose, or None when none was given.
    """

    q: Array
    status: NDArray[np.int8]
    chosen: IkChoice | None


class ChoiceColumns(NamedTuple):
    """What a rule chose, by component.

    Args:
        joint1: chosen shoulder angles [rad], shape (n,).
        joint2: chosen elbow angles [rad], shape (n,).
        status: shape (n,).
        branch: shape (n,).
    """

    joint1: Array
    joint2: Array
    status: Bytes
    branch: Bytes

    def part(self, part: slice) -> ChoiceColumns:
        """View some of the targets."""
        return ChoiceColumns(
            self.joint1[part], self.joint2[part], self.status[part], self.branch[part]
        )


class Columns(NamedTuple):
    """A result by component.

    Args:
        q: both branches [rad], shape (2, 2, N): branch, joint, target; None to keep none.
        status: of both branches, shape (2, N); None to keep none.
        chosen: what a rule chose; None to choose nothing.
    """

    q: Array | None
    status: Bytes | None
    chosen: ChoiceColumns | None

    @classmethod
    def of(cls, result: IkBatch) -> Columns:
        """View a result by component."""
        chosen = None if result.chosen is None else cls.chosen_of(result.chosen)
        return cls(result.q.transpose(1, 2, 0), result.status.T, chosen)

    @staticmethod
    def chosen_of(choice: IkChoice) -> ChoiceColumns:
        """View a choice by component."""
        return ChoiceColumns(choice.q[:, 0], choice.q[:, 1], choice.status, choice.branch)

    def refuse(self, status: IkStatus) -> None:
        """Give every target the same refusal."""
        if self.q is not None:
            self.q.fill(np.nan)
        if self.status is not None:
            self.status.fill(status)
        if self.chosen is not None:
            self.chosen.joint1.fill(np.nan)
            self.chosen.joint2.fill(np.nan)
            self.chosen.status.fill(status)
            self.chosen.branch.fill(0)


def first_failure(status: Bytes) -> int:
    """Index of the first negative status, -1 when there is none."""
    failed = status < 0
    first = int(failed.argmax()) if failed.size else 0
    return first if failed.size and failed[first] else -1


def choice_room(n: int) -> IkChoice:
    """Make arrays by component, seen by target."""
    return IkChoice(np.empty((2, n)).T, np.empty(n, np.int8), np.empty(n, np.int8))


def batch_room(n: int, choice: bool) -> IkBatch:
    """Make arrays by component, seen by target; with a choice when asked."""
    q, status = np.empty((2, 2, n)), np.empty((2, n), np.int8)
    return IkBatch(q.transpose(2, 0, 1), status.T, choice_room(n) if choice else None)
