r"""Joint angles to the raw values a servo understands, and back: one exact round trip.

Raw units are the servo's own: encoder counts of a bus servo, microseconds of a pulse. For a linear
servo, with q the joint angle [rad] and d in {-1, 0, 1} the direction in which raw travels,

    raw = zero + scale * sign * gear * q + d * hysteresis / 2            clipped to the hard range

Measured ``points`` replace zero, scale, sign and gear: raw is then the piecewise linear, strictly
monotone curve through them, continued by its outer pieces.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from planar_arm_ik.errors import PlanarArmError

#: Raw values per radian of a servo with 4096 counts a turn.
COUNTS_PER_RADIAN = 4096.0 / (2.0 * math.pi)


@dataclass(frozen=True)
class JointCalibration:
    """One joint: its servo, its map between angle and raw value, and its limits.

    Args:
        joint: name of the joint in messages.
        id: servo id on the bus, or channel of the pulse chip.
        lower: smallest joint angle the driver may command [rad].
        upper: largest joint angle [rad].
        raw_min: smallest raw value that is ever sent.
        raw_max: largest raw value that is ever sent.
        max_speed: largest joint speed [rad/s].
        zero: raw value at joint angle 0.
        scale: raw per radian of the servo, positive.
        sign: 1, or -1 when the servo turns against the joint.
        gear: turns of the servo per turn of the joint, positive.
        feedback: whether the servo can be read; without, the state is the slewed command.
        rest: pose [rad] assumed at a cold start without feedback; the middle when left out.
        model: model number the servo must report; None accepts any.
        points: measured (raw, angle [rad]) pairs; empty for a linear servo.
        hysteresis: play between the two directions of travel [raw].

    Raises:
        PlanarArmError: a value breaks its rule, or the limits need more than the hard range.
    """

    joint: str
    id: int
    lower: float
    upper: float
    raw_min: float
    raw_max: float
    max_speed: float
    zero: float = 2048.0
    scale: float = COUNTS_PER_RADIAN
    sign: int = 1
    gear: float = 1.0
    feedback: bool = True
    rest: float | None = None
    model: int | None = None
    points: tuple[tuple[float, float], ...] = ()
    hysteresis: float = 0.0

    def __post_init__(self) -> None:
        self._check_numbers()
        if self.points:
            object.__setattr__(self, "points", _sorted_points(self.joint, self.points))
        self._check_range()

    def to_raw(self, q: float, direction: int = 0) -> float:
        """Raw value of a joint angle, never outside the hard range.

        Args:
            q: joint angle [rad].
            direction: sign in which raw travels; 0 when at rest with unknown history.

        Raises:
            PlanarArmError: q is not finite.
        """
        if not math.isfinite(q):
            raise PlanarArmError(f"{self.joint}: angle {q} must be finite")
        raw = self._curve(q) + 0.5 * self.hysteresis * direction
        return min(max(raw, self.raw_min), self.raw_max)

    def to_angle(self, raw: float, direction: int = 0) -> float:
        """Joint angle [rad] of a raw value: the inverse of :meth:`to_raw`, without its clip.

        Raises:
            PlanarArmError: raw is not finite.
        """
        if not math.isfinite(raw):
            raise PlanarArmError(f"{self.joint}: raw value {raw} must be finite")
        raw -= 0.5 * self.hysteresis * direction
        if not self.points:
            return (raw - self.zero) / self._slope
        raws = [point[0] for point in self.points]
        (r0, a0), (r1, a1) = _piece(self.points, raws, raw)
        return a0 + (raw - r0) * (a1 - a0) / (r1 - r0)

    def clamp(self, q: float) -> float:
        """The nearest angle inside the soft limits [rad]."""
        return min(max(q, self.lower), self.upper)

    @property
    def rest_angle(self) -> float:
        """The rest pose [rad]: as given, else the middle of the limits."""
        return 0.5 * (self.lower + self.upper) if self.rest is None else self.rest

    @property
    def raw_per_radian(self) -> float:
        """The steepest slope of raw over the joint angle, positive."""
        if not self.points:
            return abs(self._slope)
        pairs = zip(self.points, self.points[1:], strict=False)
        return max(abs((r1 - r0) / (a1 - a0)) for (r0, a0), (r1, a1) in pairs)

    @property
    def raw_sign(self) -> int:
        """1 when raw grows with the joint angle, -1 when it falls."""
        return 1 if self._curve(1.0) > self._curve(0.0) else -1

    @property
    def _slope(self) -> float:
        return self.scale * self.sign * self.gear

    def _curve(self, q: float) -> float:
        if not self.points:
            return self.zero + self._slope * q
        by_angle = sorted(self.points, key=lambda point: point[1])
        (r0, a0), (r1, a1) = _piece(by_angle, [point[1] for point in by_angle], q)
        return r0 + (q - a0) * (r1 - r0) / (a1 - a0)

    def _check_numbers(self) -> None:
        for name in ("lower", "upper", "raw_min", "raw_max", "max_speed", "zero", "scale",
                     "gear", "hysteresis", "rest_angle"):  # fmt: skip
            value = getattr(self, name)
            if not math.isfinite(value):
                raise PlanarArmError(f"{self.joint}: {name} = {value} must be finite")
        for name in ("scale", "gear", "max_speed"):
            if not getattr(self, name) > 0.0:
                raise PlanarArmError(
                    f"{self.joint}: {name} = {getattr(self, name)} must be greater than 0"
                )
        if self.sign not in (1, -1):
            raise PlanarArmError(f"{self.joint}: sign = {self.sign} must be 1 or -1")
        if self.hysteresis < 0.0:
            raise PlanarArmError(f"{self.joint}: hysteresis = {self.hysteresis} is negative")
        for low, high in (("lower", "upper"), ("raw_min", "raw_max")):
            if not getattr(self, low) < getattr(self, high):
                raise PlanarArmError(
                    f"{self.joint}: {low} = {getattr(self, low)} must be less than "
                    f"{high} = {getattr(self, high)}"
                )

    def _check_range(self) -> None:
        if not self.lower <= self.rest_angle <= self.upper:
            raise PlanarArmError(
                f"{self.joint}: rest = {self.rest} rad is outside [{self.lower}, {self.upper}]"
            )
        ends = [self._curve(self.lower), self._curve(self.upper)]
        low, high = min(ends) - 0.5 * self.hysteresis, max(ends) + 0.5 * self.hysteresis
        if low < self.raw_min or high > self.raw_max:
            raise PlanarArmError(
                f"{self.joint}: the limits [{self.lower:.4f}, {self.upper:.4f}] rad need raw "
                f"{low:.1f} to {high:.1f}, more than the hard range "
                f"[{self.raw_min}, {self.raw_max}]"
            )


def _sorted_points(
    joint: str, points: tuple[tuple[float, float], ...]
) -> tuple[tuple[float, float], ...]:
    """Return the points by raw value, checked to be finite and strictly monotone."""
    if len(points) < 2 or not all(math.isfinite(value) for pair in points for value in pair):
        raise PlanarArmError(f"{joint}: points need two or more finite (raw, angle) pairs")
    ordered = tuple(sorted((float(raw), float(angle)) for raw, angle in points))
    raws, angles = zip(*ordered, strict=True)
    rising = angles[-1] > angles[0]
    for k in range(1, len(ordered)):
        if (
            raws[k] == raws[k - 1]
            or (angles[k] > angles[k - 1]) != rising
            or (angles[k] == angles[k - 1])
        ):
            raise PlanarArmError(
                f"{joint}: points {ordered[k - 1]} and {ordered[k]} break the monotone order"
            )
    return ordered


def _piece(
    points: tuple[tuple[float, float], ...] | list[tuple[float, float]],
    keys: list[float],
    value: float,
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the two points around `value`; the outer pair beyond the ends."""
    k = min(max(bisect_right(keys, value), 1), len(points) - 1)
    return points[k - 1], points[k]
