"""``planar-arm completion SHELL``: code that makes a shell complete commands (argcomplete)."""

from __future__ import annotations

import argparse
import os
from typing import Any

from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.errors import PlanarArmError

_SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")


@Verb(
    "completion",
    "print what makes a shell complete planar-arm",
    "Print the code that makes a shell complete commands, options and files.",
    examples=[
        "completion bash >> ~/.bash_completion",
        "completion fish > ~/.config/fish/completions/planar-arm.fish",
    ],
    options=[option("shell", choices=_SHELLS, help="the shell in use")],
)
def completion(arguments: argparse.Namespace) -> int:
    """Print the shell's code."""
    print(_argcomplete().shellcode(["planar-arm"], shell=arguments.shell))
    return 0


def answer_shell(parser: argparse.ArgumentParser) -> None:
    """Answer when a shell asks for completions, and end; else do nothing."""
    if "_ARGCOMPLETE" in os.environ:
        _argcomplete().autocomplete(parser)


def _argcomplete() -> Any:
    try:
        import argcomplete
    except ImportError:
        raise PlanarArmError(
            "completion needs argcomplete; install it with: "
            "pip install 'planar_arm_ik[completion]'"
        ) from None
    return argcomplete
