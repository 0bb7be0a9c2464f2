"""Inverse and forward kinematics as services."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from geometry_msgs.msg import Point, PointStamped
from sensor_msgs.msg import JointState

from planar_arm_ik.arm import Array
from planar_arm_ik.branches import Rule
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse import BOUNDARY_TOLERANCE
from planar_arm_ik.joint_states import JointStateMerger
from planar_arm_ik.nodes.description import declare_description
from planar_arm_ik.nodes.frames import FrameError, Frames
from planar_arm_ik.nodes.interfaces import IkCandidate, IkStatus, SolveFk, SolveIk
from planar_arm_ik.nodes.measured import MeasuredJoints
from planar_arm_ik.nodes.parameters import Parameters, parameter
from planar_arm_ik.nodes.runtime import ArmNode
from planar_arm_ik.solution import IkSolution
from planar_arm_ik.solver import solve
from planar_arm_ik.status import IkStatus as Status


@dataclasses.dataclass(frozen=True)
class IkServerConfig:
    """Parameters of the node."""

    branch_selection: str = parameter(
        "nearest", "rule that chooses the elbow", choices=[rule.value for rule in Rule]
    )
    metric: str = parameter("l2", "joint distance of `nearest`", choices=["l2", "l1", "linf"])
    weights: tuple[float, float] = parameter(
        (1.0, 1.0), "weights of the joints in the distance", lower=1e-6, upper=1e6
    )
    singular_threshold: float = parameter(
        0.0,
        "sigma_min below which an answer is SINGULAR [m/rad]; 0 = arm's own",
        lower=0.0,
        upper=10.0,
    )
    boundary_tolerance: float = parameter(
        BOUNDARY_TOLERANCE, "rounding band at the edges, part of the reach", lower=0.0, upper=1e-3
    )
    state_timeout: float = parameter(
        0.5, "age from which joint_states are no seed [s]", lower=0.01, upper=60.0
    )


class IkServer(ArmNode):
    """Services ``~/solve`` and ``~/forward``."""

    def __init__(self, **options: Any) -> None:
        super().__init__("ik_server", **options)
        self._description = declare_description(self)
        self._arm = self._description.arm
        self._settings = Parameters(self, IkServerConfig)
        self._frames = Frames(self, self._description.base_frame)
        self._measured = MeasuredJoints(self, self._description.joint_names)
        self.create_service(SolveIk, "~/solve", self._solve)
        self.create_service(SolveFk, "~/forward", self._forward)

    def _solve(self, request: SolveIk.Request, response: SolveIk.Response) -> SolveIk.Response:
        point = request.target.point
        given = np.array((point.x, point.y, point.z))
        if not np.isfinite(given).all():
            return _refuse(response, Status.INVALID_INPUT, f"target {given} m must be finite")
        try:
            target = self._frames.point_in_base(request.target.header.frame_id, given)
            seed, origin = self._seed(request.seed)
            answer = self._answer(request, target[:2], seed)
        except FrameError as error:
            return _refuse(response, Status.FRAME, str(error))
        except PlanarArmError as error:
            return _refuse(response, Status.INVALID_INPUT, str(error))
        response.off_plane = float(target[2])
        self._fill(response, answer, origin)
        return response

    def _answer(self, request: SolveIk.Request, target: Array, seed: Array | None) -> IkSolution:
        config = self._settings.value
        step = request.max_joint_step
        if not math.isfinite(step) or step < 0.0:
            raise PlanarArmError(f"max_joint_step {step} rad must be finite and not negative")
        return solve(
            self._arm,
            target,
            seed,
            request.rule or config.branch_selection,
            step or math.inf,
            config.metric,
            config.weights,
            singular_threshold=config.singular_threshold or None,
            boundary_tolerance=config.boundary_tolerance,
        )

    def _seed(self, message: JointState) -> tuple[Array | None, str]:
        """Return the seed and where it came from."""
        if message.name or message.position:
            return self._joints(message), "seed from the request"
        measured = self._measured.fresh(self._settings.value.state_timeout)
        if measured is None:
            return None, "no seed: no fresh joint_states"
        return measured.q, "seed from joint_states"

    def _joints(self, message: JointState) -> Array:
        """Both joint angles of a message, by name."""
        names = self._description.joint_names
        merger = JointStateMerger(names)
        problem = merger.update(message.name, message.position, (), 0.0)
        state = merger.state
        if problem or state is None:
            raise PlanarArmError(
                problem or f"a joint state needs finite positions of {names[0]} and {names[1]}"
            )
        return state.q

    def _fill(self, response: SolveIk.Response, answer: IkSolution, origin: str) -> None:
        response.status.code = int(answer.status)
        response.status.message = f"{answer.message}; {origin}" if answer.message else origin
        response.branch = int(answer.branch)
        response.shortfall = answer.shortfall
        response.sigma_min = answer.sigma_min
        if answer.nearest_point is not None:
            x, y = answer.nearest_point
            response.nearest_reachable = Point(x=x, y=y, z=0.0)
        names = self._description.joint_names
        for candidate in answer.candidates:
            response.candidates.append(
                IkCandidate(
                    branch=int(candidate.branch),
                    status=int(candidate.status),
                    position=candidate.q,
                    limiting_joint=dict(zip(("joint1", "joint2"), names, strict=True)).get(
                        candidate.limiting_joint, ""
                    ),
                    limit_margin=candidate.limit_margin,
                    distance=candidate.distance,
                    position_error=candidate.position_error,
                )
            )
        if answer.q is not None:
            response.solution.header.stamp = self.get_clock().now().to_msg()
            response.solution.name = list(names)
            response.solution.position = answer.q.tolist()

    def _forward(self, request: SolveFk.Request, response: SolveFk.Response) -> SolveFk.Response:
        try:
            q = self._joints(request.state)
        except PlanarArmError as error:
            return _refuse(response, Status.INVALID_INPUT, str(error))
        response.status.code = int(Status.OK)
        response.tip = self._stamped(self._arm.forward(q))
        response.elbow = self._stamped(self._arm.elbow(q))
        response.jacobian = self._arm.jacobian(q).ravel()
        response.sigma_max, response.sigma_min = map(float, self._arm.singular_values(q))
        return response

    def _stamped(self, point: Array) -> PointStamped:
        message = PointStamped()
        message.header.stamp = self.get_clock().now().to_msg()
        message.header.frame_id = self._description.base_frame
        message.point.x, message.point.y = map(float, point)
        return message


def _refuse(response: Any, status: Status, message: str) -> Any:
    response.status = IkStatus(code=int(status), message=message)
    return response
