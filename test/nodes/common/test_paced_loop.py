"""The paced loop and its polled subscriptions."""

import threading
import time

import pytest

pytest.importorskip("rclpy")
from rclpy.qos import QoSProfile
from std_msgs.msg import String

from planar_arm_ik.nodes.common.paced_loop import PacedLoop, PolledSubscription
from ros_support import DEADLINE, peer


def run_until(loop, enough):
    loop.start()
    assert enough.wait(DEADLINE)
    loop.stop()


def test_it_is_told_the_real_time_between_its_calls():
    times, told, enough = [], [], threading.Event()

    def work(elapsed):
        times.append(time.monotonic())
        told.append(elapsed)
        if len(times) == 50:
            enough.set()

    loop = PacedLoop(0.002, work, "test")
    run_until(loop, enough)
    assert loop.cycles >= 50
    assert sum(told[1:]) == pytest.approx(times[-1] - times[0], abs=2e-3)
    assert times[-1] - times[0] >= 0.98 * 0.002 * (len(times) - 1) - 0.002


def test_a_late_cycle_is_not_made_up_for():
    waits, enough = [], threading.Event()

    def work(elapsed):
        waits.append(elapsed)
        if len(waits) == 3:
            enough.wait(0.05)
        if len(waits) == 20:
            enough.set()

    loop = PacedLoop(0.005, work, "test")
    run_until(loop, enough)
    assert waits[3] >= 0.05
    assert loop.late >= 1
    assert sum(waits[4:]) >= 0.9 * 0.005 * (len(waits) - 5)


def test_an_exception_ends_the_loop_and_is_kept():
    ended = threading.Event()

    def work(_elapsed):
        ended.set()
        raise RuntimeError("broken")

    loop = PacedLoop(0.001, work, "test")
    run_until(loop, ended)
    assert str(loop.failure) == "broken"


def taken_all(client, publisher, polled, count):
    """Publish numbers, spinning the executor all the while, until `count` were taken."""
    taken = []

    def done():
        taken.extend(message.data for message in polled.take())
        if len(taken) < count:
            publisher.publish(String(data=str(len(taken))))
        return len(taken) >= count

    client.until(done, "messages")
    return taken


@pytest.mark.parametrize("by_handle", [True, False])
def test_polling_and_the_fallback_give_every_message_once(by_handle, monkeypatch):
    with peer() as client:
        if not by_handle:
            create, destroy = client.node.create_subscription, client.node.destroy_subscription

            class NoTake:
                """A subscription of an rclpy whose handle cannot be taken from."""

                handle = object()

            calls = []

            def first_without_take(*args, **kwargs):
                calls.append(args)
                return NoTake() if len(calls) == 1 else create(*args, **kwargs)

            monkeypatch.setattr(client.node, "create_subscription", first_without_take)
            monkeypatch.setattr(
                client.node,
                "destroy_subscription",
                lambda old: isinstance(old, NoTake) or destroy(old),
            )
        publisher = client.node.create_publisher(String, "polled", 10)
        polled = PolledSubscription(client.node, String, "polled", QoSProfile(depth=5))
        client.connected(publisher)
        taken = taken_all(client, publisher, polled, 100)
        assert len(taken) == 100


def test_of_many_messages_the_newest_remain():
    with peer() as client:
        publisher = client.node.create_publisher(String, "polled", 10)
        polled = PolledSubscription(client.node, String, "polled", QoSProfile(depth=2))
        client.connected(publisher)
        for number in range(9):
            publisher.publish(String(data=str(number)))
        seen = []
        client.until(
            lambda: seen.extend(polled.take()) or (seen[-1:] and seen[-1].data == "8"), "8"
        )
        assert len(seen) <= 9
