"""The arm's hardware side: commands in, joint states out, on real or simulated servos."""

from __future__ import annotations

import dataclasses
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool, Trigger
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.clocks import steady_timer
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.parameters import Parameters, parameter
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.common.trajectory_messages import from_message, to_message
from planar_arm_ik.nodes.servo_driver.messages import to_diagnostics
from planar_arm_ik.nodes.servo_driver.setup import settings_of
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.control.loop import ServoLoop
from planar_arm_ik.servo.control.machine import ServoArm
from planar_arm_ik.servo.control.report import ArmReport, ArmState
from planar_arm_ik.servo.control.setpoints import Verdict
from planar_arm_ik.servo.settings.backends import make_bus, wire_warning
from planar_arm_ik.servo.settings.settings import BACKENDS, ON_SHUTDOWN
from planar_arm_ik.trajectories.trajectory import Trajectory

#: Longest wait of a service for the bus thread [s].
_ANSWER_TIME = 2.0
_NEWEST = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)


@dataclasses.dataclass(frozen=True)
class ServoDriverConfig:
    """Parameters of the node."""

    hardware: str = parameter(
        "sim", "what drives the joints", choices=list(BACKENDS), read_only=True
    )
    calibration: str = parameter(
        "", "YAML file of bus and joints; sim runs without one", read_only=True
    )
    port: str = parameter("", "serial port instead of the file's", read_only=True)
    rate: float = parameter(
        0.0,
        "bus cycles and joint_states [Hz]; 0 = the file's, or 100 of an ideal sim",
        lower=0.0,
        upper=500.0,
        read_only=True,
    )
    command_interface: str = parameter(
        "joint_trajectory",
        "joint_trajectory, or joint_commands of ros2_control's topic-based system",
        choices=["joint_trajectory", "joint_commands"],
        read_only=True,
    )
    on_shutdown: str = parameter(
        "", "instead of the file's", choices=["", *ON_SHUTDOWN], read_only=True
    )
    initial_position: tuple[float, float] = parameter(
        (0.0, 0.0), "joint angles of an ideal sim at start [rad]", read_only=True
    )
    enable_on_start: bool = parameter(
        False, "hold and follow commands without a call of ~/enable", read_only=True
    )


class ServoDriver(ArmNode):
    """Limp until enabled; then it follows commands, once one lies near the arm."""

    def __init__(self, **options: Any) -> None:
        super().__init__("servo_driver", **options)
        description = declare_description(self)
        config = Parameters(self, ServoDriverConfig).value
        settings = settings_of(config, description, self.get_parameter("prefix").value)
        self._names = description.joint_names
        self._bus = make_bus(settings)
        self._arm = ServoArm(self._bus, settings, self._say)
        try:
            self._arm.open()
        except BusError as error:
            raise ConnectionError(str(error)) from error
        self._period = 1.0 / settings.bus.rate
        self._previous: tuple[float, tuple[float, ...]] | None = None
        self._was = ArmState.LIMP
        self._dead: BaseException | None = None
        self._publishing = threading.Lock()
        self._wire_up(config.command_interface == "joint_commands")
        warning = wire_warning(settings)
        if warning:
            self.get_logger().warning(warning)
        self._loop = ServoLoop(
            self._arm, settings.bus.rate, self._on_cycle, self._on_end, self.steady
        )
        self._loop.start()
        if config.enable_on_start:
            self._loop.enable().add_done_callback(self._enabled_on_start)

    def _wire_up(self, controlled: bool) -> None:
        """Topics of one of the two interfaces, services, diagnostics."""
        states = "~/joint_states" if controlled else "joint_states"
        self._states = self.create_publisher(JointState, states, 10)
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", 10)
        self._hold: Any = None
        if controlled:
            self._hold = self.create_publisher(JointTrajectory, "joint_trajectory", 10)
            self.create_subscription(JointState, "~/joint_commands", self._on_command, _NEWEST)
        else:
            self.create_subscription(JointTrajectory, "joint_trajectory", self._on_trajectory, 10)
        self.create_service(SetBool, "~/enable", self._on_enable)
        self.create_service(Trigger, "~/relax", self._on_relax)
        steady_timer(self, 1.0, self._diagnose)

    def _on_enable(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        return _fill(response, self._loop.enable() if request.data else self._loop.relax())

    def _on_relax(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        return _fill(response, self._loop.relax())

    def _enabled_on_start(self, done: Future[Verdict]) -> None:
        verdict = done.result()
        self._say("info" if verdict.accepted else "error", verdict.message)

    def _on_trajectory(self, message: JointTrajectory) -> None:
        if not self._ready():
            return
        if not message.points:
            self._loop.stay()
            return
        try:
            trajectory = from_message(message, self._names)
        except PlanarArmError as error:
            self.get_logger().error(f"trajectory refused: {error}", throttle_duration_sec=1.0)
            return
        stamp = message.header.stamp
        given = stamp.sec + 1e-9 * stamp.nanosec
        delay = given - 1e-9 * self.get_clock().now().nanoseconds if given else 0.0
        self._loop.play(trajectory, delay)

    def _on_command(self, message: JointState) -> None:
        if not self._ready():
            return
        if len(message.position) != len(message.name):
            self._say_sometimes(
                f"command ignored: {len(message.name)} names, {len(message.position)} positions"
            )
            return
        by_name = dict(zip(message.name, message.position, strict=True))
        missing = [name for name in self._names if name not in by_name]
        if missing:
            self._say_sometimes(f"command ignored: it lacks {missing}")
            return
        self._loop.command([by_name[name] for name in self._names])

    def _ready(self) -> bool:
        state = self._loop.report.state
        if state is not ArmState.ENABLED:
            self._say_sometimes(f"command ignored: {state.name.lower()}; call ~/enable")
        return state is ArmState.ENABLED

    def _on_cycle(self, report: ArmReport) -> None:
        """Publish from the bus thread, so that a state is never older than its reading."""
        with self._publishing:
            if self._was is not ArmState.ENABLED and report.state is ArmState.ENABLED:
                self._hold_here(report)
            self._was = report.state
            if not report.fresh or report.position is None:
                return
            now = self.steady.now()
            message = JointState(name=list(self._names))
            message.header.stamp = self.get_clock().now().to_msg()
            message.position = list(report.position)
            message.velocity = self._velocity(now, report.position)
            self._states.publish(message)

    def _on_end(self, error: BaseException | None) -> None:
        self._dead = error

    def _velocity(self, now: float, position: tuple[float, ...]) -> list[float]:
        before, self._previous = self._previous, (now, position)
        if before is None or not 0.0 < now - before[0] < 1.0:
            return [0.0] * len(position)
        dt = now - before[0]
        return [(q - old) / dt for q, old in zip(position, before[1], strict=True)]

    def _hold_here(self, report: ArmReport) -> None:
        """Bring the hold of a trajectory controller to where the arm is."""
        if self._hold is not None and report.position is not None:
            here = Trajectory(np.array([self._period]), np.array([report.position]), None)
            self._hold.publish(to_message(here, self._names))

    def _diagnose(self) -> None:
        if self._dead is not None:
            raise RuntimeError(f"the bus loop ended: {self._dead!r}") from self._dead
        array = DiagnosticArray()
        array.header.stamp = self.get_clock().now().to_msg()
        array.status = [
            to_diagnostics(
                self._loop.report,
                self.get_fully_qualified_name(),
                self._bus.address,
                self._names,
                self._loop.periods(),
            )
        ]
        self._diagnostics.publish(array)

    def _say(self, level: str, text: str) -> None:
        # One line per level: rclpy refuses another severity from the same line of code.
        logger = self.get_logger()
        if level == "error":
            logger.error(text)
        elif level == "warning":
            logger.warning(text)
        else:
            logger.info(text)

    def _say_sometimes(self, text: str) -> None:
        self.get_logger().warning(text, throttle_duration_sec=5.0)

    def stop(self) -> None:
        """Shut the arm down as chosen."""
        if not self._loop.stop():
            self.get_logger().error("the bus did not answer in time; the port is given up")


def _fill(response: Any, asked: Future[Verdict]) -> Any:
    """Wait for the bus thread, which answers between two cycles, and fill the response."""
    try:
        verdict = asked.result(_ANSWER_TIME)
    except FutureTimeout:
        verdict = Verdict(False, f"the bus did not answer in {_ANSWER_TIME} s")
    response.success, response.message = verdict.accepted, verdict.message
    return response
