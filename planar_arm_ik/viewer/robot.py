"""What the page knows of the arm it shows, and what it can ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.scene.texts import StatusText


@dataclass(frozen=True, eq=False)
class TwistReport:
    """What the twist follower last said.

    Args:
        commanded: tip velocity asked for (x, y) [m/s], shape (2,).
        achieved: tip velocity of the command sent [m/s], shape (2,).
        residual: the difference [m/s], shape (2,).
        sigma_min: smallest singular value of the Jacobian [m/rad].
        damping: damping in use [m/rad].
        scale: part of the commanded speed that the limits leave, 0 to 1.
        text: its state in words.
    """

    commanded: Array
    achieved: Array
    residual: Array
    sigma_min: float
    damping: float
    scale: float
    text: StatusText


@dataclass(frozen=True, eq=False)
class Report:
    """The arm as seen now.

    Args:
        q: measured joint angles [rad], shape (2,), or None without fresh ones.
        parts: for each node the page uses, whether it runs.
        twist: the follower's report, None when there is none or it is old.
        task: how the path in execution, or the last one, fares; None before the first.
        moving: whether a path is being executed.
        paused: whether the follower is paused; None when unknown.
        servos: what the servo driver does, in words; None when it says nothing.
    """

    q: Array | None = None
    parts: dict[str, bool] = field(default_factory=dict)
    twist: TwistReport | None = None
    task: StatusText | None = None
    moving: bool = False
    paused: bool | None = None
    servos: StatusText | None = None


class Robot(Protocol):
    """What can be asked of the arm; each request returns "" or why it cannot be done."""

    def jog(self, velocity: tuple[float, float]) -> str:
        """Move the tip with a velocity [m/s] for a moment."""

    def execute(self, waypoints: Array, rule: str, search: str) -> str:
        """Follow tip waypoints (N, 2) [m] under a rule, searched greedy or global."""

    def move_joints(self, q: Array) -> str:
        """Move both joints to q [rad], in joint space."""

    def cancel(self) -> str:
        """Cancel the path in execution."""

    def stop(self) -> str:
        """Stop the arm, whatever moves it."""

    def pause(self, on: bool) -> str:
        """Pause or resume the follower."""

    def enable(self, on: bool) -> str:
        """Switch the servos on, or let them go limp."""


class NoRobot:
    """No arm at all: the page is a drawing board."""

    _WHY = "there is no arm connected"

    def jog(self, velocity: tuple[float, float]) -> str:  # noqa: D102
        return self._WHY

    def execute(self, waypoints: Array, rule: str, search: str) -> str:  # noqa: D102
        return self._WHY

    def move_joints(self, q: Array) -> str:  # noqa: D102
        return self._WHY

    def cancel(self) -> str:  # noqa: D102
        return ""

    def stop(self) -> str:  # noqa: D102
        return ""

    def pause(self, on: bool) -> str:  # noqa: D102
        return self._WHY

    def enable(self, on: bool) -> str:  # noqa: D102
        return self._WHY
