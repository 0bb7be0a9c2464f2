"""The development environment of planar_arm_ik: set it up, or run a command inside it.

    python3 tools/environment.py setup [--with bench]
    python3 tools/environment.py exec -- COMMAND...
    python3 tools/environment.py shell

Without ROS the environment is a venv with the ROS 2 wheels (`DISTRO=kilted`, the default, or
`jazzy`); where a ROS installation is sourced, it is a venv on top of that. Everything lives in
`.env/<name>/`; what is up to date is not made again. Needs only the standard library.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import env_activate
import env_build
import env_checks
import env_wheels
from env_error import SetupError
from env_place import Place, choose_place, lock


def main(arguments: list[str] | None = None) -> int:
    """Run one sub-command; every foreseen problem is one sentence and exit code 2."""
    options = parse(arguments)
    root = Path(__file__).resolve().parent.parent
    try:
        env_checks.check_python(sys.version_info)
        place = choose_place(root, os.environ)
        prepare(place, bench=options.extra == "bench")
        if options.command == "setup":
            print(f"planar_arm_ik: ready ({place.name})", file=sys.stderr)
            return 0
        return env_activate.replace_process(place, command_of(options))
    except SetupError as problem:
        print(f"planar_arm_ik: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("planar_arm_ik: interrupted; run the same line again to go on", file=sys.stderr)
        return 130


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="environment.py", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("exec", help="run one command inside the environment")
    for sub in (
        commands.add_parser("setup", help="only make it"),
        run,
        commands.add_parser("shell"),
    ):
        sub.add_argument("--with", dest="extra", choices=["bench"], help="a further set of wheels")
    run.add_argument("argv", nargs=argparse.REMAINDER, help="-- COMMAND...")
    return parser.parse_args(arguments)


def command_of(options: argparse.Namespace) -> list[str]:
    """Give the command to run: the one after `--`, or the user's shell."""
    if options.command == "shell":
        return [os.environ.get("SHELL") or "/bin/sh"]
    argv: list[str] = options.argv[1:] if options.argv[:1] == ["--"] else options.argv
    if not argv:
        raise SetupError(
            "exec needs a command: python3 tools/environment.py exec -- planar-arm --help"
        )
    return argv


def prepare(place: Place, bench: bool) -> None:
    """Bring every stage up to date; only one process at a time works on a place."""
    if is_ready(place, bench):
        return
    with lock(place):
        if is_ready(place, bench):  # another process did it while this one waited
            return
        env_checks.check_machine(place)
        env_wheels.install(place)
        if bench:
            env_wheels.install_bench(place)
        env_build.build(place)


def is_ready(place: Place, bench: bool) -> bool:
    """Tell whether all stamps fit the files as they are now."""
    return (
        env_wheels.is_current(place)
        and (not bench or env_wheels.is_bench_current(place))
        and env_build.is_current(place)
    )


if __name__ == "__main__":
    sys.exit(main())
