r"""Geometry of a planar arm with two revolute joints (2R).

Base frame: origin at the shoulder, x right, y up, right-handed. q = (q1, q2) [rad]: q1 is link 1
against base x, q2 is link 2 against link 1, both counter-clockwise positive. With c1 = cos q1,
c12 = cos(q1 + q2) and so on (Spong, Hutchinson, Vidyasagar, *Robot Modeling and Control*, 1.3):

    tip = (l1 c1 + l2 c12,  l1 s1 + l2 s12)          J = d tip / d q = [J1 J2]
    J1  = (-tip_y, tip_x)                            J2 = (-l2 s12, l2 c12)
    det J = l1 l2 sin q2                             |J|_F^2 = r^2 + l2^2,  r = |tip|
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planar_arm_ik.door import FLAG, one_of, require
from planar_arm_ik.errors import PlanarArmError

Array = NDArray[np.float64]

#: Largest bound or seed [rad]: beyond it a double no longer tells angles apart well enough for a
#: pose to be exact to 1e-9 of the reach.
LARGEST_ANGLE = 1e6

#: Shortest and longest link [m]: between them the fourth power of a length is an ordinary double.
SHORTEST_LINK, LONGEST_LINK = 1e-50, 1e50


_LIMITS = one_of("JointLimits", "JointLimits")


def _number(name: str, value: Any) -> float:
    """Take a number, not a text that looks like one.

    Raises:
        PlanarArmError: it is none.
    """
    try:
        if isinstance(value, (str, bool, np.bool_)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise PlanarArmError(f"{name} = {value!r} must be a number") from None


@dataclass(frozen=True)
class JointLimits:
    """What one revolute joint may do.

    Args:
        lower: smallest angle [rad]; -inf when unbounded.
        upper: largest angle [rad]; inf when unbounded.
        velocity: largest speed [rad/s], positive.
        acceleration: largest acceleration [rad/s^2], positive.
        continuous: the joint turns without end; it then has no bounds.

    Raises:
        PlanarArmError: a bound is NaN, out of order or beyond LARGEST_ANGLE, a rate is not
            positive, or a continuous joint has a bound.
    """

    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    acceleration: float = math.inf
    continuous: bool = False

    def __post_init__(self) -> None:
        for name in ("lower", "upper", "velocity", "acceleration"):
            _number(f"joint limit {name}", getattr(self, name))
        require("continuous", self.continuous, FLAG)
        if not self.lower <= self.upper:
            raise PlanarArmError(
                f"joint limits [{self.lower}, {self.upper}] rad: lower must not exceed upper"
            )
        for bound, unbounded in ((self.lower, -math.inf), (self.upper, math.inf)):
            if bound != unbounded and abs(bound) > LARGEST_ANGLE:
                raise PlanarArmError(
                    f"joint limit {bound} rad must be within +-{LARGEST_ANGLE:.0e} rad"
                )
        for name in ("velocity", "acceleration"):
            if not getattr(self, name) > 0.0:
                raise PlanarArmError(
                    f"joint {name} limit {getattr(self, name)} must be greater than 0"
                )
        if self.continuous and not self.unbounded:
            raise PlanarArmError(
                f"a continuous joint has no bounds, got [{self.lower}, {self.upper}] rad"
            )

    @property
    def unbounded(self) -> bool:
        """Whether neither side has a limit."""
        return self.lower == -math.inf and self.upper == math.inf


@dataclass(frozen=True)
class PlanarArm:
    """A planar 2R arm: two link lengths and what each joint may do.

    Args:
        l1: length of link 1, shoulder to elbow [m], positive.
        l2: length of link 2, elbow to tip [m], positive.
        joint1: limits of the shoulder.
        joint2: limits of the elbow.

    Raises:
        PlanarArmError: a length is not a positive, finite number within these bounds.
    """

    l1: float
    l2: float
    joint1: JointLimits = JointLimits()
    joint2: JointLimits = JointLimits()

    def __post_init__(self) -> None:
        for name in ("joint1", "joint2"):
            require(name, getattr(self, name), _LIMITS)
        for name in ("l1", "l2"):
            value = _number(f"link length {name}", getattr(self, name))
            if not SHORTEST_LINK <= value <= LONGEST_LINK:
                raise PlanarArmError(
                    f"link length {name} = {value} m must be finite and positive, within "
                    f"[{SHORTEST_LINK}, {LONGEST_LINK}] m"
                )
            object.__setattr__(self, name, float(value))

    def __getstate__(self) -> dict[str, Any]:
        """State for copies and pickles: the fields; what is derived is derived again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def outer_radius(self) -> float:
        """Radius of the outer edge of the reachable ring [m]: l1 + l2."""
        return self.l1 + self.l2

    @cached_property
    def inner_radius(self) -> float:
        """Radius of the hole in the reachable ring [m]: |l1 - l2|."""
        return abs(self.l1 - self.l2)

    @cached_property
    def joints(self) -> tuple[JointLimits, JointLimits]:
        """Limits of both joints, shoulder first."""
        return self.joint1, self.joint2

    @cached_property
    def derived(self) -> dict[object, Any]:
        """What other modules derive from the arm, kept with it so that it is derived once."""
        return {}

    @cached_property
    def largest_sigma_min(self) -> float:
        """The largest smallest singular value of J over all q2 [m/rad].

        s = sigma_min^2 solves s^2 - F s + det^2 = 0; its maximum over q2 is at s = -l1 l2 cos q2,
        which gives min(l2, l1 / sqrt 2).
        """
        return min(self.l2, self.l1 / math.sqrt(2.0))

    @cached_property
    def singular_threshold(self) -> float:
        """Default sigma_min below which a pose counts as singular [m/rad]."""
        return min(0.05 * self.outer_radius, 0.2 * self.largest_sigma_min)

    def forward(self, q: ArrayLike) -> Array:
        """Tip position in the base frame.

        Args:
            q: joint angles [rad], shape (..., 2).

        Returns:
            Tip (x, y) [m], shape (..., 2).
        """
        q1, q12 = _shoulder_and_sum(q)
        return np.stack(
            (
                self.l1 * np.cos(q1) + self.l2 * np.cos(q12),
                self.l1 * np.sin(q1) + self.l2 * np.sin(q12),
            ),
            axis=-1,
        )

    def elbow(self, q: ArrayLike) -> Array:
        """Elbow position in the base frame: q [rad] (..., 2) to (x, y) [m] (..., 2)."""
        q1, _ = _shoulder_and_sum(q)
        return np.stack((self.l1 * np.cos(q1), self.l1 * np.sin(q1)), axis=-1)

    def jacobian(self, q: ArrayLike) -> Array:
        """Matrix J with tip velocity = J qd, in the base frame.

        Args:
            q: joint angles [rad], shape (..., 2).

        Returns:
            J [m/rad], shape (..., 2, 2).
        """
        _, q12 = _shoulder_and_sum(q)
        tip = self.forward(q)
        j2 = np.stack((-self.l2 * np.sin(q12), self.l2 * np.cos(q12)), axis=-1)
        j1 = np.stack((-tip[..., 1], tip[..., 0]), axis=-1)
        return np.stack((j1, j2), axis=-1)

    def singular_values(self, q: ArrayLike) -> Array:
        """Singular values of J in closed form, largest first.

        sigma_max^2 = (F + sqrt((|J1|^2 - |J2|^2)^2 + 4 (J1.J2)^2)) / 2, sigma_min = |det| /
        sigma_max: no cancellation near the singularities.

        Args:
            q: joint angles [rad], shape (..., 2).

        Returns:
            (sigma_max, sigma_min) [m/rad], shape (..., 2).
        """
        q2 = _joint_angles(q)[..., 1]
        dot = self.l2 * (self.l2 + self.l1 * np.cos(q2))
        j2_squared = self.l2**2
        # Half angles keep r^2 exact where the arm folds on itself.
        r_squared = self.inner_radius**2 + 4.0 * self.l1 * self.l2 * np.cos(0.5 * q2) ** 2
        root = np.hypot(r_squared - j2_squared, 2.0 * dot)
        sigma_max = np.sqrt(0.5 * (r_squared + j2_squared + root))
        sigma_min = self.l1 * self.l2 * np.abs(np.sin(q2)) / sigma_max
        return np.stack((sigma_max, sigma_min), axis=-1)


def _joint_angles(q: ArrayLike) -> Array:
    angles = np.asarray(q, dtype=np.float64)
    if angles.ndim == 0 or angles.shape[-1] != 2:
        raise PlanarArmError(f"q has shape {angles.shape}; its last axis must hold q1 and q2")
    return angles


def _shoulder_and_sum(q: ArrayLike) -> tuple[Array, Array]:
    angles = _joint_angles(q)
    return angles[..., 0], angles[..., 0] + angles[..., 1]
