"""``planar-arm figures``: draws the figures of the documentation."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from planar_arm_ik.cli.common import add_arm, add_json, description_of, print_json
from planar_arm_ik.cli.progress import progress
from planar_arm_ik.figures import FIGURES, FORMATS, draw


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "figures",
        help="draw the figures of the documentation",
        description=(
            "Draw every figure, for light pages and (NAME-dark) for dark ones. NAME is one of "
            f"{', '.join(FIGURES)}."
        ),
        epilog="example: planar-arm figures --out figures\n"
        "example: planar-arm figures workspace postures --out figures --formats svg",
    )
    names = parser.add_argument("names", metavar="NAME", nargs="*", help="only these figures")
    names.completer = lambda **_: list(FIGURES)
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="directory for the files"
    )
    parser.add_argument(
        "--formats", nargs="+", choices=FORMATS, default=list(FORMATS), help="default: all three"
    )
    for add in (add_json, add_arm):
        add(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Draw, with a progress bar where somebody watches."""
    names = arguments.names or list(FIGURES)
    work = draw(arguments.out, description_of(arguments).arm, names, arguments.formats)
    files = [str(path) for paths in progress(work, len(names), "figures") for path in paths]
    if arguments.json:
        print_json({"files": files})
    else:
        print(f"wrote {len(files)} files of {len(names)} figures to {arguments.out}")
    return 0
