"""What a node lacks is told after two seconds and about every five."""

import pytest

pytest.importorskip("rclpy")
from diagnostic_msgs.msg import DiagnosticArray

from planar_arm_ik.nodes.common.waits import AGAIN, FIRST, WaitLog
from ros_support import nodes, peer


def test_a_wait_is_told_after_a_while_then_again_and_its_end_once():
    log, told = WaitLog(), []
    for step in range(60):
        now = 0.25 * step
        missing = {"/clock": "nobody publishes"} if now < 12.0 else {}
        told += [(now, text) for text in log.step(now, missing)]
    times = [now for now, _ in told]
    assert times == [FIRST, FIRST + AGAIN, 12.0]
    assert "waiting for /clock for 2 s: nobody publishes" in told[0][1]
    assert "/clock is there after 12 s" in told[-1][1]


def test_a_short_wait_is_not_told_at_all():
    log = WaitLog()
    assert [log.step(t, {"x": "y"}) for t in (0.0, 1.0, 1.9)] == [[], [], []]
    assert log.step(1.95, {}) == []
    assert log.told() == []


def test_each_thing_is_told_by_itself():
    log = WaitLog()
    log.step(0.0, {"a": "1"})
    log.step(1.0, {"a": "1", "b": "2"})
    assert len(log.step(2.0, {"a": "1", "b": "2"})) == 1
    assert [text.split(" for ")[1] for text in log.step(3.0, {"a": "1", "b": "2"})] == ["b"]


def test_nodes_without_a_simulated_clock_say_so_in_their_diagnostics():
    names = ["ik_server", "cartesian_follower", "path_executor", "markers"]
    with peer() as client, nodes(names, "-p", "use_sim_time:=true"):
        heard = client.collect(DiagnosticArray, "/diagnostics")

        def waiting():
            return {
                status.name.split(": ")[0].lstrip("/")
                for message in heard
                for status in message.status
                if status.name.endswith(": waiting") and "/clock" in status.message
            }

        client.until(lambda: waiting() == set(names), "four waits for /clock")
