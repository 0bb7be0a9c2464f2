"""Receivers of a topic: counted, and new ones waited for."""

import time

import pytest

pytest.importorskip("rclpy")
from std_msgs.msg import Bool

from planar_arm_ik.nodes.common.receivers import Receivers
from ros_support import peer


def test_receivers_are_settled_only_when_none_of_them_is_new():
    with peer() as client:
        publisher = client.node.create_publisher(Bool, "settling", 10)
        receivers = Receivers(publisher)
        assert receivers.look() == 0
        assert not receivers.settled
        first = client.node.create_subscription(Bool, "settling", lambda _: None, 10)
        client.until(lambda: receivers.look() == 1, "a receiver")
        found = time.monotonic()
        assert not receivers.settled
        client.until(lambda: receivers.settled, "a settled receiver")
        assert time.monotonic() - found >= 0.4
        client.node.create_subscription(Bool, "settling", lambda _: None, 10)
        client.until(lambda: receivers.look() == 2, "another receiver")
        assert not receivers.settled
        client.until(lambda: receivers.settled, "both receivers")
        client.node.destroy_subscription(first)
