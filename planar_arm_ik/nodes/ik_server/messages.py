"""Answers of the core as messages of the services."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import Point

from planar_arm_ik.inverse.solution import IkSolution
from planar_arm_ik.nodes.common.interfaces import IkCandidate, IkStatus, SolveIk
from planar_arm_ik.status import IkStatus as Status


def refuse(response: Any, status: Status, message: str) -> Any:
    """Give a response its refusal."""
    response.status = IkStatus(code=int(status), message=message)
    return response


def fill(
    response: SolveIk.Response, answer: IkSolution, joint_names: tuple[str, str], origin: str
) -> None:
    """Write an answer into a response of ``~/solve``; `origin` says where the seed came from."""
    response.status.code = int(answer.status)
    response.status.message = f"{answer.message}; {origin}" if answer.message else origin
    response.branch = int(answer.branch)
    response.shortfall = answer.shortfall
    response.sigma_min = answer.sigma_min
    if answer.nearest_point is not None:
        x, y = answer.nearest_point
        response.nearest_reachable = Point(x=x, y=y, z=0.0)
    names = {"": "", "joint1": joint_names[0], "joint2": joint_names[1]}
    response.candidates = [
        IkCandidate(
            branch=int(candidate.branch),
            status=int(candidate.status),
            position=candidate.q,
            limiting_joint=names[candidate.limiting_joint],
            limit_margin=candidate.limit_margin,
            distance=candidate.distance,
            position_error=candidate.position_error,
        )
        for candidate in answer.candidates
    ]
    if answer.q is not None:
        response.solution.name = list(joint_names)
        response.solution.position = answer.q.tolist()
