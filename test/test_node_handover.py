"""Twist and path hand the arm over: follower, executor and simulated driver over real DDS."""

import itertools
from contextlib import contextmanager

import numpy as np
import pytest

pytest.importorskip("rclpy")
from geometry_msgs.msg import TwistStamped
from rclpy.action import ActionClient
from sensor_msgs.msg import JointState

from arms import DEFAULT
from planar_arm_ik.nodes.interfaces import ExecutePath, FollowerState
from planar_arm_ik.nodes.path_client import path_message
from planar_arm_ik.status import FollowerState as S
from planar_arm_ik.status import IkStatus
from ros_support import nodes, peer

START = (0.3, 1.2)
PATH = [(0.5, 0.45), (0.4, 0.45), (0.4, 0.35)]


class Arm:
    """Listeners of the whole arm, a twist that is repeated, and the path's client."""

    def __init__(self, client, name):
        self.peer = client
        self.joints = client.collect(JointState, f"/{name}/joint_states", 1000)
        self.states = client.collect(FollowerState, f"/{name}/cartesian_follower/state", 1000)
        self.twist = None
        topic = f"/{name}/cartesian_follower/twist"
        self._twists = client.node.create_publisher(TwistStamped, topic, 10)
        client.node.create_timer(0.02, self._repeat)
        self.action = ActionClient(client.node, ExecutePath, f"/{name}/path_executor/execute_path")
        client.until(self.action.server_is_ready, "the action server")
        client.until(lambda: self.joints and self.states, "states")
        client.connected(self._twists)

    def _repeat(self):
        if self.twist is not None:
            message = TwistStamped()
            message.twist.linear.x, message.twist.linear.y = self.twist
            self._twists.publish(message)

    def until(self, status, since=None):
        """Wait for a state message with a status, new or from `since` on."""
        seen = len(self.states) if since is None else since
        self.peer.until(lambda: any(m.status == status for m in self.states[seen:]), status.name)

    def send(self):
        future = self.action.send_goal_async(
            ExecutePath.Goal(path=path_message(PATH), tip_speed=0.1)
        )
        self.peer.until(future.done, "acceptance")
        return future.result().get_result_async()

    def result(self, future):
        self.peer.until(future.done, "the result")
        return future.result().result.status

    def assert_smooth(self):
        """Nowhere does a joint leap: neither in position nor in speed."""
        stamps = [m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec for m in self.joints]
        for (a, t), (b, u) in itertools.pairwise(zip(self.joints, stamps, strict=True)):
            step = np.abs(np.subtract(b.position, a.position)).max()
            assert step <= 2.0 * (u - t) + 0.02


@contextmanager
def whole_arm(name, *parameters):
    space = ["-r", f"__ns:=/{name}"]
    driver = ["-p", f"initial_position:={list(START)}", "-p", "enable_on_start:=true"]
    extra = [item for value in parameters for item in ("-p", value)]
    with (
        nodes(["servo_driver"], *space, *driver),
        nodes(["path_executor"], *space),
        nodes(["cartesian_follower"], *space, *extra),
        peer() as client,
    ):
        yield Arm(client, name)


def test_a_path_waits_until_the_twist_has_let_go_and_the_twist_until_the_path_ends():
    with whole_arm("holding") as arm:
        arm.twist = (-0.1, 0.0)
        arm.until(S.OK)
        seen = len(arm.states)
        result = arm.result(arm.send())
        assert result.code == IkStatus.OK, result.message
        arm.until(S.PATH_ACTIVE, seen)
        tip = DEFAULT.forward(arm.joints[-1].position)
        np.testing.assert_allclose(tip, PATH[-1], atol=0.02)
        arm.until(S.OK)
        arm.assert_smooth()


def send_until_heard(arm):
    """Send the path; once more while follower and executor have not found each other yet."""
    seen = len(arm.states)

    def active():
        return any(m.status == S.PATH_ACTIVE for m in arm.states[seen:])

    for _ in range(5):
        result = arm.send()
        arm.peer.until(lambda result=result: active() or result.done(), "PATH_ACTIVE or an end")
        if active():
            return result
        assert arm.result(result).code == IkStatus.OK
    raise AssertionError("the follower never heard of the path")


def test_by_policy_the_twist_takes_the_arm_from_a_path():
    with whole_arm("taking", "path_policy:=preempt") as arm:
        result = send_until_heard(arm)
        arm.twist = (-0.05, 0.0)
        status = arm.result(result)
        assert status.code == IkStatus.PREEMPTED
        assert "cartesian_follower" in status.message
        arm.until(S.OK)
        assert arm.result(arm.send()).code == IkStatus.PREEMPTED
        arm.until(S.OK)
        arm.assert_smooth()
