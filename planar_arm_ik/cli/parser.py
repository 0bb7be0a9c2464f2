"""The argument parser of ``planar-arm``: one-sentence errors, examples, any negative number."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

#: What begins with a minus and is a value all the same: -1e-3, -inf, -cos(t), -t/2, -pi.
_VALUE = re.compile(r"-(\d|\.\d|\(|inf\b|nan\b|[a-z]+\(|(t|pi|e)\b)", re.IGNORECASE)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence and whose help keeps the lines of its examples."""

    def __init__(self, **arguments: Any) -> None:
        arguments.setdefault("formatter_class", _HelpFormatter)
        arguments.setdefault("allow_abbrev", False)
        super().__init__(**arguments)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one sentence and end with code 2."""
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


class _HelpFormatter(argparse.HelpFormatter):
    """Wraps a description, but leaves every line of examples alone."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = text.splitlines()
        if lines and lines[0].startswith("example"):
            return "\n".join(indent + line for line in lines)
        return super()._fill_text(text, width, indent)


def keep_values(arguments: Sequence[str]) -> list[str]:
    """Mark values that begin with a minus, so that they are not taken for options.

    argparse knows -1 and -0.5 as numbers, but neither -1e-3 nor a formula; a token that begins
    with a space is never an option, and numbers and formulas do not mind the space.
    """
    return [f" {text}" if _VALUE.match(text) else text for text in arguments]
