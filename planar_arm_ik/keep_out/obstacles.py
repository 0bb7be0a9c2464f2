"""Keep-out shapes around the arm and how far its links are from them.

A link is a capsule: the segment between its joints, widened by `link_radius`. The clearance of a
pose is the signed distance from its links to the shapes [m]; zero or less is a touch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.door import NUMBER, Kind, require
from planar_arm_ik.errors import ConfigError, PlanarArmError
from planar_arm_ik.keep_out.shapes import Circle, Polygon

#: Poses worked on at once: their intermediate arrays stay in the processor's cache.
_BLOCK = 4096

_SHAPES = Kind(
    "a tuple of Circle and Polygon",
    lambda shapes: (
        isinstance(shapes, (tuple, list))
        and all(isinstance(shape, (Circle, Polygon)) for shape in shapes)
    ),
)


@dataclass(frozen=True)
class Obstacles:
    """Keep-out shapes and the radius of the links that must not touch them.

    Args:
        shapes: circles and convex polygons; none means that everything is free.
        link_radius: half the thickness of both links [m], not negative.

    Raises:
        PlanarArmError: a bad radius, two shapes of one name, or a shape that covers the shoulder
            (every pose would touch it).
    """

    shapes: tuple[Circle | Polygon, ...]
    link_radius: float = 0.0

    def __post_init__(self) -> None:
        require("shapes", self.shapes, _SHAPES)
        require("link_radius", self.link_radius, NUMBER)
        if not 0.0 <= self.link_radius < math.inf:
            raise PlanarArmError(
                f"link_radius {self.link_radius} m must be finite and not negative"
            )
        names = [shape.name for shape in self.shapes]
        if len(set(names)) < len(names):
            raise PlanarArmError(f"keep-out shapes {names} need names that differ")
        shoulder, stub = np.zeros((1, 2)), np.array(((1e-9, 0.0),))
        for shape in self.shapes:
            if shape.distance(shoulder, stub)[0] <= self.link_radius:
                raise PlanarArmError(
                    f"keep-out shape {shape.name!r} covers the shoulder: every pose touches it"
                )

    @classmethod
    def from_config(cls, block: Mapping[str, Any]) -> Obstacles:
        """Read the `obstacles` block of an arm file.

        Args:
            block: keys `names`, `link_radius`, and per name either `circle: [x, y, radius]` or
                `polygon: [x1, y1, x2, y2, ...]`.

        Raises:
            ConfigError: a key is missing, unknown, or holds what it must not hold.
        """
        names = block.get("names")
        if not isinstance(names, (list, tuple)) or not names or not all(map(_is_text, names)):
            raise ConfigError(f"obstacles.names {names!r} must be a list of names")
        unknown = set(block) - set(names) - {"names", "link_radius"}
        missing = set(names) - set(block)
        if unknown or missing:
            key = sorted(unknown or missing)[0]
            rule = "is not among the names" if unknown else "is among the names but has no block"
            raise ConfigError(f"obstacles.{key} {rule}")
        radius = block.get("link_radius", 0.0)
        try:
            return cls(tuple(_shape(name, block[name]) for name in names), *_numbers([radius]))
        except ConfigError:
            raise
        except PlanarArmError as error:
            raise ConfigError(f"obstacles: {error}") from None

    def flat(self) -> dict[str, Any]:
        """Return the block :meth:`from_config` reads, with dotted keys."""
        values: dict[str, Any] = {
            "names": [shape.name for shape in self.shapes],
            "link_radius": self.link_radius,
        }
        for shape in self.shapes:
            if isinstance(shape, Circle):
                values[f"{shape.name}.circle"] = [shape.x, shape.y, shape.radius]
            else:
                values[f"{shape.name}.polygon"] = [v for corner in shape.corners for v in corner]
        return values

    def clearances(self, arm: PlanarArm, q: ArrayLike) -> Array:
        """Clearance of each link from each shape.

        Args:
            arm: the arm.
            q: joint angles [rad], shape (..., 2).

        Returns:
            Signed distance [m], shape (..., 2, K): link 1 and link 2 against K shapes.
        """
        angles = np.asarray(q, dtype=np.float64)
        elbow, tip = arm.elbow(angles).reshape(-1, 2), arm.forward(angles).reshape(-1, 2)
        shoulder = np.zeros_like(elbow)
        out = np.empty((len(elbow), 2, len(self.shapes)))
        for first in range(0, len(elbow), _BLOCK):
            part = slice(first, first + _BLOCK)
            for k, shape in enumerate(self.shapes):
                out[part, 0, k] = shape.distance(shoulder[part], elbow[part])
                out[part, 1, k] = shape.distance(elbow[part], tip[part])
        out -= self.link_radius
        return out.reshape(*angles.shape[:-1], 2, len(self.shapes))

    def clearance(self, arm: PlanarArm, q: ArrayLike) -> Array:
        """Clearance of the whole arm from all shapes: q [rad] (..., 2) to [m] (...).

        Infinite when there are no shapes.
        """
        least: Array = np.min(self.clearances(arm, q), axis=(-2, -1), initial=np.inf)
        return least

    def nearest(self, arm: PlanarArm, q: ArrayLike) -> tuple[str, int, float]:
        """Find the nearest shape to any of some poses.

        Args:
            arm: the arm.
            q: joint angles [rad], shape (..., 2).

        Returns:
            Its name, the link nearest to it (1 or 2), and its clearance [m].
        """
        each = self.clearances(arm, q)
        if each.size == 0:
            return "", 0, math.inf
        closest = int(np.argmin(each))
        link, k = divmod(closest % (2 * len(self.shapes)), len(self.shapes))
        return self.shapes[k].name, link + 1, float(each.ravel()[closest])


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value not in ("", "names", "link_radius")


def _shape(name: str, block: object) -> Circle | Polygon:
    if not isinstance(block, Mapping) or len(block) != 1:
        raise ConfigError(f"obstacles.{name} must hold either circle or polygon")
    ((kind, raw),) = block.items()
    values = _numbers(raw)
    if kind == "circle" and len(values) == 3:
        return Circle(name, *values)
    if kind == "polygon" and len(values) >= 6 and len(values) % 2 == 0:
        return Polygon(name, tuple(zip(values[::2], values[1::2], strict=True)))
    raise ConfigError(
        f"obstacles.{name}.{kind} must be circle: [x, y, radius] or polygon: [x1, y1, ...] with "
        f"three or more corners, got {len(values)} numbers"
    )


def _numbers(raw: object) -> list[float]:
    if not isinstance(raw, (list, tuple)) or any(
        isinstance(value, bool) or not isinstance(value, (int, float)) for value in raw
    ):
        raise ConfigError(f"obstacles: {raw!r} must be numbers")
    return [float(value) for value in raw]
