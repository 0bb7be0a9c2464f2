"""``planar-arm batch FILE``: joint angles for every tip position of a file."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.batch.batch import choose_batch
from planar_arm_ik.batch.columns import IkChoice
from planar_arm_ik.cli import options
from planar_arm_ik.cli.output import angle_unit, shown
from planar_arm_ik.cli.progress import progress
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.paths.waypoints import load_waypoints
from planar_arm_ik.status import IkStatus

#: Targets solved and written at a time.
CHUNK = 65536


@Verb(
    "batch",
    "joint angles for every tip position of a file",
    "Solve every tip position of a file on its own and choose an elbow by a rule. Prints "
    "CSV: index, x, y, status, branch, q1, q2; with --json one object a line. The exit "
    "code is 0 only when every position has an answer.",
    examples=["batch targets.csv --seed 0.1 0.9 --output answers.csv"],
    options=[
        option("file", type=Path, help=".csv, .json or .npy with x, y [m] a row"),
        option("--output", type=Path, metavar="FILE", help="write there, not to stdout"),
        options.RULE,
        options.pose("--seed", "angles to stay near to, for all"),
        options.METRIC,
        options.DEGREES,
        options.JSON,
        options.CONFIG,
    ],
)
def batch(arguments: argparse.Namespace) -> int:
    """Solve and write chunk by chunk."""
    description, targets = options.description_of(arguments), _targets(arguments.file)
    seed = None
    if arguments.seed is not None:
        seed = options.angles(arguments.seed, arguments.degrees)
    failed = 0
    with _opened(arguments.output) as stream:
        if not arguments.json:
            unit = angle_unit(arguments.degrees)
            stream.write(f"index,x,y,status,branch,q1_{unit},q2_{unit}\n")
        for first, choice in _solved(description, targets, seed, arguments):
            failed += int(np.count_nonzero(choice.status < 0))
            part = targets[first : first + CHUNK]
            stream.writelines(_lines(first, part, choice, arguments))
    if failed:
        print(f"{failed} of {len(targets)} targets have no answer", file=sys.stderr)
    return 1 if failed else 0


def _solved(
    description: ArmDescription,
    targets: Array,
    seed: list[float] | None,
    arguments: argparse.Namespace,
) -> Iterator[tuple[int, IkChoice]]:
    starts = range(0, len(targets), CHUNK)
    for first in progress(starts, len(starts), "solving"):
        x, y = targets[first : first + CHUNK].T
        yield (
            first,
            choose_batch(
                description.arm,
                x,
                y,
                seed,
                arguments.rule,
                metric=arguments.metric,
                obstacles=description.obstacles,
            ),
        )


def _targets(path: Path) -> Array:
    if path.suffix.lower() != ".npy":
        return load_waypoints(path)
    try:
        targets = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise PlanarArmError(f"cannot read {path}: {error}") from None
    if targets.ndim != 2 or targets.shape[1] != 2 or targets.dtype.kind not in "fiu":
        raise PlanarArmError(f"{path} holds an array of shape {targets.shape}; the rule is (N, 2)")
    return np.asarray(targets, dtype=np.float64)


def _opened(path: Path | None) -> contextlib.AbstractContextManager[TextIO]:
    if path is None:
        return contextlib.nullcontext(sys.stdout)
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise PlanarArmError(f"cannot write {path}: {error.strerror or error}") from None


def _lines(
    first: int, targets: Array, choice: IkChoice, arguments: argparse.Namespace
) -> Iterator[str]:
    names = {int(status): status.name for status in IkStatus}
    branches = {1: "positive", -1: "negative", 0: "none"}
    rows = zip(
        targets.tolist(),
        choice.status.tolist(),
        choice.branch.tolist(),
        shown(choice.q, arguments.degrees),
        strict=True,
    )
    for index, ((x, y), status, branch, q) in enumerate(rows, first):
        if arguments.json:
            line: dict[str, Any] = {"index": index, "target": [x, y], "status": names[status]}
            line["branch"], line["q"] = branches[branch], q if status >= 0 else None
            yield json.dumps(line) + "\n"
        else:
            angles = f"{q[0]!r},{q[1]!r}" if status >= 0 else ","
            yield f"{index},{x!r},{y!r},{names[status]},{branches[branch]},{angles}\n"
