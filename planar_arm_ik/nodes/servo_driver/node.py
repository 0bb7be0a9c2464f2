"""The arm's hardware side: commands in, joint states out, on real or simulated servos."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray

from planar_arm_ik.nodes.common.clocks import steady_timer
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.parameters import Parameters
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.servo_driver.arm_settings import settings_of
from planar_arm_ik.nodes.servo_driver.command_input import CommandInput
from planar_arm_ik.nodes.servo_driver.diagnostics import to_diagnostics
from planar_arm_ik.nodes.servo_driver.parameters import ServoDriverConfig
from planar_arm_ik.nodes.servo_driver.services import offer_services
from planar_arm_ik.nodes.servo_driver.state_output import StateOutput
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.control.loop import ServoLoop
from planar_arm_ik.servo.control.machine import ServoArm
from planar_arm_ik.servo.control.setpoints import Verdict
from planar_arm_ik.servo.settings.backends import make_bus, wire_warning


class ServoDriver(ArmNode):
    """Limp until enabled; then it follows commands, once one lies near the arm."""

    def __init__(self, **options: Any) -> None:
        super().__init__("servo_driver", **options)
        description = declare_description(self)
        config = Parameters(self, ServoDriverConfig).value
        settings = settings_of(config, description, self.get_parameter("prefix").value)
        self._names = description.joint_names
        self._bus = make_bus(settings)
        arm = ServoArm(self._bus, settings, self._say)
        try:
            arm.open()
        except BusError as error:
            raise ConnectionError(str(error)) from error
        self._dead: BaseException | None = None
        controlled, rate = config.command_interface == "joint_commands", settings.bus.rate
        states = StateOutput(self, self._names, 1.0 / rate, controlled)
        self._loop = ServoLoop(arm, rate, states.publish, self._on_end, self.steady)
        CommandInput(self, self._loop, self._names, controlled)
        offer_services(self, self._loop)
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", 10)
        steady_timer(self, 1.0, self._diagnose)
        warning = wire_warning(settings)
        if warning:
            self.get_logger().warning(warning)
        self._loop.start()
        if config.enable_on_start:
            self._loop.enable().add_done_callback(self._enabled_on_start)

    def _enabled_on_start(self, done: Future[Verdict]) -> None:
        verdict = done.result()
        self._say("info" if verdict.accepted else "error", verdict.message)

    def _on_end(self, error: BaseException | None) -> None:
        self._dead = error

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

    def stop(self) -> None:
        """Shut the arm down as chosen."""
        if not self._loop.stop():
            self.get_logger().error("the bus did not answer in time; the port is given up")
