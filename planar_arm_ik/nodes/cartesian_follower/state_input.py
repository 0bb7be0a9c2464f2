"""Joint states from ``joint_states``, read in the thread of the loop."""

from __future__ import annotations

from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

from planar_arm_ik.arm.joint_states import JointStateMerger
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.nodes.common.paced_loop import PolledSubscription
from planar_arm_ik.nodes.common.wire import JointStateReader, WireError

#: Enough for two publishers of one joint each, few enough for fast ones.
_STATES = QoSProfile(depth=4, reliability=ReliabilityPolicy.BEST_EFFORT)


class StateInput:
    """The newest measured angles of both joints.

    Args:
        node: the follower.
        description: joint names and limits.
    """

    def __init__(self, node: Node, description: ArmDescription) -> None:
        self._node = node
        self.merger = JointStateMerger(description.joint_names, description.arm.joints)
        self._states = PolledSubscription(node, JointState, "joint_states", _STATES, raw=True)
        self._reader = JointStateReader()

    def poll(self, monotonic: float) -> None:
        """Take what came in; `monotonic` is its receipt time [s]."""
        for data in self._states.take():
            try:
                problem = self.merger.update(*self._reader.read(data), monotonic)
            except WireError as error:
                problem = f"joint state ignored: {error}"
            if problem:
                self._node.get_logger().warning(problem, throttle_duration_sec=5.0)
