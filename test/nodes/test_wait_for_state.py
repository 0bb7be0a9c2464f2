"""wait_for_state over real DDS: launch files wait for its end."""

import pytest

pytest.importorskip("rclpy")
from sensor_msgs.msg import JointState

from ros_support import DEADLINE, peer, start


def test_it_ends_well_only_after_both_joints_have_been_measured():
    process = start(["wait_for_state"], "-p", "prefix:=left_")
    try:
        with peer() as client:
            publisher = client.node.create_publisher(JointState, "joint_states", 10)
            client.connected(publisher)
            publisher.publish(JointState(name=["left_joint1"], position=[0.1]))
            publisher.publish(JointState(name=["joint1", "joint2"], position=[0.1, 0.2]))
            publisher.publish(JointState(name=["left_joint2"], position=[float("nan")]))
            ended = []
            client.node.create_timer(0.3, lambda: ended.append(process.poll()))
            client.until(lambda: ended, "a look at the process")
            assert ended[0] is None

            def measured():
                for joint in ("left_joint1", "left_joint2"):
                    publisher.publish(JointState(name=[joint], position=[0.2]))
                return process.poll() is not None

            client.until(measured, "the end")
        _, errors = process.communicate(timeout=DEADLINE)
        assert process.returncode == 0
        assert "waiting for the first joint state of left_joint1 and left_joint2" in errors
    finally:
        if process.poll() is None:
            process.kill()
