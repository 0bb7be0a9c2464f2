r"""Keep-out shapes in the base plane: circles and convex polygons.

Each tells its signed distance to segments [m]. Circle: |c - segment| - radius. Convex polygon:
the smallest distance between a corner of one and the other when they are apart; else minus the
least translation that parts them, found on the normals of the polygon's edges and of the segment
(separating axes: Gottschalk, Lin, Manocha, *OBBTree*, 1996), which are the face normals of their
Minkowski difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.door import NUMBER, ROWS, WORD, require
from planar_arm_ik.errors import PlanarArmError


@dataclass(frozen=True)
class Circle:
    """A round keep-out shape.

    Args:
        name: how messages call it.
        x: centre in the base frame [m].
        y: centre in the base frame [m].
        radius: radius [m], positive.

    Raises:
        PlanarArmError: a number is not finite, or the radius not positive.
    """

    name: str
    x: float
    y: float
    radius: float

    def __post_init__(self) -> None:
        require("name", self.name, WORD)
        for name in ("x", "y", "radius"):
            require(name, getattr(self, name), NUMBER)
        if not all(map(math.isfinite, (self.x, self.y, self.radius))) or self.radius <= 0.0:
            raise PlanarArmError(
                f"circle {self.name!r} [{self.x}, {self.y}, {self.radius}] needs finite numbers "
                "and a positive radius"
            )

    def distance(self, start: Array, end: Array) -> Array:
        """Signed distance [m] (N,) to the segments from `start` to `end` [m], each (N, 2)."""
        return _point_to_segment(np.array((self.x, self.y)), start, end) - self.radius


@dataclass(frozen=True)
class Polygon:
    """A convex keep-out shape.

    Args:
        name: how messages call it.
        corners: corners (x, y) in the base frame [m], at least three, in order, either way round.

    Raises:
        PlanarArmError: fewer than three corners, a number that is not finite, two corners on one
            spot, or corners that do not form a convex polygon.
    """

    name: str
    corners: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        require("name", self.name, WORD)
        require("corners", self.corners, ROWS)
        corners = np.array(self.corners, dtype=np.float64)
        if corners.ndim != 2 or corners.shape[0] < 3 or not np.all(np.isfinite(corners)):
            raise PlanarArmError(f"polygon {self.name!r} needs three or more finite corners")
        along = np.roll(corners, -1, axis=0) - corners
        after = np.roll(along, -1, axis=0)
        turn = along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0]
        winding = np.arctan2(turn, np.einsum("ij,ij->i", along, after)).sum()
        flat = 1e-12 * np.hypot(*along.T) * np.hypot(*after.T)
        if np.any(np.sign(winding) * turn <= flat) or abs(abs(winding) - 2.0 * math.pi) > 1e-6:
            raise PlanarArmError(
                f"polygon {self.name!r} is not convex: list its corners in order, each one a "
                "true corner"
            )
        ordered = self.corners if winding > 0.0 else self.corners[::-1]
        object.__setattr__(self, "corners", tuple((float(x), float(y)) for x, y in ordered))

    def distance(self, start: Array, end: Array) -> Array:
        """Signed distance [m] (N,) to the segments from `start` to `end` [m], each (N, 2)."""
        corners = np.array(self.corners)
        following = np.roll(corners, -1, axis=0)
        apart = self._separation(corners, following, start, end)
        gap = np.full(len(start), np.inf)
        for corner, after in zip(corners, following, strict=True):
            gap = np.minimum(gap, _point_to_segment(corner, start, end))
            gap = np.minimum(gap, _point_to_segment(start, corner, after))
            gap = np.minimum(gap, _point_to_segment(end, corner, after))
        return np.where(apart < 0.0, apart, gap)

    @staticmethod
    def _separation(corners: Array, following: Array, start: Array, end: Array) -> Array:
        """Largest gap along any separating axis [m] (N,); negative when they overlap."""
        apart = np.full(len(start), -np.inf)
        for corner, (x, y) in zip(corners, following - corners, strict=True):
            outward = np.array((y, -x)) / math.hypot(x, y)
            near = np.minimum((start - corner) @ outward, (end - corner) @ outward)
            apart = np.maximum(apart, near)
        along = end - start
        side = np.stack((-along[:, 1], along[:, 0]), axis=1) / np.hypot(*along.T)[:, None]
        across = side @ corners.T - np.einsum("ij,ij->i", side, start)[:, None]
        beside: Array = np.maximum(across.min(axis=1), -across.max(axis=1))
        gap: Array = np.maximum(apart, beside)
        return gap


def _point_to_segment(point: Array, start: Array, end: Array) -> Array:
    """Distance [m] of points (..., 2) to segments (..., 2), broadcast over leading axes."""
    along, to = end - start, point - start
    t = np.clip(
        (to[..., 0] * along[..., 0] + to[..., 1] * along[..., 1])
        / (along[..., 0] ** 2 + along[..., 1] ** 2),
        0.0,
        1.0,
    )
    gap: Array = np.hypot(to[..., 0] - t * along[..., 0], to[..., 1] - t * along[..., 1])
    return gap
