"""Follows twists of the tip: :mod:`planar_arm_ik.following.follower` in a steady loop."""

from __future__ import annotations

import threading
from typing import Any

from std_srvs.srv import SetBool

from planar_arm_ik.following.follower import Follower, Memory, Outcome
from planar_arm_ik.following.report import Sensed
from planar_arm_ik.nodes.cartesian_follower.clock_watch import ClockWatch
from planar_arm_ik.nodes.cartesian_follower.diagnostics import FollowerDiagnostics
from planar_arm_ik.nodes.cartesian_follower.messages import CommandOutput, ReportOutput
from planar_arm_ik.nodes.cartesian_follower.ownership import Ownership
from planar_arm_ik.nodes.cartesian_follower.parameters import FollowerParameters, parameters_of
from planar_arm_ik.nodes.cartesian_follower.state_input import StateInput
from planar_arm_ik.nodes.cartesian_follower.twist_input import TwistInput
from planar_arm_ik.nodes.common.clocks import nanoseconds, steady_timer
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.frames import Frames
from planar_arm_ik.nodes.common.paced_loop import PacedLoop
from planar_arm_ik.nodes.common.parameters import Parameters
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.status import FollowerState

#: Longest wait for the arm to come to rest when the node stops [s].
STOP_TIME = 2.5

_INPUT_FAULTS = (FollowerState.INVALID_INPUT, FollowerState.FRAME)


class CartesianFollower(ArmNode):
    """Twists in, joint commands out, and the truth about every cycle on ``~/state``."""

    def __init__(self, **options: Any) -> None:
        super().__init__("cartesian_follower", **options)
        self._description = declare_description(self)
        settings = Parameters(self, parameters_of(self._description.arm), self._adopt)
        self._settings = settings
        config = settings.value.config(self._description.arm)
        self._follower = Follower(config)
        self._memory = Memory()
        names = self._description.joint_names
        self._states = StateInput(self, self._description)
        base, tip = self._description.base_frame, self._description.tip_frame
        frames = Frames(self, base)
        self._twists = TwistInput(self, frames, tip, settings.value.accept_cmd_vel)
        ahead = config.longest_step if config.output == "position" else 0.0
        self._command = CommandOutput(self, names, ahead)
        self._report = ReportOutput(self, base)
        self._ownership = Ownership(self)
        self.waits.for_publisher("joint_states", "start a driver or a broadcaster")
        self.waits.for_receiver(self._command.topic, "nobody would carry out a command")
        self._paused = self._leaving = False
        self._at_rest = threading.Event()
        self.create_service(SetBool, "~/pause", self._on_pause)
        self._watch = ClockWatch(settings.value.clock_timeout)
        self._loop = PacedLoop(config.period, self._cycle, "follower", self.steady)
        self._diagnostics = FollowerDiagnostics(self, self._loop, self._report.state)
        steady_timer(self, 1.0, self._diagnostics.publish)
        self._loop.start()

    def _adopt(self, settings: FollowerParameters) -> None:
        self._follower = Follower(settings.config(self._description.arm))
        self._watch.timeout = settings.clock_timeout

    def _on_pause(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        self._paused = request.data
        response.success = True
        response.message = "paused" if request.data else "resumed"
        return response

    def _cycle(self, wall: float) -> None:
        """One period: take what came in, step, publish."""
        begin = self.steady.now()
        clock = self.get_clock()
        now = nanoseconds(clock)
        dt, runs = self._watch.elapsed(wall, now, begin, clock.ros_time_is_active)
        self._states.poll(begin)
        self._twists.poll(begin, now, self._settings.value)
        twists, joints, follower = self._twists, self._states.merger, self._follower
        ages = (begin - twists.received, begin - joints.received)
        sensed = Sensed(
            dt,
            twists.twist,
            ages[0],
            joints.position,
            ages[1],
            twists.fault,
            self._paused or self._leaving,
            self._ownership.path_active,
            runs,
            twists.timeout,
        )
        outcome = follower.step(self._memory, sensed)
        self._memory = outcome.memory
        self._publish(follower, outcome, divmod(now, 10**9), ages, begin)

    def _publish(
        self,
        follower: Follower,
        outcome: Outcome,
        stamp: tuple[int, int],
        ages: tuple[float, float],
        begin: float,
    ) -> None:
        command, report, twists = outcome.command, outcome.report, self._twists
        if command is not None:
            self._command.publish(follower.ahead(outcome.memory, command), command.velocity)
        others = twists.others_in_base(ages[0], report.position[0] + report.position[1])
        if command is not None or report.commanded != (0.0, 0.0):
            self._report.publish_twists(stamp, report, others)
        problem = twists.problem if report.status in _INPUT_FAULTS else ""
        spent = self.steady.now() - begin
        note = twists.note if report.status >= 0 and ages[0] <= twists.timeout else ""
        self._report.publish_state(
            stamp, report, others[0], problem, note, ages, spent, self._paused
        )
        if not self._ownership.tell(outcome, self._settings.value.path_policy):
            self._at_rest.set()
            self._ownership.answer()

    def stop(self) -> None:
        """Ramp down, then end the loop."""
        self._leaving = True
        self._at_rest.clear()
        if self._loop.failure is None:
            self._at_rest.wait(STOP_TIME)
        self._loop.stop()
