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

from planar_arm_ik.inverse.options import SolverOptions
from planar_arm_ik.nodes.common.clocks import steady_timer
from planar_arm_ik.nodes.common.core_parameters import declared_in
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.frames import FrameError, Frames
from planar_arm_ik.nodes.common.interfaces import FollowerState
from planar_arm_ik.nodes.common.measured import MeasuredJoints
from planar_arm_ik.nodes.common.parameters import Parameters, parameter
from planar_arm_ik.nodes.common.runtime import ArmNode
from planar_arm_ik.nodes.views.marker_scene import MarkerScene
from planar_arm_ik.trajectories.tolerances import Tolerances

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
    state_timeout: float = declared_in(Tolerances, "state_timeout")


class Markers(ArmNode):
    """Publishes ``~/workspace`` once, latched, and ``~/scene`` at its rate."""

    def __init__(self, **options: Any) -> None:
        super().__init__("markers", **options)
        description = declare_description(self)
        self._settings = Parameters(self, MarkersConfig)
        self._frames = Frames(self, description.base_frame)
        self._measured = MeasuredJoints(self, description.joint_names, self.steady)
        self._scene = MarkerScene(description)
        self._state: FollowerState | None = None
        self._state_received = -math.inf
        self._drawn: set[tuple[str, int]] = set()
        self.create_subscription(PointStamped, "ik_server/target", self._on_target, 10)
        self.create_subscription(Path, "path_executor/plan", self._on_path, LATCHED)
        self.create_subscription(
            FollowerState, "cartesian_follower/state", self._on_state, qos_profile_sensor_data
        )
        workspace = self.create_publisher(MarkerArray, "~/workspace", LATCHED)
        self._publisher = self.create_publisher(MarkerArray, "~/scene", 1)
        workspace.publish(MarkerArray(markers=self._scene.workspace()))
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
            self._scene.target = float(x), float(y)

    def _on_path(self, message: Path) -> None:
        points = [(pose.pose.position.x, pose.pose.position.y) for pose in message.poses]
        path = np.array(points, dtype=np.float64).reshape(-1, 2)
        state = self._measured.fresh(self._settings.value.state_timeout)
        self._scene.show_path(path, None if state is None else state.q)

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
        self._publisher.publish(MarkerArray(markers=gone + markers))

    def _markers(self) -> list[Marker]:
        config = self._settings.value
        state = self._measured.fresh(config.state_timeout)
        silent = self.steady.now() - self._state_received >= _ARROW_AGE
        return self._scene.markers(
            None if state is None else state.q,
            config.branch_selection,
            None if silent else self._state,
        )
