"""How a verb of ``planar-arm`` is declared: name, help, options, examples, and what runs it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

Run = Callable[[argparse.Namespace], int]
Option = Callable[[argparse.ArgumentParser], None]


def option(
    *flags: str, completer: Callable[..., list[str]] | None = None, **settings: Any
) -> Option:
    """Declare an argument or option once, to be added to any parser.

    Args:
        flags: its name, or its flags.
        completer: what a shell may complete it with, as argcomplete asks for it.
        settings: as ``argparse`` takes them.
    """

    def add(parser: argparse.ArgumentParser) -> None:
        action: Any = parser.add_argument(*flags, **settings)
        if completer is not None:
            action.completer = completer

    return add


@dataclass(frozen=True)
class Verb:
    """One verb of the command line; decorates the function that runs it.

    Args:
        name: what is typed.
        summary: the line in the list of verbs.
        description: what stands above its options; without it the summary as a sentence.
        examples: command lines without ``planar-arm``.
        notes: text below the options, kept as it stands, in place of the examples.
        options: what it reads, in the order of its help.
        verbs: verbs below this one; one of them is required where this one does not run.
        title: what the verbs below are called.
        run: takes the parsed arguments, returns the exit code.
    """

    name: str
    summary: str
    description: str = ""
    examples: Sequence[str] = ()
    notes: str = ""
    options: Sequence[Option] = ()
    verbs: Sequence[Verb] = ()
    title: str = "commands"
    run: Run | None = None

    def __call__(self, run: Run) -> Verb:
        """Return this verb with the function that runs it."""
        return replace(self, run=run)

    def add_to(self, commands: Any) -> None:
        """Add the verb, its options and the verbs below it to the sub-parsers of a parser."""
        kept = {"formatter_class": argparse.RawDescriptionHelpFormatter} if self.notes else {}
        parser = commands.add_parser(
            self.name,
            help=self.summary,
            description=self.description or f"{self.summary[0].upper()}{self.summary[1:]}.",
            epilog=self.notes
            or "\n".join(f"example: planar-arm {example}" for example in self.examples),
            **kept,
        )
        for add in self.options:
            add(parser)
        if self.run is not None:
            parser.set_defaults(run=self.run)
        if self.verbs:
            add_verbs(parser, self.verbs, self.title, required=self.run is None)


def add_verbs(
    parser: argparse.ArgumentParser, verbs: Sequence[Verb], title: str, required: bool
) -> None:
    """Add verbs to a parser under a title, ``commands`` with the placeholder ``COMMAND``."""
    commands = parser.add_subparsers(
        title=title, metavar=title.removesuffix("s").upper(), required=required
    )
    for verb in verbs:
        verb.add_to(commands)
