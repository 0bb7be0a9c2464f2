"""``~/enable`` and ``~/relax``: asked of the bus thread, which answers between two cycles."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any

from rclpy.node import Node
from std_srvs.srv import SetBool, Trigger

from planar_arm_ik.servo.control.loop import ServoLoop
from planar_arm_ik.servo.control.setpoints import Verdict

#: Longest wait of a service for the bus thread [s].
_ANSWER_TIME = 2.0


def offer_services(node: Node, loop: ServoLoop) -> None:
    """Create the services that switch the servos on and off."""

    def enable(request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        return _fill(response, loop.enable() if request.data else loop.relax())

    def relax(_: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        return _fill(response, loop.relax())

    node.create_service(SetBool, "~/enable", enable)
    node.create_service(Trigger, "~/relax", relax)


def _fill(response: Any, asked: Future[Verdict]) -> Any:
    """Wait for the verdict and fill the response."""
    try:
        verdict = asked.result(_ANSWER_TIME)
    except FutureTimeout:
        verdict = Verdict(False, f"the bus did not answer in {_ANSWER_TIME} s")
    response.success, response.message = verdict.accepted, verdict.message
    return response
