"""How all figures look: two themes, one size, no global state of matplotlib.

Colours are told apart by every common kind of colour vision (after Okabe and Ito 2008) and stand
out from the background by a contrast of at least 3; every line also has a dash or a marker of
its own, so that a print in black and white is legible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from planar_arm_ik.errors import PlanarArmError

# Matplotlib is an extra, and its annotations differ from release to release.
Axes: TypeAlias = Any
Figure: TypeAlias = Any

WIDTH = 6.3  #: [in], the text width of an A4 page


@dataclass(frozen=True)
class Theme:
    """Colours of one kind of page.

    Args:
        name: light or dark.
        background: of the whole figure; it is opaque, so the page does not shine through.
        text: texts, axes and neutral lines.
        faint: grids and construction lines.
        positive: the positive elbow branch, and first series.
        negative: the negative elbow branch, and second series.
        third: third series.
        alert: jumps, singularities, what a reader must not miss.
        colormap: name of the colour map for fields.
    """

    name: str
    background: str
    text: str
    faint: str
    positive: str
    negative: str
    third: str
    alert: str
    colormap: str = "cividis"

    @property
    def series(self) -> tuple[str, str, str, str]:
        """Colours of data in order of use."""
        return self.positive, self.negative, self.third, self.alert


LIGHT = Theme("light", "#ffffff", "#1a1a1a", "#b8b8b8", "#0072b2", "#c85200", "#4d4d20", "#a0307a")
DARK = Theme("dark", "#12161c", "#e8e8e8", "#4a505a", "#56b4e9", "#e69f00", "#e9f06a", "#f29ac8")

#: Dashes and markers in the order of the series.
DASHES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D")


def require_matplotlib() -> Any:
    """Return matplotlib.

    Raises:
        PlanarArmError: it is not installed; the message has the line that installs it.
    """
    try:
        import matplotlib
    except ImportError:
        raise PlanarArmError(
            "figures need matplotlib; install it with: pip install 'planar_arm_ik[figures]'"
        ) from None
    return matplotlib


def settings(theme: Theme) -> dict[str, Any]:
    """Return matplotlib's rc parameters for a theme."""
    return {
        "font.size": 9.0,
        "axes.titlesize": 9.5,
        "legend.fontsize": 8.5,
        "figure.facecolor": theme.background,
        "savefig.facecolor": theme.background,
        "axes.facecolor": theme.background,
        "axes.edgecolor": theme.text,
        "axes.labelcolor": theme.text,
        "axes.titlecolor": theme.text,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": theme.faint,
        "grid.linewidth": 0.5,
        "xtick.color": theme.text,
        "ytick.color": theme.text,
        "text.color": theme.text,
        "legend.frameon": True,
        "legend.facecolor": theme.background,
        "legend.edgecolor": "none",
        "legend.framealpha": 0.9,
        "lines.linewidth": 1.8,
        "lines.markersize": 4.5,
        "hatch.color": theme.text,
        "svg.hashsalt": "planar_arm_ik",
        "image.cmap": theme.colormap,
    }


def new_figure(
    height: float, rows: int = 1, columns: int = 1, **layout: Any
) -> tuple[Figure, list[Axes]]:
    """Return an empty figure of the common width and its axes, row by row.

    Args:
        height: [in].
        rows: of axes.
        columns: of axes.
        **layout: further arguments of ``Figure.subplots`` (sharex, width_ratios, ...).
    """
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, squeeze=False, **layout)
    return figure, list(axes.flat)
