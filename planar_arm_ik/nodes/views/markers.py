"""The scene for RViz: ring, ghosts of both elbows, target, path and velocity arrows."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from geometry_msgs.msg import PointStamped
from nav_msgs.msg import Path
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from visualization_msgs.msg import Marker, MarkerArray

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.inverse.branches import Rule
from planar_arm_ik.inverse.options import SolverOptions
from planar_arm_ik.inverse.solver import solve
from planar_arm_ik.nodes.common.clocks import steady_timer
from planar_arm_ik.nodes.common.core_parameters import declared_in
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.frames import FrameError, Frames
from planar_arm_ik.nodes.common.interfaces import FollowerState
from planar_arm_ik.nodes.common.measured import MeasuredJoints
from planar_arm_ik.nodes.common.parameters import Parameters, parameter
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.views.marker_messages import MarkerMaker
from planar_arm_ik.paths.planner import plan_path
from planar_arm_ik.scene.arrows import velocity_arrows
from planar_arm_ik.scene.paths import PathPicture, path_picture

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

#: Arrows vanish when the follower has been silent for so long [s].
_ARROW_AGE = 0.5


@dataclasses.dataclass(frozen=True)
class MarkersConfig:
    """Parameters of the node."""

    branch_selection: str = declared_in(SolverOptions, "rule")
    rate: float = parameter(
        10.0, "rate of the markers [Hz]", lower=0.5, upper=60.0, read_only=True
    )
    state_timeout: float = parameter(
        0.5, "age from which joint_states are stale [s]", lower=0.05, upper=10.0
    )


class Markers(ArmNode):
    """Publishes ``~/workspace`` once, latched, and ``~/scene`` at its rate."""

    def __init__(self, **options: Any) -> None:
        super().__init__("markers", **options)
        description = declare_description(self)
        self._arm, self._obstacles = description.arm, description.obstacles
        self._settings = Parameters(self, MarkersConfig)
        self._frames = Frames(self, description.base_frame)
        self._measured = MeasuredJoints(self, description.joint_names, self.steady)
        self._maker = MarkerMaker(self._arm, description.base_frame, self._obstacles)
        self._target: tuple[float, float] | None = None
        self._path = PathPicture((), ())
        self._state: FollowerState | None = None
        self._state_received = -math.inf
        self._drawn: set[tuple[str, int]] = set()
        self.create_subscription(PointStamped, "ik_server/target", self._on_target, 10)
        self.create_subscription(Path, "path_executor/plan", self._on_path, LATCHED)
        self.create_subscription(
            FollowerState, "cartesian_follower/state", self._on_state, qos_profile_sensor_data
        )
        workspace = self.create_publisher(MarkerArray, "~/workspace", LATCHED)
        self._scene = self.create_publisher(MarkerArray, "~/scene", 1)
        workspace.publish(MarkerArray(markers=self._maker.workspace()))
        steady_timer(self, 1.0 / self._settings.value.rate, self._publish)

    def _on_target(self, message: PointStamped) -> None:
        given = message.point
        try:
            x, y, _ = self._frames.point_in_base(
                message.header.frame_id, np.array((given.x, given.y, given.z))
            )
        except FrameError as error:
            self.get_logger().warning(str(error), throttle_duration_sec=5.0)
            return
        if math.isfinite(x) and math.isfinite(y):
            self._target = float(x), float(y)

    def _on_path(self, message: Path) -> None:
        points = [(pose.pose.position.x, pose.pose.position.y) for pose in message.poses]
        path = np.array(points, dtype=np.float64).reshape(-1, 2)
        state = self._measured.fresh(self._settings.value.state_timeout)
        q = None if state is None else state.q
        # The executor found a way past the shapes, perhaps by the global search.
        for search in ("greedy", "global"):
            plan = plan_path(
                self._arm, path, q, search=search, allow_branch_switch=True,
                obstacles=self._obstacles,
            )  # fmt: skip
            if plan.ok:
                break
        self._path = path_picture(self._arm, plan.q, plan.branches)

    def _on_state(self, message: FollowerState) -> None:
        self._state, self._state_received = message, self.steady.now()

    def _publish(self) -> None:
        """Send all that is to be seen, and take away what is not any more."""
        markers = self._markers()
        now = {(marker.ns, marker.id) for marker in markers}
        gone = [
            Marker(ns=space, id=number, action=Marker.DELETE)
            for space, number in sorted(self._drawn - now)
        ]
        self._drawn = now
        self._scene.publish(MarkerArray(markers=gone + markers))

    def _markers(self) -> list[Marker]:
        config = self._settings.value
        state = self._measured.fresh(config.state_timeout)
        q = None if state is None else state.q
        markers: list[Marker] = []
        if self._target is not None:
            rule = config.branch_selection
            if q is None and rule == Rule.KEEP.value:
                rule = Rule.NEAREST.value
            solution = solve(self._arm, self._target, q, rule, obstacles=self._obstacles)
            markers += self._maker.target(self._target, solution)
        markers += self._maker.path(self._path)
        if q is not None and self.steady.now() - self._state_received < _ARROW_AGE:
            markers += self._arrows(q)
        return markers

    def _arrows(self, q: Array) -> list[Marker]:
        state = self._state
        if state is None:
            return []
        commanded, achieved, residual = (
            (vector.x, vector.y) for vector in (state.commanded, state.achieved, state.residual)
        )
        longest = 0.4 * self._arm.outer_radius
        tip = self._arm.forward(q)
        return self._maker.arrows(
            velocity_arrows(tip, commanded, achieved, residual, longest=longest)
        )
