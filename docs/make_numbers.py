"""Fill the generated parts of the documents, so that no result in them is typed by hand.

A document marks a part with ``<!-- run: planar-arm ... -->`` (the command and what it prints) or
``<!-- numbers: NAME -->`` (a table or picture made here) or ``<!-- saved: FILE -->`` (what a
benchmark printed into docs/benchmarks), each closed by ``<!-- end -->``.

    python docs/make_numbers.py            rewrite the parts, and the figures
    python docs/make_numbers.py --check    change nothing; end with 1 if a part is out of date
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import os
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from planar_arm_ik import load_arm
from planar_arm_ik.cli import main as planar_arm
from planar_arm_ik.figures import draw, examples
from planar_arm_ik.figures.curves import arc_radius
from planar_arm_ik.figures.examples_velocity import (
    DAMPINGS,
    run_damped,
    run_follower,
    step_near_stretch,
)
from planar_arm_ik.status import Branch

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))
import rooms_picture  # noqa: E402

ROOT = DOCS.parent
ARM = load_arm(ROOT / "config" / "arm.yaml")

_PART = re.compile(r"(<!-- (run|numbers|saved): (.*?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def workspace_numbers() -> str:
    """Tabulate radii and the largest sigma_min of the shipped arm."""
    rows = [
        ["l1, l2", f"{ARM.l1:g} m, {ARM.l2:g} m"],
        ["outer radius l1 + l2", f"{ARM.outer_radius:.4g} m"],
        ["inner radius abs(l1 - l2)", f"{ARM.inner_radius:.4g} m"],
        ["largest sigma_min", f"{ARM.largest_sigma_min:.6f} m/rad"],
        ["default singular threshold", f"{ARM.singular_threshold:.6f} m/rad"],
    ]
    return table(["quantity", "value"], rows)


def arc_numbers() -> str:
    """Tabulate the largest joint step along the worked arc under two rules."""
    targets = examples.arc(arc_radius(ARM), examples.arc_directions())
    rows = []
    for rule in ("min_shoulder", "nearest"):
        plan = examples.follow(ARM, targets, rule)
        steps = np.degrees(np.abs(np.diff(plan.q, axis=0)))
        switches = np.flatnonzero(np.diff(plan.branches))
        where = ", ".join(f"{i} and {i + 1}" for i in switches) or "nowhere"
        rows.append([f"`{rule}`", *(f"{step:.3f}" for step in steps.max(axis=0)), where])
    return table(["rule", "largest step of q1 [deg]", "of q2 [deg]", "switches between"], rows)


def jump_numbers() -> str:
    """Tabulate the joint step across the axis for smaller and smaller steps of the tip."""
    rows = []
    for half in (0.05, 0.005, 0.0005, 0.00005):
        distance, jump = examples.jump(ARM, arc_radius(ARM), half, "min_shoulder")
        _, kept = examples.jump(ARM, arc_radius(ARM), half, "nearest")
        cells = [f"{1e3 * distance:.3f}", *(f"{math.degrees(step):.3f}" for step in jump)]
        rows.append([*cells, f"{math.degrees(kept[0]):.4f}"])
    header = [
        "step of the tip [mm]",
        "`min_shoulder`: q1 [deg]",
        "q2 [deg]",
        "`nearest`: q1 [deg]",
    ]
    return table(header, rows)


def damping_numbers() -> str:
    """Tabulate joint speed and residual near stretch."""
    rows = []
    for q2_deg in (30.0, 10.0, 1.0, 0.1, 0.0):
        cells = [f"{q2_deg:g}", f"{step_near_stretch(q2_deg, 0.0).sigma_min:.6f}"]
        for damping in DAMPINGS:
            step = step_near_stretch(q2_deg, damping)
            speed, residual = (math.hypot(*v) + 0.0 for v in (step.joint_velocity, step.residual))
            cells.append(f"{speed:.5f}, {1e3 * (residual if residual > 1e-12 else 0.0):.4f}")
        rows.append(cells)
    names = ["pseudoinverse" if not d else f"lambda = {d:g} m/rad" for d in DAMPINGS]
    return table(["q2 [deg]", "sigma_min [m/rad]", *names], rows)


def follower_numbers() -> str:
    """Tabulate what three laws do with 0.05 m/s straight back from stretch."""
    inward = -0.05 * np.array((math.cos(0.3), math.sin(0.3)))
    rows = []
    for name, run in (
        ("follower", lambda q2, time: run_follower(ARM, (0.3, q2), inward, time)),
        ("lambda = 0.05 m/rad", lambda q2, time: run_damped(ARM, (0.3, q2), inward, 0.05, time)),
        ("pseudoinverse", lambda q2, time: run_damped(ARM, (0.3, q2), inward, 0.0, time, 1e-4)),
    ):
        straight = ARM.forward(run(0.0, 1.0).q)
        way = 1e3 * math.hypot(*(straight[-1] - straight[0]))
        fastest = np.abs(run(0.01, 0.5).joint_velocity).max()
        rows.append([name, f"{way:.1f}", f"{fastest:.2f}"])
    header = ["law", "way of the tip after 1 s from q2 = 0 [mm]"]
    return table([*header, "fastest joint from q2 = 0.01 rad [rad/s]"], rows)


def branch_numbers() -> str:
    """Tabulate both postures for the target straight ahead."""
    from planar_arm_ik import solve

    answer = solve(ARM, (arc_radius(ARM), 0.0))
    rows = []
    for candidate in answer.candidates:
        q1, q2 = np.degrees(candidate.q)
        name = Branch(candidate.branch).name.lower()
        rows.append([f"`{name}`", f"{q1:.6f}", f"{q2:.6f}"])
    return table(["branch", "q1 [deg]", "q2 [deg]"], rows)


NUMBERS: dict[str, Callable[[], str]] = {
    "workspace": workspace_numbers,
    "branches": branch_numbers,
    "arc": arc_numbers,
    "jump": jump_numbers,
    "damping": damping_numbers,
    "follower": follower_numbers,
    "rooms-picture": rooms_picture.picture,
    "rooms": rooms_picture.table,
}


def run_command(line: str) -> str:
    """Run one planar-arm command in this process; returns it and its output as a code block."""
    output = io.StringIO()
    # A mistake ends with SystemExit; its sentence is in the output.
    quiet = contextlib.suppress(SystemExit)
    with quiet, contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        planar_arm(shlex.split(line)[1:])
    return f"```\n$ {line}\n{output.getvalue()}```\n"


def filled(text: str) -> str:
    """Return a document with every generated part made anew."""
    makers: dict[str, Callable[[str], str]] = {
        "run": run_command,
        "numbers": lambda name: NUMBERS[name](),
        "saved": lambda name: f"```\n{(DOCS / 'benchmarks' / name).read_text()}```\n",
    }

    def make(match: re.Match[str]) -> str:
        opening, kind, what, _, end = match.groups()
        return opening + makers[kind](what) + end

    return _PART.sub(make, text)


def main() -> int:
    """Rewrite or check every document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, only compare")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    stale = []
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        new = filled(text)
        if new != text:
            stale.append(path.name)
            if not arguments.check:
                path.write_text(new, encoding="utf-8")
    if arguments.check:
        print(f"out of date: {', '.join(stale)}" if stale else "all documents are up to date")
        return 1 if stale else 0
    for _ in draw(DOCS / "figures", ARM, formats=["svg"]):
        pass
    print(f"rewrote {', '.join(stale) or 'nothing'} and the figures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
