"""Commands on their way to set points: single targets, trajectories, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from planar_arm_ik.servo.player import JointPoints, Player
from planar_arm_ik.servo.setpoints import Setpoints, Verdict


class Commands:
    """Where an enabled arm should be next.

    Args:
        setpoints: gate, clamp and slew.
        say: takes (level, text); each kind of complaint is said once between two holds.
    """

    def __init__(self, setpoints: Setpoints, say: Callable[[str, str], None]) -> None:
        self.setpoints = setpoints
        self._player = Player()
        self._say = say
        self._told: set[str] = set()

    def hold(self, position: Sequence[float]) -> None:
        """Forget every command and hold `position` [rad] behind a closed gate."""
        self._player.stop()
        self._told.clear()
        self.setpoints.start(position)

    def aim(self, target: Sequence[float]) -> Verdict:
        """Aim at joint angles [rad]; replaces a trajectory."""
        verdict = self._tell(self.setpoints.aim(target))
        if verdict.accepted:
            self._player.stop()
        return verdict

    def play(self, points: JointPoints, now: float) -> Verdict:
        """Play a trajectory from the present set point; replaces what plays."""
        lead = float(points.time[0]) + max(points.delay, 0.0)
        verdict = self._tell(self.setpoints.admit([float(q) for q in points.q[0]], lead))
        if verdict.accepted:
            here = self.setpoints
            self._player.play(points, now, list(here.position), list(here.velocity))
        return verdict

    def go_to(self, position: Sequence[float]) -> None:
        """Slew to a pose of our own choice [rad]; no gate."""
        self._player.stop()
        self.setpoints.gate_open = True
        self.setpoints.aim(position)

    def next(self, now: float, dt: float) -> list[float]:
        """Return the set point `dt` seconds after the last [rad]."""
        wanted = self._player.sample(now)
        if wanted is not None:
            self._tell(self.setpoints.aim(wanted))
        return self.setpoints.step(dt)

    def run_out(self, dt: float) -> list[float]:
        """Return the next set point of a stop [rad]."""
        self._player.stop()
        return self.setpoints.brake(dt)

    def _tell(self, verdict: Verdict) -> Verdict:
        if verdict.message and verdict.kind not in self._told:
            self._told.add(verdict.kind)
            self._say("warning", verdict.message)
        return verdict
