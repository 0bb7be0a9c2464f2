"""Types at the door: what a public function takes, and the sentence for whatever else it is given.

A function that is called often pays nothing for it: its arguments are looked at after it failed.
The others look first, since much that is wrong passes for something else on the way in.
"""

from __future__ import annotations

import functools
import inspect
import numbers
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from planar_arm_ik.errors import PlanarArmError

P = ParamSpec("P")
R = TypeVar("R")

#: What a wrong argument makes Python or NumPy raise.
MISTAKES = (TypeError, ValueError, AttributeError, LookupError)


class Kind(NamedTuple):
    """What an argument may be.

    Args:
        takes: the same in words, after "must be".
        fits: whether a value is of the kind.
    """

    takes: str
    fits: Callable[[Any], bool]


def require(name: str, value: Any, kind: Kind) -> None:
    """Refuse a value of the wrong kind.

    Args:
        name: what the caller knows it as.
        value: what was given.
        kind: what it must be.

    Raises:
        PlanarArmError: it is of another kind; the message names all three.
    """
    if not kind.fits(value):
        shape = getattr(value, "shape", None)
        text = f"an array of shape {shape}" if shape else " ".join(repr(value).split())
        shown = text if len(text) <= 60 else f"{text[:57]}..."
        got = type(value).__name__
        raise PlanarArmError(f"{name} must be {kind.takes}, got {shown} ({got})")


def require_each(kinds: Mapping[str, Kind], given: Mapping[str, Any]) -> None:
    """Refuse the first of the arguments given that does not fit its kind; others do not count."""
    for name, value in given.items():
        if name in kinds:
            require(name, value, kinds[name])


def takes(look_first: bool = True, **kinds: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare what a function takes.

    Args:
        look_first: False where every mistake makes the function fail anyhow.
        kinds: kind of each argument by name.
    """

    def declared(function: Callable[P, R]) -> Callable[P, R]:
        names = tuple(inspect.signature(function).parameters)

        def look(args: tuple[Any, ...], given: dict[str, Any]) -> None:
            require_each(kinds, {**dict(zip(names, args, strict=False)), **given})

        @functools.wraps(function)
        def checked(*args: P.args, **given: P.kwargs) -> R:
            if look_first:
                look(args, given)
            try:
                return function(*args, **given)
            except PlanarArmError:
                raise
            except MISTAKES:
                look(args, given)
                raise

        return checked

    return declared


def one_of(words: str, *names: str) -> Kind:
    """Instances of classes, by their names: the rooms above are not known here."""
    return Kind(words, lambda value: any(base.__name__ in names for base in type(value).__mro__))


def optional(kind: Kind) -> Kind:
    """The same, or None."""
    return Kind(f"{kind.takes}, or None", lambda value: value is None or kind.fits(value))


def shaped(words: str, *shape: int, least: int = 0) -> Kind:
    """Arrays of real numbers with these last axes, and at least so many axes.

    Args:
        words: how to say it.
        shape: length of each of the last axes.
        least: axes there must be; 0: as many as `shape`.
    """

    def fits(value: Any) -> bool:
        array = _real(value)
        if array is None or array.ndim < (least or len(shape)):
            return False
        return not shape or array.shape[-len(shape) :] == shape

    return Kind(words, fits)


def pair(words: str) -> Kind:
    """Two real numbers."""

    def fits(value: Any) -> bool:
        array = _real(value)
        return array is not None and array.shape == (2,)

    return Kind(words, fits)


def _are_flags(value: Any) -> bool:
    try:
        return np.asarray(value).dtype == np.bool_
    except (TypeError, ValueError):
        return False


def _real(value: Any) -> np.ndarray[Any, Any] | None:
    """Return the array of real numbers, or None when it is none."""
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return None
    return array if array.dtype.kind in "iuf" else None


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


ARM = one_of("a PlanarArm", "PlanarArm")
OBSTACLES = optional(one_of("Obstacles", "Obstacles"))
NUMBER = Kind("a number", _is_number)
WORD = Kind("a word", lambda value: isinstance(value, (str, Enum)))
FLAG = Kind("True or False", lambda value: isinstance(value, (bool, np.bool_)))
FLAGS = Kind("an array of True and False", _are_flags)
FILE = Kind("the path of a file", lambda value: isinstance(value, (str, Path)))
NUMBERS = shaped("numbers")
PAIR = pair("two numbers")
ROWS = shaped("numbers of shape (M, 2)", 2, least=2)
EVERY_ROW = shaped("numbers of shape (..., 2)", 2)
