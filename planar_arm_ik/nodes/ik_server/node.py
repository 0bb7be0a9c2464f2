"""Inverse and forward kinematics as services, for one target or a million, and as topics."""

from __future__ import annotations

from typing import Any

from geometry_msgs.msg import PointStamped
from sensor_msgs.msg import JointState

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.clocks import seconds_and_rest
from planar_arm_ik.nodes.common.frames import FrameError
from planar_arm_ik.nodes.common.interfaces import SolveFk, SolveIk, SolveIkBatch
from planar_arm_ik.nodes.common.prompt_service import PromptService
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.ik_server.batch import solve_batch_request
from planar_arm_ik.nodes.ik_server.desk import Desk
from planar_arm_ik.nodes.ik_server.messages import fill, refuse
from planar_arm_ik.nodes.ik_server.moveit_door import GetPositionIK, answer_position_ik
from planar_arm_ik.status import IkStatus


class IkServer(ArmNode):
    """Services ``~/solve``, ``~/solve_batch``, ``~/forward``, topic ``~/target``.

    ``~/compute_ik`` is there as well where ``moveit_msgs`` is installed.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__("ik_server", **options)
        self._desk = Desk(self)
        self._last: tuple[float, float] | None = None
        self.create_service(SolveIkBatch, "~/solve_batch", self._solve_batch)
        self.create_service(SolveFk, "~/forward", self._forward)
        self._solution = self.create_publisher(JointState, "~/solution", 10)
        self.create_subscription(PointStamped, "~/target", self._on_target, 10)
        if GetPositionIK is not None:
            self.create_service(GetPositionIK, "~/compute_ik", self._compute_ik)
        self._prompt = PromptService(self, SolveIk, "~/solve", self._solve)
        self.get_logger().info(self._desk.introduction())

    def destroy_node(self) -> None:
        """End the thread of ``~/solve``, then the node."""
        self._prompt.stop()
        super().destroy_node()

    def _solve(self, request: SolveIk.Request, response: SolveIk.Response) -> SolveIk.Response:
        desk, target = self._desk, request.target
        try:
            x, y, response.off_plane = desk.target(target.header.frame_id, target.point)
            seed, origin = desk.seed(request.seed.name, request.seed.position)
            answer = desk.answer(x, y, request.rule, seed, request.max_joint_step)
        except FrameError as error:
            return refuse(response, IkStatus.FRAME, str(error))
        except PlanarArmError as error:
            return refuse(response, IkStatus.INVALID_INPUT, str(error))
        fill(response, answer, desk.description.joint_names, origin)
        if answer.q is not None:
            stamp = response.solution.header.stamp
            stamp.sec, stamp.nanosec = seconds_and_rest(self.get_clock())
        return response

    def _solve_batch(
        self, request: SolveIkBatch.Request, response: SolveIkBatch.Response
    ) -> SolveIkBatch.Response:
        response.failed_index = -1
        try:
            return solve_batch_request(self._desk, request, response)
        except FrameError as error:
            return refuse(response, IkStatus.FRAME, str(error))
        except PlanarArmError as error:
            return refuse(response, IkStatus.INVALID_INPUT, str(error))

    def _on_target(self, message: PointStamped) -> None:
        """Publish the answer to a target, seeded by the measured state or the last answer."""
        desk = self._desk
        try:
            x, y, off_plane = desk.target(message.header.frame_id, message.point)
            seed, _ = desk.seed((), ())
            answer = desk.answer(x, y, "", self._last if seed is None else seed)
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
        solution = JointState(name=list(desk.description.joint_names), position=[q1, q2])
        solution.header.stamp = self.get_clock().now().to_msg()
        self._solution.publish(solution)

    def _forward(self, request: SolveFk.Request, response: SolveFk.Response) -> SolveFk.Response:
        arm, state = self._desk.arm, request.state
        try:
            q, origin = self._desk.seed(state.name, state.position)
        except PlanarArmError as error:
            return refuse(response, IkStatus.INVALID_INPUT, str(error))
        if q is None:
            return refuse(response, IkStatus.NO_STATE, "no state given, and no fresh joint_states")
        response.status.code = int(IkStatus.OK)
        response.status.message = origin.replace("seed", "state")
        response.tip = self._stamped(arm.forward(q))
        response.elbow = self._stamped(arm.elbow(q))
        response.jacobian = arm.jacobian(q).ravel()
        response.sigma_max, response.sigma_min = map(float, arm.singular_values(q))
        return response

    def _stamped(self, point: Array) -> PointStamped:
        message = PointStamped()
        message.header.stamp = self.get_clock().now().to_msg()
        message.header.frame_id = self._desk.description.base_frame
        message.point.x, message.point.y = map(float, point)
        return message

    def _compute_ik(self, request: Any, response: Any) -> Any:
        def warn(text: str) -> None:
            self.get_logger().warning(text, throttle_duration_sec=10.0)

        return answer_position_ik(self._desk, request, response, warn)
