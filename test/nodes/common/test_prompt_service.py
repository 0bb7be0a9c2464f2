"""A service that answers in a thread of its own."""

import threading

import pytest

pytest.importorskip("rclpy")
from rclpy.impl.implementation_singleton import rclpy_implementation
from std_srvs.srv import SetBool

from planar_arm_ik.nodes.common.prompt_service import PromptService
from ros_support import peer


def echo(request, response):
    response.success = request.data
    response.message = threading.current_thread().name
    return response


@pytest.fixture
def both():
    with peer() as owner, peer() as client:
        yield owner, client


def test_it_answers_though_no_executor_spins(both):
    owner, client = both
    service = PromptService(owner.node, SetBool, "echo", echo)
    call = client.caller(SetBool, "echo")
    for number in range(50):
        reply = call(SetBool.Request(data=number % 2 == 1))
        assert reply.success == (number % 2 == 1)
        assert reply.message == "echo"
    service.stop()


def test_requests_that_wait_are_all_answered(both):
    owner, client = both
    gate = threading.Event()

    def held(request, response):
        gate.wait()
        return echo(request, response)

    service = PromptService(owner.node, SetBool, "held", held)
    asking = client.node.create_client(SetBool, "held")
    client.until(asking.service_is_ready, "the service")
    futures = [asking.call_async(SetBool.Request(data=True)) for _ in range(10)]
    gate.set()
    client.until(lambda: all(future.done() for future in futures), "all answers")
    service.stop()


def test_what_goes_wrong_in_it_ends_the_executor(both):
    owner, client = both

    def broken(request, response):
        raise RuntimeError("broken")

    service = PromptService(owner.node, SetBool, "broken", broken)
    asking = client.node.create_client(SetBool, "broken")
    client.until(asking.service_is_ready, "the service")
    asking.call_async(SetBool.Request())
    with pytest.raises(RuntimeError, match="broken"):
        owner.until(lambda: False, "the exception")
    service.stop()


def test_it_stops_at_once_and_only_once(both):
    owner, _ = both
    service = PromptService(owner.node, SetBool, "echo", echo)
    service.stop()
    assert "echo" not in {thread.name for thread in threading.enumerate()}
    service.stop()


def test_without_the_handles_the_executor_answers(both, monkeypatch):
    owner, client = both
    monkeypatch.delattr(rclpy_implementation, "WaitSet")
    made = PromptService(owner.node, SetBool, "echo", echo)
    monkeypatch.undo()
    asking = client.node.create_client(SetBool, "echo")
    client.until(asking.service_is_ready, "the service")
    future = asking.call_async(SetBool.Request(data=True))
    ring = threading.Event()
    spinner = threading.Thread(target=owner.until, args=(ring.is_set, "the end"), name="spinner")
    spinner.start()
    client.until(future.done, "the answer")
    ring.set()
    spinner.join()
    assert future.result().message == "spinner"
    made.stop()
