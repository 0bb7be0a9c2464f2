"""Commands on their way to set points: single targets, trajectories, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from planar_arm_ik.servo.control.setpoints import Setpoints, Verdict
from planar_arm_ik.trajectories.player import TrajectoryPlayer
from planar_arm_ik.trajectories.trajectory import Trajectory


class Commands:
    """Where an enabled arm should be next.

    Args:
        setpoints: gate, clamp and slew.
        say: takes (level, text); each kind of complaint is said once between two holds.
    """

    def __init__(self, setpoints: Setpoints, say: Callable[[str, str], None]) -> None:
        self.setpoints = setpoints
        self._player: TrajectoryPlayer | None = None
        self._next: tuple[float, Trajectory] | None = None
        self._say = say
        self._told: set[str] = set()

    def hold(self, position: Sequence[float]) -> None:
        """Forget every command and hold `position` [rad] behind a closed gate."""
        self._drop()
        self._told.clear()
        self.setpoints.start(position)

    def aim(self, target: Sequence[float]) -> Verdict:
        """Aim at joint angles [rad]; replaces a trajectory."""
        verdict = self._tell(self.setpoints.aim(target))
        if verdict.accepted:
            self._drop()
        return verdict

    def play(self, trajectory: Trajectory, start: float, now: float) -> Verdict:
        """Play a trajectory; at its start it replaces what plays.

        Args:
            trajectory: joint angles over the time from `start`.
            start: when it starts [s].
            now: when it came in, by the same clock [s]; a short one may be over by the cycle
                that takes it.
        """
        if start + trajectory.duration < now:
            late = now - start - trajectory.duration
            return self._tell(
                Verdict(
                    False,
                    f"the trajectory ended {late:.3f} s before it arrived; stamp 0 starts now",
                    "late",
                )
            )
        lead = max(start + float(trajectory.time[0]) - now, 0.0)
        verdict = self._tell(self.setpoints.admit([float(q) for q in trajectory.q[0]], lead))
        if verdict.accepted:
            self._next = (start, trajectory)
        return verdict

    def stay(self) -> Verdict:
        """Stop where the set point is; the gate stays as it is."""
        self._drop()
        self.setpoints.stay()
        return Verdict(True)

    def go_to(self, position: Sequence[float]) -> None:
        """Slew to a pose of our own choice [rad]; no gate."""
        self._drop()
        self.setpoints.gate_open = True
        self.setpoints.aim(position)

    def next(self, now: float, dt: float) -> list[float]:
        """Return the set point `dt` seconds after the last [rad]."""
        if self._next is not None and now >= self._next[0]:
            start, trajectory = self._next
            self._next = None
            if self._player is None:
                self._player = TrajectoryPlayer(np.array(self.setpoints.position))
            self._player.play(trajectory, start)
        if self._player is not None:
            self._tell(self.setpoints.aim([float(q) for q in self._player.sample(now)[0]]))
            if self._player.finished(now):
                self._player = None
        return self.setpoints.step(dt)

    def run_out(self, dt: float) -> list[float]:
        """Return the next set point of a stop [rad]."""
        self._drop()
        return self.setpoints.brake(dt)

    def _drop(self) -> None:
        self._player = None
        self._next = None

    def _tell(self, verdict: Verdict) -> Verdict:
        if verdict.message and verdict.kind not in self._told:
            self._told.add(verdict.kind)
            self._say("warning", verdict.message)
        return verdict
