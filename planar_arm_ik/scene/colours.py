"""Colours by meaning: the palette of Okabe and Ito, which colour-blind people can tell apart.

Masataka Okabe and Kei Ito, *Color Universal Design* (2008). Keep-out shapes are wine, the dark
colour of Paul Tol's muted scheme (*Colour Schemes*, 2021), darker than both elbows. The arm itself
is grey, so that colour always says something; no state is told by colour alone, each has a mark
and a word too.
"""

from __future__ import annotations

from dataclasses import dataclass

from planar_arm_ik.status import Branch


@dataclass(frozen=True)
class Colour:
    """One colour, 0 to 255 per channel."""

    red: int
    green: int
    blue: int

    @property
    def rgb(self) -> tuple[int, int, int]:
        """(red, green, blue), 0 to 255."""
        return self.red, self.green, self.blue

    @property
    def fractions(self) -> tuple[float, float, float]:
        """(red, green, blue), 0 to 1."""
        return self.red / 255.0, self.green / 255.0, self.blue / 255.0

    @property
    def hex(self) -> str:
        """The colour as ``#rrggbb``."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"


class Palette:
    """Every colour of the scene, named by what it means."""

    POSITIVE = Colour(0, 114, 178)  # blue
    NEGATIVE = Colour(230, 159, 0)  # orange
    GOOD = Colour(0, 158, 115)  # bluish green
    WARNING = Colour(204, 121, 167)  # reddish purple
    REFUSED = Colour(213, 94, 0)  # vermilion
    COMMANDED = Colour(0, 0, 0)
    ACHIEVED = Colour(0, 158, 115)
    RESIDUAL = Colour(213, 94, 0)
    KEEP_OUT = Colour(136, 34, 85)  # wine
    ACCENT = Colour(240, 228, 66)  # yellow
    UNUSED = Colour(120, 126, 135)
    GRAPHITE = Colour(43, 51, 64)
    STEEL = Colour(125, 140, 158)
    IVORY = Colour(237, 237, 230)


def branch_colour(branch: Branch) -> Colour:
    """Blue for the positive elbow, orange for the negative one, grey for neither."""
    if branch is Branch.NONE:
        return Palette.UNUSED
    return Palette.POSITIVE if branch is Branch.POSITIVE else Palette.NEGATIVE
