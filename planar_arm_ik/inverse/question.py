"""A question: the options of :func:`planar_arm_ik.solve`, checked, with the arm they are for.

Target and seed change with every call; the rule, the distance and the tolerances seldom do. They
are checked and turned into constants once, and the result is kept with the arm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.arm.ring import Ring, ring_of
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.branches import Distance, Rule, metric_distance

#: Questions kept with an arm.
_KEPT = 64

#: Two numbers: a point (x, y) [m], angles (q1, q2) [rad], or bounds (lower, upper) [rad].
Pair = tuple[float, float]

#: Options as :func:`ask` takes them: rule, max_joint_step, metric, weights, singular_threshold
#: and boundary_tolerance.
Options = tuple[str, float, str, Pair, float | None, float]


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A rule, its distance and the tolerances, for one arm.

    Args:
        arm: the arm.
        ring: constants of the arm and the tolerances.
        rule: how to choose between the branches.
        metric: name of the joint distance.
        weights: weights of the joints in it.
        distance: the joint distance itself.
        max_joint_step: largest |q - seed| per joint [rad], inf for any.
        lengths_and_limits: (l1, l2), (lower, upper) of joint 1 and of joint 2, flat for speed.
    """

    arm: PlanarArm
    ring: Ring
    rule: Rule
    metric: str
    weights: tuple[float, float]
    distance: Distance
    max_joint_step: float
    lengths_and_limits: tuple[Pair, Pair, Pair]

    @property
    def needs_seed(self) -> str:
        """What of the question has no meaning without a seed, "" when nothing."""
        if self.rule is Rule.KEEP:
            return "rule keep"
        return "max_joint_step" if self.max_joint_step < math.inf else ""


def ask(
    arm: PlanarArm,
    rule: str,
    max_joint_step: float,
    metric: str,
    weights: tuple[float, float],
    singular_threshold: float | None,
    boundary_tolerance: float,
) -> Question:
    """Check the options of :func:`planar_arm_ik.solve`, or find them checked and kept already.

    Raises:
        PlanarArmError: an unknown rule or metric, or a number out of its range.
    """
    options = (rule, max_joint_step, metric, weights, singular_threshold, boundary_tolerance)
    try:
        question: Question | None = arm.derived.get(options)
    except TypeError:  # a list or an array as weights has no hash
        return _checked(arm, options)
    if question is None:
        question = _checked(arm, options)
        if len(arm.derived) >= _KEPT:
            arm.derived.clear()
        arm.derived[options] = question
    return question


def _checked(arm: PlanarArm, options: Options) -> Question:
    rule, max_joint_step, metric, weights, singular_threshold, boundary_tolerance = options
    if not max_joint_step > 0.0:
        raise PlanarArmError(f"max_joint_step {max_joint_step} rad must be greater than 0")
    joint1, joint2 = arm.joints
    return Question(
        arm=arm,
        ring=ring_of(arm, singular_threshold, boundary_tolerance),
        rule=Rule.parse(rule),
        metric=metric,
        weights=weights,
        distance=metric_distance(metric, weights),
        max_joint_step=float(max_joint_step),
        lengths_and_limits=(
            (arm.l1, arm.l2),
            (joint1.lower, joint1.upper),
            (joint2.lower, joint2.upper),
        ),
    )
