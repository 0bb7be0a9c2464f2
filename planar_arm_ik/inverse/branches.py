"""Rules that choose between the two elbows of one target.

A rule chooses among usable candidates only; ties go to the positive branch. Nearest is not keep:
the nearest answer may lie on the other elbow, and l2 and linf disagree about it for one random
seed in ten.

Evaluates (8) and (9) of :mod:`planar_arm_ik.arm.ring`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.solution import IkCandidate
from planar_arm_ik.status import Branch

#: Joint distance of (dq1, dq2) [rad].
Distance = Callable[[float, float], float]

#: Costs closer than this, absolutely or relatively, are a tie: rounding must not choose the elbow.
TIE = 1e-12

#: A sine smaller than this is on neither branch.
STRAIGHT = 1e-12


class Rule(str, Enum):
    """Names of the rules (parameter ``branch_selection``, field ``rule``)."""

    NEAREST = "nearest"
    KEEP = "keep"
    POSITIVE = "positive"
    NEGATIVE = "negative"
    MIN_SHOULDER = "min_shoulder"
    LIMIT_MARGIN = "limit_margin"
    CLEARANCE = "clearance"

    @classmethod
    def parse(cls, name: str) -> Rule:
        """Return the rule called `name`.

        Raises:
            PlanarArmError: there is no such rule; the message lists them.
        """
        try:
            return cls(name)
        except ValueError:
            known = ", ".join(rule.value for rule in cls)
            raise PlanarArmError(f"rule {name!r} is unknown; choose one of {known}") from None


#: Names of the joint distances of `nearest`.
METRICS = ("l2", "l1", "linf")


def metric_distance(metric: str, weights: tuple[float, float]) -> Distance:
    """Joint distance (8) [rad, weighted]: the l1, l2 or linf norm of (w1 dq1, w2 dq2).

    Raises:
        PlanarArmError: the metric is unknown, or a weight is not finite and positive.
    """
    try:
        w1, w2 = float(weights[0]), float(weights[1])
    except (TypeError, ValueError, IndexError):
        raise PlanarArmError(f"weights {weights!r} must be two numbers") from None
    if len(weights) != 2 or not (0.0 < w1 < math.inf and 0.0 < w2 < math.inf):
        raise PlanarArmError(f"weights {weights!r} must be two finite, positive numbers")
    if metric == "l2" and w1 == w2 == 1.0:
        return lambda dq1, dq2: math.sqrt(dq1 * dq1 + dq2 * dq2)
    if metric == "l2":
        return lambda dq1, dq2: math.sqrt((w1 * dq1) * (w1 * dq1) + (w2 * dq2) * (w2 * dq2))
    if metric == "l1":
        return lambda dq1, dq2: abs(w1 * dq1) + abs(w2 * dq2)
    if metric == "linf":
        return lambda dq1, dq2: max(abs(w1 * dq1), abs(w2 * dq2))
    raise PlanarArmError(f"metric {metric!r} is unknown; choose one of {', '.join(METRICS)}")


def branch_of(q2: float) -> Branch:
    """Elbow branch of a pose: the sign of sin(q2), NONE when exactly straight or folded."""
    s = math.sin(q2)
    if abs(s) < STRAIGHT:
        return Branch.NONE
    return Branch.POSITIVE if s > 0.0 else Branch.NEGATIVE


# Looked up once: reading a member from its enumeration is slow in some Pythons.
_KEEP, _POSITIVE, _NEGATIVE = Rule.KEEP, Rule.POSITIVE, Rule.NEGATIVE
_MIN_SHOULDER, _LIMIT_MARGIN = Rule.MIN_SHOULDER, Rule.LIMIT_MARGIN
_CLEARANCE = Rule.CLEARANCE
_NONE, _ON_POSITIVE = Branch.NONE, Branch.POSITIVE


def wanted_branch(rule: Rule, seed_branch: Branch) -> Branch:
    """Return the one branch a rule insists on, NONE when it is free to choose.

    A seed exactly straight or folded is on neither branch, so `keep` is then free, too.
    """
    if rule is _POSITIVE:
        return Branch.POSITIVE
    if rule is _NEGATIVE:
        return Branch.NEGATIVE
    return seed_branch if rule is _KEEP else _NONE


def costs_less(rule: Rule, second: IkCandidate, first: IkCandidate) -> bool:
    """Whether a free rule prefers the second candidate by more than a tie (9)."""
    if rule is _MIN_SHOULDER:
        return _is_less(abs(float(second.q[0])), abs(float(first.q[0])))
    if rule is _LIMIT_MARGIN:
        return _is_less(-second.limit_margin, -first.limit_margin)
    if rule is _CLEARANCE:
        return _is_less(-second.clearance, -first.clearance)
    a, b = second.distance, first.distance
    return a * a < b * b * (1.0 - 2.0 * TIE) - TIE * TIE  # a < b, and for arrays without a root


def _is_less(second: float, first: float) -> bool:
    return second < first - TIE - TIE * abs(first)


def choose(
    rule: Rule, positive: IkCandidate, negative: IkCandidate, wanted: Branch
) -> IkCandidate | None:
    """Apply a rule to both candidates of a target.

    Args:
        rule: the rule.
        positive: candidate of the positive branch.
        negative: candidate of the negative branch.
        wanted: the branch the rule insists on (:func:`wanted_branch`), or NONE.

    Returns:
        The chosen, usable candidate, or None when the rule finds none.
    """
    if wanted is not _NONE:
        candidate = positive if wanted is _ON_POSITIVE else negative
        return candidate if candidate.status >= 0 else None
    if positive.status < 0:
        return negative if negative.status >= 0 else None
    if negative.status < 0:
        return positive
    return negative if costs_less(rule, negative, positive) else positive
