r"""Serial chains of revolute and prismatic joints from Denavit-Hartenberg rows.

The pose of frame i is T_i = A_1 A_2 ... A_i, with A_i of :mod:`planar_arm_ik.chains.rows`. With
the columns of T = [x y z p], the geometric Jacobian has for a revolute joint i the column
(z_(i-1) x (p_n - p_(i-1)), z_(i-1)) and for a prismatic one (z_(i-1), 0) (Spong, Hutchinson,
Vidyasagar, *Robot Modeling and Control*, 4.6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.chains.kernel import (
    Columns,
    advance,
    advance_modified,
    blank,
    blocks,
    cos_sin,
    identity,
    store,
)
from planar_arm_ik.chains.rows import LARGEST, LENGTH_UNITS, DhRow, check_unit, parse_rows
from planar_arm_ik.door import WORD, Kind, require
from planar_arm_ik.errors import PlanarArmError

_ROWS = Kind(
    "a sequence of DhRow",
    lambda rows: isinstance(rows, Sequence) and not isinstance(rows, str),
)


@dataclass(frozen=True)
class DhChain:
    """A serial chain: its rows from base to tip.

    Args:
        rows: at least one :class:`~planar_arm_ik.chains.rows.DhRow`.
        length_unit: unit of all lengths that go in and come out: m, dm, cm, mm or in.
        name: what the arm is called.

    Raises:
        PlanarArmError: there is no row, something is no row, or the unit is unknown.
    """

    rows: Sequence[DhRow]
    length_unit: str = "m"
    name: str = ""
    _twists: tuple[tuple[float, float], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require("rows", self.rows, _ROWS)
        require("name", self.name, WORD)
        rows = tuple(self.rows)
        if not rows:
            raise PlanarArmError("a chain needs at least one row, got none")
        for number, row in enumerate(rows, 1):
            if not isinstance(row, DhRow):
                raise PlanarArmError(f"rows: row {number}: {row!r} is no DhRow")
        check_unit(self.length_unit, LENGTH_UNITS, "length")
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "_twists", tuple(cos_sin(row.alpha) for row in rows))

    @classmethod
    def from_table(
        cls,
        table: Iterable[Mapping[str, Any]],
        length_unit: str = "m",
        angle_unit: str = "rad",
        name: str = "",
    ) -> DhChain:
        """Make a chain of mappings with the keys joint, a, alpha, d, theta and perhaps offset.

        Args:
            table: one mapping a row; a key may name its own unit, as in ``alpha_deg``.
            length_unit: unit of lengths without a suffix, and of the chain.
            angle_unit: unit of angles without a suffix; the chain itself takes radians.
            name: what the arm is called.

        Raises:
            PlanarArmError: a row is malformed; the message names row, key and rule.
        """
        return cls(parse_rows(table, length_unit, angle_unit, length_unit), length_unit, name)

    @classmethod
    def from_arm(cls, arm: PlanarArm, name: str = "RR") -> DhChain:
        """Return the two-row chain of a planar arm; its frame 2 is the tip [m]."""
        return cls((DhRow("R", a=arm.l1), DhRow("R", a=arm.l2)), "m", name)

    def __len__(self) -> int:
        return len(self.rows)

    def in_unit(self, length_unit: str) -> DhChain:
        """Return the same chain with all lengths in another unit."""
        check_unit(length_unit, LENGTH_UNITS, "length")
        factor = LENGTH_UNITS[self.length_unit] / LENGTH_UNITS[length_unit]
        rows = [
            replace(
                row,
                a=row.a * factor,
                d=row.d * factor,
                offset=row.offset * (1.0 if row.revolute else factor),
            )
            for row in self.rows
        ]
        return DhChain(rows, length_unit, self.name)

    def forward(self, q: ArrayLike) -> Array:
        """Pose of the tip in the base frame.

        Args:
            q: joint variables [rad, or `length_unit` where prismatic], shape (..., n).

        Returns:
            Homogeneous transforms base to tip, shape (..., 4, 4), translations in `length_unit`.

        Raises:
            PlanarArmError: q has the wrong length, or a value is not finite or beyond 1e9.
        """
        variables = self._variables(q)
        poses = blank(variables.shape[:-1])
        for block, joints in blocks(variables, poses):
            *_, last = self._walk(joints)
            store(block, last)
        return poses

    def frames(self, q: ArrayLike) -> Array:
        """All frames in the base frame, the base itself first.

        Args:
            q: joint variables as for :meth:`forward`, shape (..., n).

        Returns:
            Homogeneous transforms, shape (..., n + 1, 4, 4): T_0 (identity), T_1, ..., T_n.
        """
        variables = self._variables(q)
        poses = blank((*variables.shape[:-1], len(self) + 1))
        for block, joints in blocks(variables, poses):
            for i, columns in enumerate(self._walk(joints)):
                store(block[:, i], columns)
        return poses

    def jacobian(self, q: ArrayLike) -> Array:
        """Geometric Jacobian: twist of the tip = J qd, in the base frame.

        Args:
            q: joint variables as for :meth:`forward`, shape (..., n).

        Returns:
            J, shape (..., 6, n): velocity of the tip point in rows 0 to 2 [length/rad, or 1
            where prismatic], angular velocity in rows 3 to 5 [rad/rad, or 0].
        """
        frames = self.frames(q)
        # A joint's axis is the z axis of the frame before it, in Craig's convention of its own.
        on_axis = np.arange(len(self)) + np.array([row.modified for row in self.rows])
        joints = frames[..., on_axis, :, :]
        axes = joints[..., :3, 2]
        arms = frames[..., -1:, :3, 3] - joints[..., :3, 3]
        revolute = np.array([row.revolute for row in self.rows])[:, np.newaxis]
        linear = np.where(revolute, np.cross(axes, arms), axes)
        angular = np.where(revolute, axes, 0.0)
        return np.concatenate((linear, angular), axis=-1).swapaxes(-1, -2)

    def _variables(self, q: ArrayLike) -> Array:
        try:
            variables = np.asarray(q, dtype=np.float64)
        except (TypeError, ValueError):
            raise PlanarArmError(f"q = {q!r} must be numbers") from None
        if variables.ndim == 0 or variables.shape[-1] != len(self):
            raise PlanarArmError(
                f"q has shape {variables.shape}; its last axis must hold {len(self)} joint "
                f"variables, one for each row"
            )
        # NaN fails the comparison, too.
        if not (np.abs(variables) <= LARGEST).all():
            bad = np.argwhere(~(np.abs(variables) <= LARGEST))[0]
            raise PlanarArmError(
                f"q{bad[-1] + 1} = {variables[tuple(bad)]} must be a finite number of at most "
                f"{LARGEST:g}"
            )
        return variables

    def _walk(self, joints: Array) -> Iterator[Columns]:
        """Yield the columns of T_0, ..., T_n for joint variables of shape (n, M)."""
        columns = identity()
        yield columns
        for row, twist, variable in zip(self.rows, self._twists, joints, strict=True):
            apply = advance_modified if row.modified else advance
            if row.revolute:
                theta = variable + row.theta_constant
                turn, d = (np.cos(theta), np.sin(theta)), row.d_constant
                columns = apply(columns, turn, d, row.a, twist)
            else:
                turn = cos_sin(row.theta_constant)
                columns = apply(columns, turn, variable + row.d_constant, row.a, twist)
            yield columns
