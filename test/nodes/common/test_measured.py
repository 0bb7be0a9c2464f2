"""The age of a joint state: a silent driver makes it stale, a busy node does not."""

import time

import pytest

pytest.importorskip("rclpy")
from sensor_msgs.msg import JointState

from planar_arm_ik.nodes.common.measured import MeasuredJoints
from ros_support import peer

TIMEOUT = 0.3


@pytest.fixture
def heard():
    with peer() as client:
        measured = MeasuredJoints(client.node, ("joint1", "joint2"))
        publisher = client.node.create_publisher(JointState, "joint_states", 10)
        client.connected(publisher)

        def send():
            publisher.publish(JointState(name=["joint1", "joint2"], position=[0.1, 0.2]))

        def arrived():
            send()
            return measured.fresh(TIMEOUT) is not None

        client.until(arrived, "a state")
        yield client, measured, send


def test_a_silent_driver_makes_the_state_stale(heard):
    client, measured, _ = heard
    client.until(lambda: measured.fresh(TIMEOUT) is None, "a stale state")
    assert measured.age() > TIMEOUT


def test_a_node_that_was_held_up_itself_does_not_blame_the_driver(heard):
    client, measured, send = heard
    end = time.monotonic() + 2.0 * TIMEOUT
    while time.monotonic() < end:  # the node's one thread is busy, the driver goes on
        send()
    assert measured.fresh(TIMEOUT) is not None
    ages = []
    client.until(lambda: ages.append(measured.age()) or len(ages) > 5, "the next cycles")
    assert max(ages) <= TIMEOUT
