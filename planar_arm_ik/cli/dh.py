"""``planar-arm dh TABLE Q...``: serial chains from Denavit-Hartenberg tables."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from glob import glob
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.chains.chain import DhChain
from planar_arm_ik.chains.rows import LENGTH_UNITS
from planar_arm_ik.chains.tables import load_table, shipped_tables
from planar_arm_ik.cli.options import DEGREES, JSON, PLOT, angle, plot
from planar_arm_ik.cli.output import angle_unit, fixed, print_json, shown
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.errors import PlanarArmError


def _tables(prefix: str, **_: Any) -> list[str]:
    """Complete TABLE in a shell: shipped names and files."""
    return [*shipped_tables(), *glob(f"{prefix}*")]


@Verb(
    "dh",
    "pose of a chain given by a Denavit-Hartenberg table",
    "Pose, frames and Jacobian of a serial chain; without Q, its table. TABLE is a YAML, "
    f"JSON or CSV file, or one of {', '.join(shipped_tables())}.",
    examples=[
        "dh rr 30 60 --degrees --frames",
        "dh scara 0.5 -0.3 0.155 --json",
        "dh abb_irb_140 --symbolic",
    ],
    options=[
        option(
            "table", metavar="TABLE", help="file, or name of a shipped table", completer=_tables
        ),
        option(
            "q",
            metavar="Q",
            type=float,
            nargs="*",
            help="joint variables: angles, and lengths in the table's unit where a joint slides",
        ),
        option("--frames", action="store_true", help="print every frame of the chain"),
        option("--jacobian", action="store_true", help="print the geometric Jacobian"),
        option(
            "--symbolic", action="store_true", help="print every A_i and T as formulas (SymPy)"
        ),
        option(
            "--unit", choices=tuple(LENGTH_UNITS), help="length unit to use instead of the table's"
        ),
        option(
            "--convention",
            choices=("standard", "modified"),
            help="read the table so, whatever it says; modified is Craig's",
        ),
        *PLOT,
        DEGREES,
        JSON,
    ],
)
def dh(arguments: argparse.Namespace) -> int:
    """Load the table, compute and print what was asked for."""
    chain = load_table(arguments.table)
    if arguments.convention:
        modified = arguments.convention == "modified"
        chain = replace(chain, rows=[replace(row, modified=modified) for row in chain.rows])
    if arguments.unit:
        chain = chain.in_unit(arguments.unit)
    document = _table(chain, arguments.degrees)
    if arguments.symbolic:
        document["formulas"] = _formulas(chain)
    if arguments.q:
        q = _variables(chain, arguments.q, arguments.degrees)
        document |= {
            "q": arguments.q,
            "pose": chain.forward(q).tolist(),
            "frames": chain.frames(q).tolist(),
            "jacobian": chain.jacobian(q).tolist(),
        }
        if arguments.plot:
            from planar_arm_ik.figures.arms import skeleton

            document["plot"] = plot(arguments, lambda theme: skeleton(chain, q, theme))
    elif arguments.frames or arguments.jacobian or arguments.plot:
        raise PlanarArmError(f"{chain.name} needs {len(chain)} joint variables for a pose")
    if arguments.json:
        print_json(document)
    else:
        _print(arguments, chain, document)
    return 0


def _variables(chain: DhChain, values: Sequence[float], degrees: bool) -> list[float]:
    """Bring the user's joint variables into radians, those of sliding joints as they are."""
    if len(values) != len(chain):
        raise PlanarArmError(f"{chain.name} needs {len(chain)} joint variables, got {len(values)}")
    return [
        angle(value, degrees) if row.revolute else value
        for row, value in zip(chain.rows, values, strict=True)
    ]


def _table(chain: DhChain, degrees: bool) -> dict[str, Any]:
    """Describe the chain and its rows, angles in the user's unit."""
    rows = [
        {
            "joint": row.joint,
            "a": row.a,
            "alpha": shown(row.alpha, degrees),
            "d": row.d,
            "theta": shown(row.theta, degrees),
            "offset": shown(row.offset, degrees) if row.revolute else row.offset,
        }
        for row in chain.rows
    ]
    unit = angle_unit(degrees)
    return {"name": chain.name, "length_unit": chain.length_unit, "angle_unit": unit, "rows": rows}


def _formulas(chain: DhChain) -> dict[str, Any]:
    """Return A_i and T as rows of formulas."""
    from planar_arm_ik.chains.symbolic import forward_matrix, row_matrix

    matrices = {f"A{i}": row_matrix(row, i) for i, row in enumerate(chain.rows, 1)}
    matrices["T"] = forward_matrix(chain)
    return {
        name: [[str(entry) for entry in row] for row in matrix.tolist()]
        for name, matrix in matrices.items()
    }


def _print(arguments: argparse.Namespace, chain: DhChain, document: dict[str, Any]) -> None:
    """Print for a reader."""
    length, angle_unit = document["length_unit"], document["angle_unit"]
    print(
        f"{chain.name}: {len(chain)} joints, lengths in {length}, angles in {angle_unit}"
        f"{_convention(chain)}"
    )
    if arguments.symbolic:
        from planar_arm_ik.chains.symbolic import print_chain

        print(f"\n{print_chain(chain)}")
    if not arguments.q:
        if not arguments.symbolic:
            _print_rows(document["rows"])
        return
    if arguments.frames:
        for i, frame in enumerate(document["frames"]):
            _print_matrix(f"T{i}", np.array(frame))
    else:
        _print_matrix("T", np.array(document["pose"]))
    if arguments.jacobian:
        _print_matrix("J", np.array(document["jacobian"]))
    if arguments.plot:
        print(f"\nwrote {document['plot']}")


def _convention(chain: DhChain) -> str:
    """Say that a table is read in Craig's convention."""
    return ", modified convention (Craig)" if any(row.modified for row in chain.rows) else ""


def _print_rows(rows: Sequence[dict[str, Any]]) -> None:
    names = ("a", "alpha", "d", "theta", "offset")
    print("joint" + "".join(f"{name:>12}" for name in names))
    for row in rows:
        print(f"{row['joint']:5}" + "".join(f"{row[name]:12.6g}" for name in names))


def _print_matrix(name: str, matrix: Array) -> None:
    print(f"\n{name} =")
    for row in matrix:
        print("  " + "".join(fixed(value, 14, 6) for value in row))
