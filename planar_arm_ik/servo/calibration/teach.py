r"""Computes a calibration from poses that a person held, or angles that a person measured.

A servo with feedback is taught by poses: raw readings beside true angles. With the counts per turn
known, sign and zero follow; the gear is rounded to 1 when it lies near it:

    raw = zero + scale * sign * gear * q          zero = mean(raw - scale * sign * gear * q)

A servo without feedback is measured at several pulses, going up and coming down; the mean of both
directions gives the points, their difference the hysteresis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.calibration.calibration import JointCalibration

#: A gear this near to 1 is 1: hands and protractors are no better.
_GEAR_TOLERANCE = 0.08
#: Smallest difference between two taught angles [rad].
_SMALLEST_SPREAD = 0.3


def fit_linear(joint: JointCalibration, taught: Sequence[tuple[float, float]]) -> JointCalibration:
    """Fit zero, sign and gear to taught poses.

    Args:
        joint: calibration whose scale, range and limits are kept.
        taught: (raw, angle [rad]) of two or more poses.

    Returns:
        The calibration with zero, sign and gear of the poses.

    Raises:
        PlanarArmError: too few poses, too near to each other, or they contradict the limits.
    """
    raw, angle = _columns(joint.joint, taught)
    slope = float(np.polyfit(angle, raw, 1)[0])
    sign = 1 if slope > 0.0 else -1
    gear = abs(slope) / joint.scale
    if abs(gear - 1.0) < _GEAR_TOLERANCE:
        gear = 1.0
    zero = float(np.mean(raw - joint.scale * sign * gear * angle))
    return _narrowed(joint, zero=zero, sign=sign, gear=gear, points=())


def fit_points(
    joint: JointCalibration,
    up: Sequence[tuple[float, float]],
    down: Sequence[tuple[float, float]] = (),
) -> JointCalibration:
    """Fit a curve and its play to angles measured at several pulses.

    Args:
        joint: calibration whose range and limits are kept.
        up: (raw, angle [rad]) with raw rising.
        down: the same raw values with raw falling; none when play was not measured.

    Raises:
        PlanarArmError: the points are too few, not monotone, or contradict the limits.
    """
    raw, angle = _columns(joint.joint, up)
    hysteresis = 0.0
    if down:
        by_raw = {float(value): float(q) for value, q in down}
        missing = [value for value in raw.tolist() if value not in by_raw]
        if missing:
            raise PlanarArmError(f"{joint.joint}: no angle was measured coming down at {missing}")
        back = np.array([by_raw[value] for value in raw.tolist()])
        slope = (raw[-1] - raw[0]) / (angle[-1] - angle[0])
        hysteresis = abs(float(np.mean((back - angle) * slope)))
        angle = 0.5 * (angle + back)
    points = tuple(zip(raw.tolist(), angle.tolist(), strict=True))
    return _narrowed(joint, points=points, hysteresis=round(hysteresis, 3))


def with_hard_range(joint: JointCalibration, low: float, high: float) -> JointCalibration:
    """Set the range that is never left, and narrow the limits to it.

    Args:
        joint: calibration.
        low: smallest raw value.
        high: largest raw value.

    Raises:
        PlanarArmError: the range leaves nothing of the limits.
    """
    low, high = sorted((low, high))
    return _narrowed(joint, raw_min=low, raw_max=high)


def tip_errors(
    arm: PlanarArm, joints: Sequence[JointCalibration], raw: Array, tips: Array
) -> Array:
    """Distance between the tip by calibration and the tip as measured by hand.

    Args:
        arm: the arm.
        joints: calibration of both joints.
        raw: readings at each taught point, shape (N, 2).
        tips: true tips (x, y) [m], shape (N, 2).

    Returns:
        Distances [m], shape (N,).
    """
    angles = [
        [joint.to_angle(value) for joint, value in zip(joints, row, strict=True)]
        for row in np.asarray(raw, dtype=np.float64).tolist()
    ]
    errors: Array = np.linalg.norm(arm.forward(angles) - np.asarray(tips), axis=-1)
    return errors


def _narrowed(joint: JointCalibration, **changes: Any) -> JointCalibration:
    """Change a calibration and narrow its limits to what the hard range covers."""
    everything: dict[str, Any] = {"raw_min": -1e9, "raw_max": 1e9, "hysteresis": 0.0}
    probe = replace(joint, lower=-1e-6, upper=1e-6, rest=0.0, **{**changes, **everything})
    low, high = changes.get("raw_min", joint.raw_min), changes.get("raw_max", joint.raw_max)
    ends = sorted((probe.to_angle(low), probe.to_angle(high)))
    play = float(changes.get("hysteresis", joint.hysteresis))
    margin = 1e-6 + 0.5 * play / min(_slopes(probe))
    lower, upper = max(joint.lower, ends[0] + margin), min(joint.upper, ends[1] - margin)
    if not lower < upper:
        raise PlanarArmError(
            f"{joint.joint}: raw {low} to {high} covers {ends[0]:.3f} to "
            f"{ends[1]:.3f} rad, outside the limits [{joint.lower:.3f}, {joint.upper:.3f}]"
        )
    rest = min(max(joint.rest_angle, lower), upper)
    return replace(joint, lower=lower, upper=upper, rest=rest, **changes)


def _slopes(joint: JointCalibration) -> list[float]:
    """Slopes of raw over angle of every piece."""
    if not joint.points:
        return [joint.raw_per_radian]
    return [abs((r1 - r0) / (a1 - a0)) for (r0, a0), (r1, a1) in pairwise(joint.points)]


def _columns(name: str, pairs: Sequence[tuple[float, float]]) -> tuple[Array, Array]:
    if len(pairs) < 2:
        raise PlanarArmError(f"{name}: {len(pairs)} poses taught; two or more are needed")
    table = np.array(sorted(pairs), dtype=np.float64)
    if not np.isfinite(table).all():
        raise PlanarArmError(f"{name}: taught numbers must be finite")
    if np.ptp(table[:, 1]) < _SMALLEST_SPREAD:
        raise PlanarArmError(
            f"{name}: the taught angles differ by {np.ptp(table[:, 1]):.3f} rad; "
            f"{_SMALLEST_SPREAD} or more are needed"
        )
    return table[:, 0], table[:, 1]
