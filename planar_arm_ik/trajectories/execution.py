"""Watching a motion while it runs: a state machine without clock or ROS.

The owner calls :meth:`Execution.step` with the time and what was measured, sends what it returns,
and ends the goal when it says so. Whatever ends a motion early ramps down along it first.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from planar_arm_ik.arm.angles import TURN
from planar_arm_ik.arm.joint_states import MeasuredState
from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.status import IkStatus
from planar_arm_ik.trajectories.motion import PathMotion
from planar_arm_ik.trajectories.stall import StallWatch
from planar_arm_ik.trajectories.stopping import stop_along
from planar_arm_ik.trajectories.timing import joint_limits
from planar_arm_ik.trajectories.tolerances import Progress, Tolerances
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Motion between two steps below which the arm counts as at rest [rad].
_REST = 2e-4

#: Moments of the last `lag` at which the plan is compared with the arm.
_LOOKS = 16

_STALLED = "is the controller active, are the motors on?"

#: Ends after which nobody waits for the arm to come to its goal.
_AT_ONCE = (IkStatus.NO_STATE, IkStatus.PATH_TOLERANCE, IkStatus.CONTROLLER)


class Execution:
    """One motion on its way.

    Args:
        arm: the arm.
        motion: what is executed; it has a trajectory.
        trajectory: its trajectory.
        begin: time it was sent [s].
    """

    def __init__(
        self, arm: PlanarArm, motion: PathMotion, trajectory: Trajectory, begin: float
    ) -> None:
        self._arm = arm
        self._motion = motion
        self._trajectory = trajectory
        self._begin = begin
        self._stall = StallWatch(trajectory)
        self._last: MeasuredState | None = None
        self._still = False
        self._reason: tuple[IkStatus, str] | None = None
        self._stopped_at = Progress(0, 0.0, 0.0)
        self.ended: tuple[IkStatus, str] | None = None
        self.fraction = 0.0
        self.largest_error = 0.0

    def stop(
        self, now: float, tolerances: Tolerances, status: IkStatus, message: str
    ) -> Trajectory | None:
        """End the motion early.

        Returns:
            The ramp to send, None when it is stopping already or has ended.
        """
        if self._reason is not None or self.ended is not None:
            return None
        self._stopped_at = self.progress(now)
        self.fraction = self._stopped_at.fraction
        self._reason = status, message
        acceleration = joint_limits(self._arm, "acceleration")
        elapsed = now - self._begin
        self._trajectory = stop_along(self._trajectory, elapsed, acceleration, tolerances.lead)
        self._begin = now
        return self._trajectory

    def step(
        self,
        now: float,
        tolerances: Tolerances,
        state: MeasuredState | None,
        age: float,
        listeners: int,
    ) -> Trajectory | None:
        """Compare with what was measured.

        Args:
            now: time [s], on the clock of `begin`.
            tolerances: what must be kept.
            state: what was measured, received on the clock of `begin`; None before there is any.
            age: its age [s], without the time in which nobody could receive.
            listeners: how many receive the trajectory.

        Returns:
            A ramp to send when the motion has to end early; `ended` tells when it is over.
        """
        elapsed = now - self._begin
        if listeners == 0:
            self.fraction = self.progress(now).fraction
            self.ended = IkStatus.CONTROLLER, "nobody receives joint_trajectory any more"
            return None
        state = self._unwrapped(state)
        q = None if state is None else state.q
        still = self._at_rest(state)
        if self._reason is not None:
            self._wait_for_rest(elapsed, tolerances, q, still)
            return None
        if q is None or state is None or age > tolerances.state_timeout:
            text = f"joint_states are {age:.2g} s old"
            return self.stop(now, tolerances, IkStatus.NO_STATE, text)
        fault = self._fault(state, tolerances)
        if fault is not None:
            return self.stop(now, tolerances, *fault)
        if elapsed >= self._trajectory.duration:
            self._at_goal(elapsed, tolerances, q, still)
        return None

    def progress(self, now: float) -> Progress:
        """How far the motion is at a time [s]."""
        if self._reason is not None:
            left = max(0.0, self._trajectory.duration - (now - self._begin))
            return replace(self._stopped_at, time_remaining=left)
        elapsed = min(now - self._begin, self._trajectory.duration)
        index, fraction = self._motion.progress(elapsed)
        return Progress(index, fraction, self._trajectory.duration - elapsed)

    def _fault(self, state: MeasuredState, tolerances: Tolerances) -> tuple[IkStatus, str] | None:
        """What of the tolerances a measured state breaks on the way: off the path, or stalled."""
        received = state.received - self._begin
        missed = self._stall.missed(received, state.q, tolerances.lag, tolerances.stall)
        error = self._error(received, tolerances.lag, state.q)
        if 0.0 < tolerances.path < error:
            text = f"a joint is {error:.3g} rad off the path, tolerance {tolerances.path} rad"
            return IkStatus.PATH_TOLERANCE, text + self._idle_hint()
        if tolerances.stall > 0.0 and missed > 0.0:
            text = f"the arm stands still and missed {missed:.3g} rad of the plan: {_STALLED}"
            return IkStatus.CONTROLLER, text
        return None

    def _error(self, received: float, lag: float, q: Array) -> float:
        """Joint distance from where the plan was shortly before [rad]; notes the tip's error."""
        wanted, _, _ = self._trajectory.states(np.linspace(received - lag, received, _LOOKS))
        tips = self._arm.forward(np.stack((q, wanted[-1])))
        self.largest_error = max(self.largest_error, float(np.hypot(*(tips[1] - tips[0]))))
        return float(np.abs(q - wanted).max(axis=1).min())

    def _at_rest(self, state: MeasuredState | None) -> bool:
        """Whether the last two states that came in, at different times, are as good as one."""
        if state is None:
            return False
        if self._last is None or state.received > self._last.received + 1e-4:
            self._still = self._last is not None and _near(state.q, self._last.q, _REST)
            self._last = state
        return self._still

    def _wait_for_rest(
        self, elapsed: float, tolerances: Tolerances, q: Array | None, still: bool
    ) -> None:
        if elapsed < self._trajectory.duration or self._reason is None:
            return
        waited = elapsed > self._trajectory.duration + tolerances.goal_time
        near = q is None or self._arrived(q, tolerances)
        if (near and still) or waited or self._reason[0] in _AT_ONCE:
            self.ended = self._reason

    def _at_goal(self, elapsed: float, tolerances: Tolerances, q: Array, still: bool) -> None:
        waited = elapsed > self._trajectory.duration + tolerances.goal_time
        if self._arrived(q, tolerances) and (still or waited):
            self.fraction = 1.0
            self.ended = self._motion.plan.status, self._motion.plan.message
        elif waited:
            self.fraction = self._fraction_at(q)
            off = float(np.max(np.abs(q - self._trajectory.q[-1])))
            text = f"a joint ended {off:.3g} rad from the goal, tolerance {tolerances.goal} rad"
            self.ended = IkStatus.GOAL_TOLERANCE, text + self._idle_hint()

    def _unwrapped(self, state: MeasuredState | None) -> MeasuredState | None:
        """The state with whole turns of continuous joints as the plan counts them."""
        if state is None or not any(joint.unbounded for joint in self._arm.joints):
            return state
        near = self._trajectory.q[0] if self._last is None else self._last.q
        free = [joint.unbounded for joint in self._arm.joints]
        turns = np.where(free, np.round((near - state.q) / TURN), 0.0)
        return replace(state, q=state.q + TURN * turns)

    def _idle_hint(self) -> str:
        return "" if self._stall.begun else f"; the arm has not moved at all: {_STALLED}"

    def _fraction_at(self, q: Array) -> float:
        """Part of the path behind the pose of the plan that is nearest to q."""
        nearest = np.argmin(np.abs(self._trajectory.q - q).max(axis=1))
        return self._motion.progress(float(self._trajectory.time[nearest]))[1]

    def _arrived(self, q: Array, tolerances: Tolerances) -> bool:
        return tolerances.goal == 0.0 or _near(q, self._trajectory.q[-1], tolerances.goal)


def _near(q: Array, other: Array, tolerance: float) -> bool:
    return bool(np.max(np.abs(q - other)) <= tolerance)
