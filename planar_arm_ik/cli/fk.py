"""``planar-arm fk Q1 Q2``: where the tip is."""

from __future__ import annotations

import argparse
import math

from planar_arm_ik.cli.options import CONFIG, DEGREES, JSON, angles, description_of
from planar_arm_ik.cli.output import answer, complain
from planar_arm_ik.cli.verb import Verb, option


@Verb(
    "fk",
    "tip position for joint angles",
    "Forward kinematics: tip, elbow, Jacobian and its singular values.",
    examples=["fk 30 60 --degrees"],
    options=[
        option("q1", type=float, help="link 1 against base x"),
        option("q2", type=float, help="link 2 against link 1"),
        DEGREES,
        JSON,
        CONFIG,
    ],
)
def fk(arguments: argparse.Namespace) -> int:
    """Compute and print."""
    arm = description_of(arguments).arm
    q = angles((arguments.q1, arguments.q2), arguments.degrees)
    for value, joint in zip(q, arm.joints, strict=True):
        if not joint.continuous and abs(value) > 2.0 * math.pi and not arguments.degrees:
            complain(f"warning: {value:g} rad is more than a turn; degrees? use --degrees")
    tip, elbow = arm.forward(q), arm.elbow(q)
    sigma_max, sigma_min = map(float, arm.singular_values(q))
    document = {
        "tip": tip.tolist(),
        "elbow": elbow.tolist(),
        "jacobian": arm.jacobian(q).tolist(),
        "sigma_max": sigma_max,
        "sigma_min": sigma_min,
    }
    answer(
        arguments.json,
        document,
        f"tip    x {tip[0]: .6f}  y {tip[1]: .6f} m",
        f"elbow  x {elbow[0]: .6f}  y {elbow[1]: .6f} m",
        f"sigma  max {sigma_max:.6f}  min {sigma_min:.6f} m/rad",
    )
    return 0
