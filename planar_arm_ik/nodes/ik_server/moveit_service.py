"""``~/compute_ik``: the solver behind ``moveit_msgs/srv/GetPositionIK``, for existing planners.

Only the position of the pose can be asked of two joints: the orientation is not looked at, as
with a position-only kinematics plugin of MoveIt. The functions work on any objects with the
fields of the messages, so they need no ``moveit_msgs``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.solution import IkSolution
from planar_arm_ik.nodes.common.frames import FrameError
from planar_arm_ik.nodes.ik_server.arm_solver import ArmSolver
from planar_arm_ik.status import IkStatus

__all__ = ["GetPositionIK", "answer_position_ik"]

try:
    from moveit_msgs.srv import GetPositionIK
except ImportError:
    GetPositionIK = None

#: A pose higher above the plane than this [m] is not reached by an arm in the plane.
FLAT = 1e-3


class RefusalError(PlanarArmError):
    """A request MoveIt has an error code for.

    Args:
        code: name of a constant of ``MoveItErrorCodes``.
        message: value and rule.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def answer_position_ik(
    solver: ArmSolver, request: Any, response: Any, warn: Callable[[str], Any]
) -> Any:
    """Answer a GetPositionIK request.

    Args:
        solver: arm, frames and parameters.
        request: the request's fields.
        response: the response's fields; its error code always says how it went.
        warn: where to say what of the request is ignored.

    Returns:
        The response.
    """
    asked = request.ik_request
    if asked.avoid_collisions:
        warn(
            "avoid_collisions is ignored: compute_ik looks at reach, joint limits and the arm's "
            "own keep-out shapes, not at a planning scene"
        )
    try:
        answer, message = _answer(solver, asked)
    except RefusalError as refusal:
        return _coded(response, refusal.code, str(refusal))
    except FrameError as error:
        return _coded(response, "FRAME_TRANSFORM_FAILURE", str(error))
    if answer.q is None:
        code = "INVALID_ROBOT_STATE" if answer.status is IkStatus.INVALID_INPUT else None
        return _coded(response, code or "NO_IK_SOLUTION", f"{answer.status.name}: {message}")
    _fill_state(response.solution, asked.robot_state, solver.description.joint_names, answer.q)
    return _coded(response, "SUCCESS", message)


def _answer(solver: ArmSolver, asked: Any) -> tuple[IkSolution, str]:
    pose = _pose(asked, solver.description.tip_frame)
    constraints = asked.constraints
    if any(
        len(getattr(constraints, f"{kind}_constraints"))
        for kind in ("joint", "position", "orientation", "visibility")
    ):
        raise RefusalError(
            "INVALID_GOAL_CONSTRAINTS", "constraints cannot be followed: leave them out"
        )
    state = asked.robot_state.joint_state
    try:
        seed, origin = solver.seed(state.name, state.position)
    except PlanarArmError as error:
        raise RefusalError("INVALID_ROBOT_STATE", str(error)) from None
    try:
        x, y, z = solver.target(pose.header.frame_id, pose.pose.position)
    except FrameError:
        raise
    except PlanarArmError as error:
        raise RefusalError("INVALID_GOAL_CONSTRAINTS", str(error)) from None
    if abs(z) > FLAT:
        raise RefusalError(
            "NO_IK_SOLUTION", f"the pose is {z:.6g} m off the plane; at most {FLAT} m is reached"
        )
    answer = solver.answer(x, y, "", seed)
    return answer, f"{answer.message}; {origin}" if answer.message else origin


def _pose(asked: Any, tip_frame: str) -> Any:
    """The one pose that is asked for, of the one link there is."""
    poses, links = list(asked.pose_stamped_vector), list(asked.ik_link_names)
    if not poses:
        poses, links = [asked.pose_stamped], [asked.ik_link_name]
    if len(poses) != 1:
        raise RefusalError(
            "INVALID_LINK_NAME", f"{len(poses)} poses are asked for; the arm has one tip"
        )
    for link in links:
        if link not in ("", tip_frame):
            raise RefusalError("INVALID_LINK_NAME", f"link {link!r} is not the tip {tip_frame!r}")
    return poses[0]


def _fill_state(solution: Any, given: Any, names: tuple[str, str], q: Any) -> None:
    """Copy the given state with both joints replaced; without one, both joints alone."""
    values = dict(zip(given.joint_state.name, given.joint_state.position, strict=True))
    values.update(zip(names, q.tolist(), strict=True))
    solution.joint_state.header = given.joint_state.header
    solution.joint_state.name = list(values)
    solution.joint_state.position = list(values.values())
    solution.multi_dof_joint_state = given.multi_dof_joint_state
    solution.attached_collision_objects = given.attached_collision_objects
    solution.is_diff = given.is_diff


def _coded(response: Any, code: str, message: str) -> Any:
    response.error_code.val = getattr(type(response.error_code), code)
    if hasattr(response.error_code, "message"):  # not in the oldest moveit_msgs
        response.error_code.message = message
        response.error_code.source = "planar_arm_ik"
    return response
