"""``~/forward``: where tip and elbow are for joint angles, and how the tip moves with them."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import PointStamped

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.interfaces import SolveFk
from planar_arm_ik.nodes.ik_server.arm_solver import ArmSolver
from planar_arm_ik.nodes.ik_server.messages import refuse
from planar_arm_ik.status import IkStatus


def answer_forward(
    solver: ArmSolver, request: SolveFk.Request, response: SolveFk.Response, stamp: Any
) -> SolveFk.Response:
    """Answer one request; `stamp` is the time of the answer, a message."""
    arm, state, frame = solver.arm, request.state, solver.description.base_frame
    try:
        q, origin = solver.seed(state.name, state.position)
    except PlanarArmError as error:
        return refuse(response, IkStatus.INVALID_INPUT, str(error))
    if q is None:
        return refuse(response, IkStatus.NO_STATE, "no state given, and no fresh joint_states")
    response.status.code = int(IkStatus.OK)
    response.status.message = origin.replace("seed", "state")
    response.tip = _point(arm.forward(q), frame, stamp)
    response.elbow = _point(arm.elbow(q), frame, stamp)
    response.jacobian = arm.jacobian(q).ravel()
    response.sigma_max, response.sigma_min = map(float, arm.singular_values(q))
    return response


def _point(point: Array, frame: str, stamp: Any) -> PointStamped:
    message = PointStamped()
    message.header.frame_id, message.header.stamp = frame, stamp
    message.point.x, message.point.y = map(float, point)
    return message
