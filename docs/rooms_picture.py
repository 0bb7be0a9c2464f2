"""Picture and table of the rooms, from the contract of imports and the rooms' own words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib  # type: ignore[no-redef]

ROOT = Path(__file__).resolve().parents[1]


def floors() -> dict[str, list[list[str]]]:
    """Give the floors of every contract of layers: container -> floors, the highest first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    return {
        contract["containers"][0]: [
            [room.strip() for room in floor.split("|")] for floor in contract["layers"]
        ]
        for contract in contracts
        if contract["type"] == "layers"
    }


def picture() -> str:
    """Draw the house as a Mermaid flow chart: a box a floor, rooms that hold rooms opened up."""
    lines = ["flowchart TB", *_floors_of("planar_arm_ik", floors(), "  ")]
    return "```mermaid\n" + "\n".join(lines) + "\n```\n"


def _floors_of(container: str, house: dict[str, list[list[str]]], indent: str) -> Iterator[str]:
    """Draw the floors of one container and the arrows from each floor to the next."""
    names = []
    own = container.rpartition(".")[2]
    for number, floor in enumerate(house[container]):
        rooms = [room for room in floor if room != "__main__"]
        if not rooms:
            continue
        names.append(f"{own}{number}")
        yield f'{indent}subgraph {names[-1]}[" "]'
        for room in rooms:
            if f"{container}.{room}" in house:
                yield f"{indent}  subgraph {room}"
                yield from _floors_of(f"{container}.{room}", house, indent + "    ")
                yield f"{indent}  end"
            else:
                yield f"{indent}  {own}_{room}[{room}]"
        yield f"{indent}end"
    yield from (f"{indent}{upper} --> {lower}" for upper, lower in pairwise(names))


def table() -> str:
    """Tabulate what each room is for, what it may import and where to begin, in its own words."""
    rows = ["| room | for | may import, and where to begin |", "| --- | --- | --- |"]
    for init in sorted((ROOT / "planar_arm_ik").rglob("__init__.py")):
        room = init.parent.relative_to(ROOT / "planar_arm_ik").as_posix()
        text = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
        purpose, _, rest = (" ".join(part.split()) for part in text.partition("\n\n"))
        if room != ".":
            rows.append(f"| `{room}/` | {purpose} | {rest} |".replace("``", "`"))
    return "\n".join(rows) + "\n"
