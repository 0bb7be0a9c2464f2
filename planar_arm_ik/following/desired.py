r"""Joint speeds a tip velocity asks for, near and in the singularities, before any other limit.

With J = U diag(sigma1, sigma2) V^T (:mod:`.singular`), c1 = u1.v, c2 = u2.v, sig = |sigma2|:

    x = c1 G(sigma1) v1 + s c2 g v2,    G(sigma) = sigma / (sigma^2 + lambda^2)

where s is the elbow's branch and g = G(sig) where the lost part c2 u2 leads out of the ring, which
is damped least squares (Nakamura and Hanafusa 1986, Wampler 1986), and g = G(eps) where it leads
back in: the speed it had at eps, so that a straight or folded arm bends its elbow at once. In
between the two are blended by the angle. The law `threshold` has lambda = 0 for sig >= eps and for
sigma1 everywhere, and lambda^2 = lambda_max^2 (1 - sig^2 / eps^2) below (Maciejewski and Klein
1988); with lambda_max = eps this makes G(sig) = sig / eps^2. `constant` damps both everywhere.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from planar_arm_ik.arm.angles import nearest_turn
from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.arm.singular import Decomposition, metric_of
from planar_arm_ik.following.braking import JointBounds, braking_speed
from planar_arm_ik.inverse.branches import branch_of

#: A hole smaller than this part of link 2 is none: the links are equal.
_NO_HOLE = 1e-9

#: A shoulder speed below this part of the fastest does not tell which way to turn.
_UNDECIDED = 1e-9


#: A measured elbow this little [rad] beyond stretch or fold does not change the branch in use.
EDGE_TOLERANCE = 0.01


class Law(NamedTuple):
    """How the inverse is damped.

    Args:
        eps: sigma_min below which the lost direction is treated as such [m/rad].
        damping: lambda of `constant`, lambda_max of `threshold` [m/rad].
        constant: damp both directions everywhere instead of the lost one below eps.
        hole: l1 - l2 [m]: its size is the inner radius of the ring, and its sign tells on which
            side of the base the folded tip lies.
        l2: length of link 2 [m].
        back: G(eps), the gain of what leads back into the ring [rad/m].
    """

    eps: float
    damping: float
    constant: bool
    hole: float
    l2: float
    back: float

    @classmethod
    def of(cls, arm: PlanarArm, eps: float, damping: float, constant: bool) -> Law:
        """Return the law for an arm."""
        square = damping * damping if constant else 0.0
        back = eps / (eps * eps + square)
        return cls(eps, damping, constant, arm.l1 - arm.l2, arm.l2, back)


class Elbow(NamedTuple):
    """The half turn the elbow stays in, and its joint's limits cut down to it.

    Args:
        branch: +1 or -1, the sign of sin q2 inside it.
        lower: its lower edge [rad], stretched for branch +1, folded for -1.
        upper: its upper edge [rad].
        bounds: limits of the elbow joint, inside these edges.
    """

    branch: int
    lower: float
    upper: float
    bounds: JointBounds

    @classmethod
    def of(cls, branch: int, q2: float, joint2: JointBounds) -> Elbow:
        """Return the half turn of `branch` nearest to q2 [rad] for an elbow with these limits."""
        middle = nearest_turn(branch * 0.5 * math.pi, q2)
        lower, upper = middle - 0.5 * math.pi, middle + 0.5 * math.pi
        return cls(branch, lower, upper, joint2.within(lower, upper))


def elbow_at(q2: float, joint2: JointBounds, used: int, preferred: int) -> Elbow:
    """Choose the half turn of a measured elbow.

    Args:
        q2: measured elbow angle [rad].
        joint2: limits of the elbow.
        used: branch in use until now, or 0; a measured angle just beyond its edge is noise.
        preferred: branch when exactly straight or folded.

    Returns:
        The half turn; the other one when this has no room within the limits.
    """
    branch = used
    if used:
        edges = Elbow.of(used, q2, joint2)
        if not edges.lower - EDGE_TOLERANCE <= q2 <= edges.upper + EDGE_TOLERANCE:
            branch = -used
    else:
        branch = int(branch_of(q2)) or preferred
    elbow = Elbow.of(branch, q2, joint2)
    room = elbow.bounds.upper - elbow.bounds.lower
    return elbow if room > EDGE_TOLERANCE else Elbow.of(-branch, q2, joint2)


#: (x1, x2, damping, escaping, at_edge): joint speeds [rad/s]; lambda in the lost direction
#: [m/rad]; whether part of the speed gets the arm out of the singularity; whether the edge of the
#: ring takes part of the elbow's speed.
Desired = tuple[float, float, float, bool, bool]


def desired_speeds(
    law: Law,
    now: Decomposition,
    elbow: Elbow,
    q2: float,
    velocity: tuple[float, float],
    horizon: float,
) -> Desired:
    """Joint speeds for a tip velocity, kept on the elbow's side of the ring.

    Step *desired speeds* of docs/follower.md, with its fence.

    Args:
        law: the damping law.
        now: decomposition of the Jacobian at the pose.
        elbow: the half turn the elbow stays in.
        q2: elbow angle [rad].
        velocity: wanted tip velocity [m/s], base frame.
        horizon: time until the next chance to brake [s].

    Returns:
        The desired speeds, with |x| <= |v| / eps under the default damping.
    """
    vx, vy = velocity
    _, _, _, _, ux, uy, cos_t, sin_t, sigma1, sigma2 = now
    c1 = ux * vx + uy * vy
    c2 = ux * vy - uy * vx
    if law.constant:
        along1 = c1 * sigma1 / (sigma1 * sigma1 + law.damping * law.damping)
    else:
        along1 = c1 / sigma1
        if abs(sigma2) >= law.eps:
            along2 = c2 / sigma2
            x1, x2 = along1 * cos_t - along2 * sin_t, along1 * sin_t + along2 * cos_t
            return x1, x2, 0.0, False, False
    gain, damping, escaping = _lost_gain(law, now, q2, c2)
    branch, lower, upper, bounds = elbow
    along2 = branch * gain * c2
    x1, x2 = along1 * cos_t - along2 * sin_t, along1 * sin_t + along2 * cos_t
    if abs(sigma2) >= law.eps:
        return x1, x2, damping, False, False
    wall = braking_speed(upper - q2 if x2 > 0.0 else q2 - lower, bounds.acceleration, horizon)
    if abs(x2) <= wall:
        return x1, x2, damping, escaping, False
    wall = math.copysign(wall, x2)
    return _slid(law, now, elbow, q2, (x1, x2, wall), math.hypot(vx, vy) / law.eps, damping)


def _lost_gain(law: Law, now: Decomposition, q2: float, c2: float) -> tuple[float, float, bool]:
    """Gain in the lost direction [rad/m], its damping [m/rad], and whether it escapes."""
    eps, damping, constant, _, _, back = law
    sigma = abs(now[9])
    if not constant:
        part = sigma / eps
        damping *= math.sqrt(1.0 - part * part)
    outward = sigma / (sigma * sigma + damping * damping) if sigma else 0.0
    if sigma >= eps:
        return outward, damping, False
    weight = _outwardness(law, now, q2, c2)
    return (1.0 - weight) * back + weight * outward, damping, c2 != 0.0 and weight < 0.5


def _outwardness(law: Law, now: Decomposition, q2: float, c2: float) -> float:
    """Cosine between the lost part c2 u2 and the way out of the ring, 0 where it leads back.

    Out is away from the base at stretch, and toward it at the fold, where equal links leave no
    hole to lead into.
    """
    stretched = math.cos(q2) > 0.0
    if c2 == 0.0 or (not stretched and abs(law.hole) <= _NO_HOLE * law.l2):
        return 0.0
    # The tip is (j1y, -j1x) and u2 = (-uy, ux).
    j1x, j1y, _, _, ux, uy, _, _, _, _ = now
    outward = -(uy * j1y + ux * j1x)
    if (c2 > 0.0) != stretched:
        outward = -outward
    if outward <= 0.0:
        return 0.0
    weight = outward / math.sqrt(j1x * j1x + j1y * j1y)
    return weight if stretched else weight * min(1.0, abs(law.hole) / law.eps)


def _slid(
    law: Law,
    now: Decomposition,
    elbow: Elbow,
    q2: float,
    speeds: tuple[float, float, float],
    fastest: float,
    damping: float,
) -> Desired:
    """Hold the elbow at its wall speed and let the shoulder make up for it along the edge.

    The shoulder takes over what the elbow may not do, as far as its own tip velocity J1 can. At
    a fold with (nearly) no hole J1 vanishes; there the shoulder turns until the way off the fold
    points along the command.
    """
    x1, x2, wall = speeds
    lost = x2 - wall
    j1_squared, dot, _ = metric_of(now, 0.0)
    x1 += lost * dot / max(j1_squared, law.eps * law.eps)
    small = 1.0 - abs(law.hole) / law.eps
    turning = small > 0.0 and math.cos(q2) < 0.0
    if turning:
        turn = -elbow.branch if law.hole >= 0.0 else elbow.branch
        if abs(x1) > _UNDECIDED * fastest:
            turn = 1 if x1 > 0.0 else -1
        x1 += turn * small * abs(lost) * law.l2 / law.eps
    speed = math.hypot(x1, wall)
    if speed > fastest:
        x1, wall = x1 * fastest / speed, wall * fastest / speed
    return x1, wall, damping, turning, True
