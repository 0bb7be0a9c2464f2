"""From commands to set points: what may be sent to the servos next, and why not more.

A pure state machine without clock and wires. After enabling, the gate is closed: the arm holds its
pose until a command lies near it. Then set points follow the command, slewed at the joints' speed
limits along a straight line in joint space, from the last one sent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planar_arm_ik.servo.calibration.calibration import JointCalibration

#: A stop takes the joints' full speed to zero in this time [s].
_BRAKE_TIME = 0.25


@dataclass(frozen=True)
class Verdict:
    """What became of a command.

    Args:
        accepted: whether the arm follows it.
        message: why not, or what was changed; empty when all is plain.
        kind: one word for the kind of complaint, so that it can be said once.
    """

    accepted: bool
    message: str = ""
    kind: str = ""


class Setpoints:
    """The set point of every joint, and the way to the next one.

    Args:
        joints: calibration of every joint.
        max_jump: how far the first command may be from the arm [rad].
    """

    def __init__(self, joints: Sequence[JointCalibration], max_jump: float) -> None:
        self._joints = joints
        self._max_jump = max_jump
        self.gate_open = False
        self.position = [joint.rest_angle for joint in joints]
        self.velocity = [0.0] * len(joints)
        self._target: list[float] | None = None

    def start(self, position: Sequence[float]) -> None:
        """Hold `position` [rad] behind a closed gate."""
        self.position = list(position)
        self.velocity = [0.0] * len(self._joints)
        self._target = None
        self.gate_open = False

    def admit(self, target: Sequence[float], time: float = 0.0) -> Verdict:
        """Judge a command; open the gate when it lies near the arm.

        Args:
            target: wanted angle of every joint [rad].
            time: how long the arm has to get there [s].
        """
        problem = self._problem(target)
        if problem:
            return Verdict(False, problem, "invalid")
        if not self.gate_open:
            for joint, value, here in zip(self._joints, target, self.position, strict=True):
                reach = max(self._max_jump, joint.max_speed * time)
                if abs(value - here) > reach:
                    return Verdict(
                        False,
                        f"{joint.joint}: the command {value:.3f} rad is a jump of "
                        f"{abs(value - here):.3f} rad from the arm at {here:.3f}, more than "
                        f"{reach:.3f}; the arm holds until a command lies near it",
                        "jump",
                    )
            self.gate_open = True
        outside = [
            f"{joint.joint}: {value:.3f} rad clamped to [{joint.lower:.3f}, {joint.upper:.3f}]"
            for joint, value in zip(self._joints, target, strict=True)
            if not joint.lower <= value <= joint.upper
        ]
        return Verdict(True, "; ".join(outside), "clamped")

    def aim(self, target: Sequence[float]) -> Verdict:
        """Take a new target [rad]; refused ones change nothing."""
        verdict = self.admit(target)
        if verdict.accepted:
            self._target = [
                joint.clamp(value) for joint, value in zip(self._joints, target, strict=True)
            ]
        return verdict

    def stay(self) -> None:
        """Forget the target."""
        self._target = None

    def step(self, dt: float) -> list[float]:
        """Advance by at most max_speed * dt toward the target; hold without one."""
        if self._target is None or dt <= 0.0:
            self.velocity = [0.0] * len(self._joints)
            return self.position
        wanted = [goal - here for goal, here in zip(self._target, self.position, strict=True)]
        share = max(
            abs(move) / (joint.max_speed * dt)
            for move, joint in zip(wanted, self._joints, strict=True)
        )
        if share <= 1.0:
            self._move_to(list(self._target), dt)
        else:
            self._move_to([q + m / share for q, m in zip(self.position, wanted, strict=True)], dt)
        return self.position

    def brake(self, dt: float) -> list[float]:
        """Let the motion run out; returns the next set point, at rest in the end."""
        keep = 0.0
        if dt > 0.0 and any(self.velocity):
            slowing = min(
                joint.max_speed * dt / (_BRAKE_TIME * abs(v))
                for joint, v in zip(self._joints, self.velocity, strict=True)
                if v != 0.0
            )
            keep = max(0.0, 1.0 - slowing)
        velocity = [v * keep for v in self.velocity]
        self._target = None
        self._move_to(
            [
                joint.clamp(q + v * dt) if joint.lower <= q <= joint.upper else q
                for joint, q, v in zip(self._joints, self.position, velocity, strict=True)
            ],
            dt,
        )
        return self.position

    @property
    def at_rest(self) -> bool:
        """Whether the last step moved nothing."""
        return not any(self.velocity)

    def _move_to(self, position: list[float], dt: float) -> None:
        before, self.position = self.position, position
        self.velocity = (
            [(new - old) / dt for new, old in zip(position, before, strict=True)]
            if dt > 0.0
            else [0.0] * len(position)
        )

    def _problem(self, target: Sequence[float]) -> str:
        if len(target) != len(self._joints):
            return f"{len(target)} positions commanded; the arm has {len(self._joints)} joints"
        for joint, value in zip(self._joints, target, strict=True):
            if not math.isfinite(value):
                return f"{joint.joint}: the command {value} is not a finite angle"
        return ""
