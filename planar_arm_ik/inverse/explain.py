"""Sentences for refusals: cause, joint, wanted value, limit, missing metres, and what would do."""

from __future__ import annotations

import math
from collections.abc import Sequence

from planar_arm_ik.arm.angles import TURN
from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.inverse.solution import IkCandidate
from planar_arm_ik.status import Branch, IkStatus

#: A target this many times out of proportion to the arm is in another unit, not just too far.
_SUSPICIOUS = 20.0

#: How many of a unit make a metre.
_UNITS = {"millimetres": 1e3, "centimetres": 1e2}


def out_of_reach(arm: PlanarArm, r: float) -> str:
    """Say by how much a target at radius `r` [m] misses the ring, and whether the unit is odd."""
    if r > arm.outer_radius:
        return (
            f"the target is {r:.6g} m from the shoulder, {r - arm.outer_radius:.6g} m beyond "
            f"the reach of {arm.outer_radius:.6g} m{_length_hint(arm, r)}"
        )
    return (
        f"the target is {r:.6g} m from the shoulder, {arm.inner_radius - r:.6g} m inside the "
        f"hole of radius {arm.inner_radius:.6g} m{_length_hint(arm, r)}"
    )


def _length_hint(arm: PlanarArm, r: float) -> str:
    ratio = r / arm.outer_radius
    for unit, factor in _UNITS.items():
        if ratio > _SUSPICIOUS and arm.inner_radius <= r / factor <= arm.outer_radius:
            return f"; it is {ratio:.3g} times the reach: metres expected, is it in {unit}?"
        if ratio < 1.0 / _SUSPICIOUS and arm.inner_radius <= r * factor <= arm.outer_radius:
            return (
                f"; the reach is {1.0 / ratio:.3g} times its distance: "
                f"are the link lengths in {unit}?"
            )
    return ""


def seed_hint(arm: PlanarArm, seed: Sequence[float]) -> str:
    """Say that a seed looks like degrees; empty when it does not.

    A joint with limits within a turn is never more than a turn away from 0.
    """
    q1, q2 = seed
    if abs(q1) <= TURN and abs(q2) <= TURN:
        return ""
    for name, value, limits in zip(("q1", "q2"), seed, arm.joints, strict=True):
        bound = max(abs(limits.lower), abs(limits.upper))
        if bound < TURN < abs(value) and abs(math.radians(value)) <= bound:
            return f"seed {name} = {value:.6g} rad is beyond its limits: is it in degrees?"
    return ""


def bad_seed(seed: Sequence[float], largest: float) -> str:
    """Say why a seed is refused."""
    return (
        f"seed ({seed[0]}, {seed[1]}) rad must be finite and within +-{largest:.0e} rad, where "
        "angles are still told apart"
    )


def candidate_refusal(
    arm: PlanarArm, candidate: IkCandidate, seed: Sequence[float], max_joint_step: float
) -> str:
    """Say why one branch is not usable."""
    name = candidate.branch.name.lower()
    if candidate.status is IkStatus.JOINT_LIMIT:
        index = 0 if candidate.limiting_joint == "joint1" else 1
        limits, wanted = arm.joints[index], float(candidate.q[index])
        limit = limits.lower if wanted < limits.lower else limits.upper
        return (
            f"the {name} branch wants {candidate.limiting_joint} = {_angle(wanted)}, beyond its "
            f"limit of {_angle(limit)}"
        )
    if candidate.status is IkStatus.JOINT_STEP:
        steps = [abs(float(q) - origin) for q, origin in zip(candidate.q, seed, strict=True)]
        index = 0 if steps[0] > steps[1] else 1
        return (
            f"the {name} branch needs a step of {_angle(steps[index])} of joint{index + 1}, more "
            f"than max_joint_step = {_angle(max_joint_step)}"
        )
    if candidate.status is IkStatus.COLLISION:
        return (
            f"the {name} branch touches the keep-out shape {candidate.obstacle!r}, "
            f"{-candidate.clearance:.4g} m deep"
        )
    return f"the {name} branch is not usable ({candidate.status.name})"


def no_choice(
    arm: PlanarArm,
    positive: IkCandidate,
    negative: IkCandidate,
    wanted: Branch,
    seed: Sequence[float],
    max_joint_step: float,
) -> str:
    """Say why a rule found nothing, and whether the other branch would do."""
    if wanted is Branch.NONE:
        first, second = positive, negative
    else:
        first, second = (positive, negative) if wanted is Branch.POSITIVE else (negative, positive)
    other = (
        f"the {second.branch.name.lower()} branch would do"
        if second.usable
        else candidate_refusal(arm, second, seed, max_joint_step)
    )
    return f"{candidate_refusal(arm, first, seed, max_joint_step)}; {other}"


def singular(sigma_min: float, threshold: float) -> str:
    """Say how close to a singularity an answer is."""
    return (
        f"close to a singularity: sigma_min {sigma_min:.3g} m/rad is below the threshold of "
        f"{threshold:.3g} m/rad; small tip motions can ask for fast joints"
    )


def _angle(value: float) -> str:
    return f"{value:.6g} rad ({math.degrees(value):.2f} deg)"
