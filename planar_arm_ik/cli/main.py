"""``planar-arm``: parses the command line and hands over to a sub-command."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence

from planar_arm_ik.cli import (
    batch,
    check,
    completion,
    demo,
    dh,
    emulate,
    figures,
    fk,
    path,
    servo,
    solve,
    trajectory,
)
from planar_arm_ik.cli.parser import Parser, keep_values
from planar_arm_ik.errors import PlanarArmError

#: Every module has ``register(subparsers)`` and sets ``run=function(arguments) -> exit code``.
COMMANDS = (
    solve,
    batch,
    fk,
    dh,
    path,
    trajectory,
    figures,
    demo,
    servo,
    emulate,
    check,
    completion,
)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser with all sub-commands."""
    parser = Parser(
        prog="planar-arm",
        description="Planar two-joint (2R) arm: kinematics, paths, servos, worked examples.",
        epilog="example: planar-arm solve 0.6 0 --degrees\nexample: planar-arm COMMAND --help",
    )
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.register(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: arguments; None for ``sys.argv[1:]``.

    Returns:
        Exit code: 0 only on success, 1 when the answer is a refusal, 2 for bad input.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without Greek is no error
    parser = build_parser()
    try:
        completion.answer_shell(parser)
        arguments = parser.parse_args(keep_values(sys.argv[1:] if argv is None else argv))
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except PlanarArmError as error:
        print(f"planar-arm: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        # Only files the user named: a link that cannot be made, a disk that is full.
        if error.filename is None:
            raise
        place = error.filename2 or error.filename
        print(f"planar-arm: {place}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return code
