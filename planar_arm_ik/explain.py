"""Sentences for refusals: cause, joint, wanted value, limit, missing metres, and what would do."""

from __future__ import annotations

import math

from planar_arm_ik.arm import PlanarArm
from planar_arm_ik.solution import IkCandidate
from planar_arm_ik.status import Branch, IkStatus


def out_of_reach(arm: PlanarArm, r: float) -> str:
    """Say by how much a target at radius `r` [m] misses the ring."""
    if r > arm.outer_radius:
        return (
            f"the target is {r:.6g} m from the shoulder, {r - arm.outer_radius:.6g} m beyond "
            f"the reach of {arm.outer_radius:.6g} m"
        )
    return (
        f"the target is {r:.6g} m from the shoulder, {arm.inner_radius - r:.6g} m inside the "
        f"hole of radius {arm.inner_radius:.6g} m"
    )


def candidate_refusal(arm: PlanarArm, candidate: IkCandidate, max_joint_step: float) -> str:
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
        return f"the {name} branch needs a joint step above {_angle(max_joint_step)}"
    return f"the {name} branch is not usable ({candidate.status.name})"


def no_choice(
    arm: PlanarArm,
    positive: IkCandidate,
    negative: IkCandidate,
    wanted: Branch,
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
        else candidate_refusal(arm, second, max_joint_step)
    )
    return f"{candidate_refusal(arm, first, max_joint_step)}; {other}"


def singular(sigma_min: float, threshold: float) -> str:
    """Say how close to a singularity an answer is."""
    return (
        f"close to a singularity: sigma_min {sigma_min:.3g} m/rad is below the threshold of "
        f"{threshold:.3g} m/rad; small tip motions can ask for fast joints"
    )


def _angle(value: float) -> str:
    return f"{value:.6g} rad ({math.degrees(value):.2f} deg)"
