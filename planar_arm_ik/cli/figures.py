"""``planar-arm figures``: draws the figures of the documentation."""

from __future__ import annotations

import argparse
from pathlib import Path

from planar_arm_ik.cli.options import CONFIG, JSON, description_of
from planar_arm_ik.cli.output import answer
from planar_arm_ik.cli.progress import progress
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.figures import FIGURES, FORMATS, draw


@Verb(
    "figures",
    "draw the figures of the documentation",
    "Draw every figure, for light pages and (NAME-dark) for dark ones. NAME is one of "
    f"{', '.join(FIGURES)}.",
    examples=[
        "figures --out figures",
        "figures workspace postures --out figures --formats svg",
    ],
    options=[
        option(
            "names",
            metavar="NAME",
            nargs="*",
            help="only these figures",
            completer=lambda **_: list(FIGURES),
        ),
        option("--out", type=Path, required=True, metavar="DIR", help="directory for the files"),
        option(
            "--formats",
            nargs="+",
            choices=FORMATS,
            default=list(FORMATS),
            help="default: all three",
        ),
        JSON,
        CONFIG,
    ],
)
def figures(arguments: argparse.Namespace) -> int:
    """Draw, with a progress bar where somebody watches."""
    names = arguments.names or list(FIGURES)
    work = draw(arguments.out, description_of(arguments).arm, names, arguments.formats)
    files = [str(path) for paths in progress(work, len(names), "figures") for path in paths]
    written = f"wrote {len(files)} files of {len(names)} figures to {arguments.out}"
    answer(arguments.json, {"files": files}, written)
    return 0
