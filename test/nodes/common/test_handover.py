"""Twist and path hand the arm over: follower, executor and simulated driver over real DDS."""

import itertools
import signal
from contextlib import contextmanager, nullcontext

import numpy as np
import pytest

pytest.importorskip("rclpy")
from geometry_msgs.msg import TwistStamped
from sensor_msgs.msg import JointState

from arms import DEFAULT
from planar_arm_ik.nodes.common.interfaces import ExecutePath, FollowerState
from planar_arm_ik.nodes.path_executor.client import path_message
from planar_arm_ik.status import FollowerState as S
from planar_arm_ik.status import IkStatus
from ros_support import DEADLINE, PATIENT, nodes, peer, start

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
        client.node.create_timer(0.02, self.repeat)
        client.until(lambda: self.joints and self.states, "states")
        client.connected(self._twists)

    def connect(self, name):
        """Wait for the action."""
        self.action = self.peer.action(ExecutePath, f"/{name}/path_executor/execute_path")

    def repeat(self):
        if self.twist is not None:
            message = TwistStamped()
            message.twist.linear.x, message.twist.linear.y = self.twist
            self._twists.publish(message)

    def until(self, status, since=None):
        """Wait for a state message with a status, new or from `since` on."""
        seen = len(self.states) if since is None else since
        self.peer.until(lambda: any(m.status == status for m in self.states[seen:]), status.name)

    def rest(self):
        """Wait until the measured position stays the same to the last bit."""

        def same():
            last = [tuple(m.position) for m in self.joints[-5:]]
            return len(last) == 5 and len(set(last)) == 1

        self.peer.until(same, "rest")

    def send(self, path=PATH, tip_speed=0.1):
        future = self.action.send_goal_async(
            ExecutePath.Goal(path=path_message(path), tip_speed=tip_speed)
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
def whole_arm(name, *parameters, executor=True):
    space = ["-r", f"__ns:=/{name}"]
    driver = ["-p", f"initial_position:={list(START)}", "-p", "enable_on_start:=true"]
    extra = [item for value in parameters for item in ("-p", value)]
    with (
        nodes(["servo_driver"], *space, *driver),
        nodes(["path_executor"], *space, *PATIENT, "-p", "state_timeout:=5.0")
        if executor
        else nullcontext(),
        nodes(["cartesian_follower"], *space, *extra),
        peer() as client,
    ):
        arm = Arm(client, name)
        if executor:
            arm.connect(name)
        yield arm


def test_a_path_waits_until_the_twist_has_let_go_and_the_twist_until_the_path_ends():
    with whole_arm("holding") as arm:
        arm.twist = (-0.1, 0.0)
        arm.until(S.OK)
        seen = len(arm.states)
        result = arm.result(arm.send())
        assert result.code == IkStatus.OK, result.message
        arm.until(S.PATH_ACTIVE, seen)
        arm.until(S.OK)
        tips = DEFAULT.forward([m.position for m in arm.joints])
        assert np.hypot(*(tips - PATH[-1]).T).min() < 0.02
        arm.assert_smooth()


def test_a_twist_and_a_path_of_the_same_instant_do_not_disturb_each_other():
    with whole_arm("colliding") as arm:
        for _ in range(4):
            arm.twist = (-0.05, 0.0)
            arm.repeat()
            result = arm.result(arm.send(PATH[:1], 0.0))
            assert result.code == IkStatus.OK, result.message
            arm.twist = None
            arm.until(S.IDLE)
            assert arm.result(arm.send(PATH[-1:], 0.0)).code == IkStatus.OK
        arm.assert_smooth()


def test_a_path_with_nothing_to_do_gives_the_arm_back_to_the_twist():
    with whole_arm("idle") as arm:
        arm.twist = (-0.05, 0.0)
        arm.until(S.OK)
        arm.twist = (0.0, 0.0)
        arm.until(S.IDLE)
        for _ in range(5):  # on a busy machine rest may be a pause
            arm.rest()
            here = tuple(DEFAULT.forward(arm.joints[-1].position).tolist())
            result = arm.result(arm.send([here]))
            assert result.code == IkStatus.OK
            if "nothing to do" in result.message:
                break
        assert "nothing to do" in result.message
        arm.twist = (-0.05, 0.0)
        arm.until(S.OK)


def test_an_executor_that_leaves_amid_its_path_gives_the_arm_back():
    with whole_arm("leaving", executor=False) as arm:
        process = start(["path_executor"], *PATIENT, "-r", "__ns:=/leaving")
        try:
            arm.connect("leaving")
            arm.send()
            arm.until(S.PATH_ACTIVE)
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(DEADLINE) == 0
        arm.twist = (-0.05, 0.0)
        arm.until(S.OK)


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
