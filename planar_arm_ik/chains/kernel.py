r"""One Denavit-Hartenberg row applied to many poses at once, without 4x4 products.

With T_i = T_(i-1) A_i and the columns of T = [x y z p] (Spong, Hutchinson, Vidyasagar, *Robot
Modeling and Control*, 3.2), a row turns and moves the columns:

    x' = c x + s y           p' = p + d z + a x'          c, s = cos, sin of theta
    y' = ca (c y - s x) + sa z                            ca, sa = cos, sin of alpha
    z' = ca z - sa (c y - s x)

Only the 12 entries that are not constant are worked on, each as one array over all poses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array

#: Poses worked on at once: the columns of this many stay in the processor's cache.
_BLOCK = 4096

#: A sine or cosine this small belongs to a right angle that pi cannot express.
_RIGHT_ANGLE = 1e-15

#: Columns x, y, z, p of a transform, each of shape (3, M) or (3, 1).
Columns = tuple[Array, Array, Array, Array]


def identity() -> Columns:
    """Return the columns of the unit transform, each of shape (3, 1)."""
    x, y, z, p = np.eye(3, 4).T.reshape(4, 3, 1)
    return x, y, z, p


def advance(
    columns: Columns,
    turn: tuple[Any, Any],
    d: Any,
    a: float,
    twist: tuple[float, float],
) -> Columns:
    """Apply one row to the columns; terms that are zero for every pose cost nothing."""
    x, y, z, p = columns
    c, s = turn
    ca, sa = twist
    new_x = c * x + s * y
    side = c * y - s * x
    if isinstance(d, np.ndarray) or d != 0.0:
        p = p + d * z
    if a != 0.0:
        p = p + a * new_x
    if sa == 0.0:
        return (new_x, side, z, p) if ca > 0.0 else (new_x, -side, -z, p)
    if ca == 0.0:
        return (new_x, z, -side, p) if sa > 0.0 else (new_x, -z, side, p)
    return new_x, ca * side + sa * z, ca * z - sa * side, p


def advance_modified(
    columns: Columns,
    turn: tuple[Any, Any],
    d: Any,
    a: float,
    twist: tuple[float, float],
) -> Columns:
    """Apply one row of Craig's convention: alpha and a about x first, then theta and d about z."""
    x, y, z, p = columns
    c, s = turn
    ca, sa = twist
    side, axis = ca * y + sa * z, ca * z - sa * y
    return c * x + s * side, c * side - s * x, axis, p + a * x + d * axis


def cos_sin(angle: float) -> tuple[float, float]:
    """Cosine and sine [1] of a constant angle [rad], exact for right angles."""
    c, s = math.cos(angle), math.sin(angle)
    if abs(c) < _RIGHT_ANGLE:
        return 0.0, math.copysign(1.0, s)
    return (math.copysign(1.0, c), 0.0) if abs(s) < _RIGHT_ANGLE else (c, s)


def blank(shape: tuple[int, ...]) -> Array:
    """Transforms of the given leading shape with the last row filled in."""
    poses = np.empty((*shape, 4, 4))
    poses[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    return poses


def blocks(variables: Array, poses: Array) -> Iterator[tuple[Array, Array]]:
    """Yield views of `poses`, shape (M, ...), with their joint variables, shape (n, M)."""
    flat = variables.reshape(-1, variables.shape[-1])
    out = poses.reshape(len(flat), *poses.shape[variables.ndim - 1 :])
    for start in range(0, len(flat), _BLOCK):
        block = slice(start, start + _BLOCK)
        yield out[block], np.ascontiguousarray(flat[block].T)


def store(block: Array, columns: Columns) -> None:
    """Write columns of shape (3, M) into transforms of shape (M, 4, 4)."""
    for i, column in enumerate(columns):
        block[:, :3, i] = column.T
