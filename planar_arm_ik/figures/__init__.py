"""Figures of the documentation (matplotlib, extra ``[figures]``) and the worked examples.

May import: trajectories, following, chains and below; matplotlib inside functions. Open this file
first (it lists the figures), then ``style``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.figures import arms, blends, curves, maps, sketches, velocity
from planar_arm_ik.figures.style import DARK, LIGHT, Figure, Theme, require_matplotlib, settings

#: What draws each figure, by the name of its files.
FIGURES: dict[str, Callable[[PlanarArm, Theme], Figure]] = {
    "postures": arms.postures,
    "rr_sketch": sketches.rr_sketch,
    "pp_sketch": sketches.pp_sketch,
    "irb_140": arms.irb_140,
    "branch_arc": curves.branch_arc,
    "jump_step": curves.jump_step,
    "rr_trajectory": curves.rr_trajectory,
    "blends": blends.blends,
    "damping": velocity.damping,
    "damping_gain": velocity.damping_gain,
    "follower": velocity.follower,
    "workspace": maps.workspace,
}

FORMATS = ("svg", "pdf", "png")

#: Of pixels; in vector files only of the maps within them.
_DPI = {"svg": 110, "pdf": 200, "png": 200}

#: Dates and program versions would make every run another file.
_METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


def draw(
    directory: str | Path,
    arm: PlanarArm,
    names: Sequence[str] | None = None,
    formats: Sequence[str] = FORMATS,
) -> Iterator[list[Path]]:
    """Draw figures into files, for light pages and (NAME-dark) for dark ones.

    Args:
        directory: made when it does not exist.
        arm: the arm of the examples.
        names: which figures; None for all.
        formats: of svg, pdf, png.

    Yields:
        The files of one figure after the other.

    Raises:
        PlanarArmError: an unknown name or format, matplotlib is missing, or the directory cannot
            be written.
    """
    wanted = list(FIGURES) if names is None else list(names)
    for name in wanted:
        if name not in FIGURES:
            raise PlanarArmError(f"figure {name!r} is unknown; choose of {', '.join(FIGURES)}")
    for name in wanted:
        build = partial(FIGURES[name], arm)
        files = []
        for theme, suffix in ((LIGHT, ""), (DARK, "-dark")):
            files += [Path(directory) / f"{name}{suffix}.{form}" for form in formats]
            save(build, theme, *files[-len(formats) :])
        yield files


def save(build: Callable[[Theme], Figure], theme: Theme, *paths: Path) -> None:
    """Draw one figure in one theme and write it to files; their suffix says how.

    Raises:
        PlanarArmError: an unknown format, matplotlib is missing, or a file cannot be written.
    """
    formats = [path.suffix.lstrip(".").lower() for path in paths]
    for path, form in zip(paths, formats, strict=True):
        if form not in FORMATS:
            raise PlanarArmError(f"{path} must end in one of {', '.join(FORMATS)}")
    matplotlib = require_matplotlib()
    with matplotlib.rc_context(settings(theme)):
        figure = build(theme)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # once is enough for all formats
        try:
            for path, form in zip(paths, formats, strict=True):
                path.parent.mkdir(parents=True, exist_ok=True)
                figure.savefig(path, dpi=_DPI[form], metadata=_METADATA[form])
        except OSError as error:
            raise PlanarArmError(f"cannot write {error.filename}: {error.strerror}") from None
