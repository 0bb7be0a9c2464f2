"""Inverse and forward kinematics as services, for one target or a million, and as topics."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import PointStamped
from sensor_msgs.msg import JointState

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.clocks import seconds_and_rest
from planar_arm_ik.nodes.common.frames import FrameError
from planar_arm_ik.nodes.common.interfaces import SolveFk, SolveIk, SolveIkBatch
from planar_arm_ik.nodes.common.prompt_service import PromptService
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.ik_server.arm_solver import ArmSolver
from planar_arm_ik.nodes.ik_server.batch import solve_batch_request
from planar_arm_ik.nodes.ik_server.forward import answer_forward
from planar_arm_ik.nodes.ik_server.messages import fill, refuse
from planar_arm_ik.nodes.ik_server.moveit_service import GetPositionIK, answer_position_ik
from planar_arm_ik.status import IkStatus


class IkServer(ArmNode):
    """Services ``~/solve``, ``~/solve_batch``, ``~/forward``, topic ``~/target``.

    ``~/compute_ik`` is there as well where ``moveit_msgs`` is installed.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__("ik_server", **options)
        self._solver = ArmSolver(self)
        self._last: tuple[float, float] | None = None
        self.create_service(SolveIkBatch, "~/solve_batch", self._solve_batch)
        self.create_service(SolveFk, "~/forward", self._forward)
        self._solution = self.create_publisher(JointState, "~/solution", 10)
        self.create_subscription(PointStamped, "~/target", self._on_target, 10)
        if GetPositionIK is not None:
            self.create_service(GetPositionIK, "~/compute_ik", self._compute_ik)
        self._prompt = PromptService(self, SolveIk, "~/solve", self._solve)
        self.get_logger().info(self._solver.introduction())

    def destroy_node(self) -> None:
        """End the thread of ``~/solve``, then the node."""
        self._prompt.stop()
        super().destroy_node()

    def _solve(self, request: SolveIk.Request, response: SolveIk.Response) -> SolveIk.Response:
        solver, target = self._solver, request.target
        try:
            x, y, response.off_plane = solver.target(target.header.frame_id, target.point)
            seed, origin = solver.seed(request.seed.name, request.seed.position)
            answer = solver.answer(x, y, request.rule, seed, request.max_joint_step)
        except FrameError as error:
            return refuse(response, IkStatus.FRAME, str(error))
        except PlanarArmError as error:
            return refuse(response, IkStatus.INVALID_INPUT, str(error))
        fill(response, answer, solver.description.joint_names, origin)
        if answer.q is not None:
            stamp = response.solution.header.stamp
            stamp.sec, stamp.nanosec = seconds_and_rest(self.get_clock())
        return response

    def _solve_batch(
        self, request: SolveIkBatch.Request, response: SolveIkBatch.Response
    ) -> SolveIkBatch.Response:
        response.failed_index = -1
        try:
            return solve_batch_request(self._solver, request, response)
        except FrameError as error:
            return refuse(response, IkStatus.FRAME, str(error))
        except PlanarArmError as error:
            return refuse(response, IkStatus.INVALID_INPUT, str(error))

    def _on_target(self, message: PointStamped) -> None:
        """Publish the answer to a target, seeded by the measured state or the last answer."""
        solver = self._solver
        try:
            x, y, off_plane = solver.target(message.header.frame_id, message.point)
            seed, _ = solver.seed((), ())
            answer = solver.answer(x, y, "", self._last if seed is None else seed)
        except PlanarArmError as error:
            self.get_logger().warning(f"target refused: {error}", throttle_duration_sec=1.0)
            return
        if answer.q is None:
            self.get_logger().warning(
                f"target refused: {answer.status.name}: {answer.message}",
                throttle_duration_sec=1.0,
            )
            return
        if abs(off_plane) > 1e-6:
            self.get_logger().info(
                f"the target is {off_plane:.3g} m off the plane", throttle_duration_sec=1.0
            )
        q1, q2 = self._last = answer.q.tolist()
        solution = JointState(name=list(solver.description.joint_names), position=[q1, q2])
        solution.header.stamp = self.get_clock().now().to_msg()
        self._solution.publish(solution)

    def _forward(self, request: SolveFk.Request, response: SolveFk.Response) -> SolveFk.Response:
        return answer_forward(self._solver, request, response, self.get_clock().now().to_msg())

    def _compute_ik(self, request: Any, response: Any) -> Any:
        def warn(text: str) -> None:
            self.get_logger().warning(text, throttle_duration_sec=10.0)

        return answer_position_ik(self._solver, request, response, warn)
