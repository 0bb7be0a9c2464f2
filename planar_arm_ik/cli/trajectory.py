"""``planar-arm trajectory``: the tip's path when the joints follow formulas of time."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.chains.expressions import evaluate
from planar_arm_ik.cli import options
from planar_arm_ik.cli.output import angle_unit, fixed, print_json, shown
from planar_arm_ik.cli.verb import Verb, option
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.figures.examples import tip_path

#: Links of the worked example [m].
_EXAMPLE = 0.35
_MOST_SAMPLES = 1_000_000


@Verb(
    "trajectory",
    "tip path for joint angles given as formulas of time",
    "Tip path of q1(t), q2(t). The laws know + - * / **, pi, e, sin, cos, tan, arcsin, "
    "arccos, arctan, sqrt, exp, log, abs. Without options: q1 = cos t, q2 = sin t over "
    "one turn, links of 0.35 m.",
    examples=[
        "trajectory",
        "trajectory --q1 '0.5*t' --q2 'pi/2*sin(t)' --l1 0.5 --l2 0.4",
        "trajectory --samples 200 --plot path.svg",
    ],
    options=[
        option("--q1", default="cos(t)", metavar="LAW", help="q1(t) (default: %(default)s)"),
        option("--q2", default="sin(t)", metavar="LAW", help="q2(t) (default: %(default)s)"),
        option("--l1", type=float, metavar="M", help="length of link 1 [m]"),
        option("--l2", type=float, metavar="M", help="length of link 2 [m]"),
        option(
            "--end", default="2*pi", metavar="T", help="last time [s], a formula (default: 2*pi)"
        ),
        option("--samples", type=int, default=9, metavar="N", help="number of times (default: 9)"),
        *options.PLOT,
        options.DEGREES,
        options.JSON,
        options.CONFIG,
    ],
)
def trajectory(arguments: argparse.Namespace) -> int:
    """Evaluate the laws and print a table."""
    if not 2 <= arguments.samples <= _MOST_SAMPLES:
        raise PlanarArmError(f"--samples {arguments.samples} must be 2 to {_MOST_SAMPLES}")
    arm = _arm(arguments)
    law1, law2 = (_in_radians(law, arguments.degrees) for law in (arguments.q1, arguments.q2))
    end = float(evaluate(arguments.end))
    times, q, tip = tip_path(arm, law1, law2, np.linspace(0.0, end, arguments.samples))
    document: dict[str, Any] = {
        "link_lengths": [arm.l1, arm.l2],
        "angle_unit": angle_unit(arguments.degrees),
        "t": times.tolist(),
        "q": shown(q, arguments.degrees),
        "tip": tip.tolist(),
    }
    if arguments.plot:
        from planar_arm_ik.figures.curves import tip_path_figure

        document["plot"] = options.plot(
            arguments, lambda theme: tip_path_figure(arm, theme, law1, law2, end)
        )
    if arguments.json:
        print_json(document)
    else:
        for line in _lines(document):
            print(line)
    return 0


def _lines(document: dict[str, Any]) -> Iterator[str]:
    """Write the table for a reader."""
    unit = document["angle_unit"]
    yield f"{'t [s]':>12}{f'q1 [{unit}]':>14}{f'q2 [{unit}]':>14}{'x [m]':>14}{'y [m]':>14}"
    for t, joints, point in zip(document["t"], document["q"], document["tip"], strict=True):
        row = "".join(fixed(value, 14, 9) for value in (*joints, *point))
        yield fixed(t, 12, 6) + row
    if "plot" in document:
        yield f"wrote {document['plot']}"


def _in_radians(law: str, degrees: bool) -> str:
    """Return the law of an angle in radians; a mistake is named in the user's own words."""
    if not degrees:
        return law.strip()
    evaluate(law, 1.0)
    return f"({law.strip()})*pi/180"


def _arm(arguments: argparse.Namespace) -> PlanarArm:
    """Take the links from the options, then from --config, then from the worked example."""
    l1, l2 = _EXAMPLE, _EXAMPLE
    if arguments.config is not None:
        arm = options.description_of(arguments).arm
        l1, l2 = arm.l1, arm.l2
    return PlanarArm(
        l1 if arguments.l1 is None else arguments.l1,
        l2 if arguments.l2 is None else arguments.l2,
    )
