"""A camera that looks straight at the plane and shows what matters in any window."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Vertical field of view [rad]: narrow, so that the plane looks flat.
FIELD_OF_VIEW = math.radians(30.0)

#: Width of the control panel on a wide window [px], and the width from which it floats; on a
#: narrower one it is a sheet that leaves this part of the height free.
_PANEL, _WIDE, _ABOVE_SHEET = 330, 576, 0.4


@dataclass(frozen=True)
class View:
    """Camera on the axis z through `centre`, at `distance` [m]; y is up."""

    centre: tuple[float, float]
    distance: float

    def project(
        self, point: tuple[float, float], width: int, height: int, z: float = 0.0
    ) -> tuple[float, float]:
        """Pixel (from the left, from the top) of a point in the plane."""
        pixels = 0.5 * height / (math.tan(0.5 * FIELD_OF_VIEW) * (self.distance - z))
        return (
            0.5 * width + pixels * (point[0] - self.centre[0]),
            0.5 * height - pixels * (point[1] - self.centre[1]),
        )


def fitted(half_width: float, half_height: float, width: int, height: int) -> View:
    """View a rectangle around the shoulder, beside the control panel or above the sheet.

    Args:
        half_width: half of what must be seen across [m].
        half_height: half of what must be seen upward [m].
        width: of the window [px].
        height: of the window [px].
    """
    width, height = max(width, 1), max(height, 1)
    wide = width >= _WIDE
    free_width = width - _PANEL if wide else width
    free_height = height if wide else _ABOVE_SHEET * height
    metres = max(2.0 * half_width / free_width, 2.0 * half_height / free_height)
    distance = 0.5 * height * metres / math.tan(0.5 * FIELD_OF_VIEW)
    return View(
        (0.5 * (width - free_width) * metres, -0.5 * (height - free_height) * metres), distance
    )


def hit(
    origin: tuple[float, float, float], through: tuple[float, float, float], z: float = 0.0
) -> tuple[float, float] | None:
    """Where the ray from `origin` through another point meets the plane at height z [m]."""
    fall = through[2] - origin[2]
    if abs(fall) < 1e-9:
        return None
    part = (z - origin[2]) / fall
    if part <= 0.0:
        return None
    return (
        origin[0] + part * (through[0] - origin[0]),
        origin[1] + part * (through[1] - origin[1]),
    )
