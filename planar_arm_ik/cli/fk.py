"""``planar-arm fk Q1 Q2``: where the tip is."""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any

from planar_arm_ik.cli.common import (
    add_arm,
    add_degrees,
    add_json,
    angle,
    description_of,
    print_json,
)


def register(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "fk",
        help="tip position for joint angles",
        description="Forward kinematics: tip, elbow, Jacobian and its singular values.",
        epilog="example: planar-arm fk 30 60 --degrees",
    )
    parser.add_argument("q1", type=float, help="link 1 against base x")
    parser.add_argument("q2", type=float, help="link 2 against link 1")
    for add in (add_degrees, add_json, add_arm):
        add(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compute and print."""
    arm = description_of(arguments).arm
    q = [angle(value, arguments.degrees) for value in (arguments.q1, arguments.q2)]
    for value, joint in zip(q, arm.joints, strict=True):
        if not joint.continuous and abs(value) > 2.0 * math.pi and not arguments.degrees:
            print(
                f"planar-arm: warning: {value:g} rad is more than a turn; degrees? use --degrees",
                file=sys.stderr,
            )
    tip, elbow = arm.forward(q), arm.elbow(q)
    sigma_max, sigma_min = map(float, arm.singular_values(q))
    if arguments.json:
        print_json(
            {
                "tip": tip.tolist(),
                "elbow": elbow.tolist(),
                "jacobian": arm.jacobian(q).tolist(),
                "sigma_max": sigma_max,
                "sigma_min": sigma_min,
            }
        )
    else:
        print(f"tip    x {tip[0]: .6f}  y {tip[1]: .6f} m")
        print(f"elbow  x {elbow[0]: .6f}  y {elbow[1]: .6f} m")
        print(f"sigma  max {sigma_max:.6f}  min {sigma_min:.6f} m/rad")
    return 0
