"""``planar-arm``: parses the command line and hands over to a sub-command."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence

from planar_arm_ik.cli.batch import batch
from planar_arm_ik.cli.check import check
from planar_arm_ik.cli.completion import answer_shell, completion
from planar_arm_ik.cli.demo import demo
from planar_arm_ik.cli.dh import dh
from planar_arm_ik.cli.emulate import emulate
from planar_arm_ik.cli.figures import figures
from planar_arm_ik.cli.fk import fk
from planar_arm_ik.cli.output import complain
from planar_arm_ik.cli.parser import Parser, keep_values
from planar_arm_ik.cli.path import path
from planar_arm_ik.cli.servo.verbs import servo
from planar_arm_ik.cli.solve import solve
from planar_arm_ik.cli.trajectory import trajectory
from planar_arm_ik.cli.verb import add_verbs
from planar_arm_ik.errors import PlanarArmError

#: In the order of the help.
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
    add_verbs(parser, COMMANDS, "commands", required=True)
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
        answer_shell(parser)
        arguments = parser.parse_args(keep_values(sys.argv[1:] if argv is None else argv))
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except PlanarArmError as error:
        complain(str(error))
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        # Only files the user named: a link that cannot be made, a disk that is full.
        if error.filename is None:
            raise
        complain(f"{error.filename2 or error.filename}: {error.strerror}")
        return 2
    except KeyboardInterrupt:
        return 130
    return code
