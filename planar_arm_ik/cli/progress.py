"""Progress bars on long work (rich), shown only where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def progress(items: Iterable[Item], total: int, description: str) -> Iterator[Item]:
    """Pass items through and show on standard error how far they are.

    Args:
        items: what is worked through.
        total: how many there will be.
        description: what stands before the bar.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description, total=total, console=Console(stderr=True), transient=True)
