"""~/solve_batch and ~/target of the ik_server over real DDS, from another process."""

import array
import math

import numpy as np
import pytest

pytest.importorskip("rclpy")
from geometry_msgs.msg import PointStamped
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState

from arms import DEFAULT
from planar_arm_ik import solve, solve_batch
from planar_arm_ik.inverse.branches import Rule
from planar_arm_ik.nodes.common.interfaces import SolveIk, SolveIkBatch
from planar_arm_ik.status import IkStatus
from ros_support import nodes, peer

SERVICE = "ik_server/solve_batch"


@pytest.fixture(scope="module")
def server():
    with nodes(["ik_server"], "-p", "max_batch:=20000"), peer() as client:
        yield client


def request(targets, rule="", seed=None, frame=""):
    made = SolveIkBatch.Request(rule=rule)
    made.header.frame_id = frame
    made.x, made.y = (array.array("d", column.tobytes()) for column in np.asarray(targets).T)
    if seed is not None:
        made.seed = JointState(name=["joint2", "joint1"], position=[seed[1], seed[0]])
    return made


def set_parameter(server, name, value):
    parameters = [Parameter(name, value=value).to_parameter_msg()]
    made = SetParameters.Request(parameters=parameters)
    return server.call(SetParameters, "ik_server/set_parameters", made).results[0]


@pytest.mark.parametrize("rule", [rule.value for rule in Rule])
def test_a_batch_has_the_answers_of_the_core(server, rule):
    targets = np.random.default_rng(30).uniform(-1.0, 1.0, (5000, 2))
    seed = (0.3, -0.9)
    reply = server.call(SolveIkBatch, SERVICE, request(targets, rule, seed))
    expected = solve_batch(DEFAULT, targets, seed, rule).chosen
    np.testing.assert_array_equal(reply.statuses, expected.status)
    np.testing.assert_array_equal(reply.branches, expected.branch)
    np.testing.assert_array_equal(np.stack((reply.joint1, reply.joint2), -1), expected.q)
    assert reply.failed_index == expected.failed_index >= 0
    assert reply.status.code == expected.status[expected.failed_index]
    first = solve(DEFAULT, targets[expected.failed_index], seed, rule).message
    assert f"the first is target {expected.failed_index}: {first}" in reply.status.message
    assert "seed from the request" in reply.status.message


def test_a_batch_that_is_all_in_reach_is_ok(server):
    targets = [(0.6, 0.0), (0.6, 0.1), (0.5, 0.2)]
    reply = server.call(SolveIkBatch, SERVICE, request(targets))
    assert reply.status.code == IkStatus.OK
    assert reply.failed_index == -1
    assert list(reply.statuses) == [0, 0, 0]
    edge = server.call(SolveIkBatch, SERVICE, request([*targets, (0.9, 0.0)]))
    assert edge.status.code == IkStatus.SINGULAR
    assert "1 of 4 answers are singular" in edge.status.message


def unequal():
    made = request([(0.6, 0.0)] * 3)
    made.y = array.array("d", [0.0, 0.0])
    return made


@pytest.mark.parametrize(
    ("made", "index", "words"),
    [
        (request([(0.6, 0.0), (0.5, math.nan), (math.inf, 0.0)]), 1, "target 1 (0.5, nan)"),
        (request([(0.6, 0.0)] * 9 + [(-math.inf, 0.0)]), 9, "target 9"),
        (unequal(), 2, "3 x and 2 y"),
        (request(np.empty((0, 2))), 0, "empty"),
        (request(np.zeros((20001, 2))), 20000, "20001 targets are more than max_batch = 20000"),
        (request([(0.6, 0.0)], "up"), -1, "rule 'up' is unknown"),
        (request([(0.6, 0.0)], seed=(math.nan, 0.0)), -1, "finite"),
        (request([(0.6, 0.0)], "keep"), 0, "keep needs a seed"),
    ],
)
def test_a_bad_batch_is_refused_with_the_index_of_the_first_bad_target(server, made, index, words):
    reply = server.call(SolveIkBatch, SERVICE, made)
    assert reply.status.code == IkStatus.INVALID_INPUT
    assert reply.failed_index == index
    assert words in reply.status.message
    assert not np.isfinite(np.asarray(reply.joint1)).any()


def test_a_batch_in_an_unknown_frame_is_refused(server):
    reply = server.call(SolveIkBatch, SERVICE, request([(0.6, 0.0)], frame="foo"))
    assert reply.status.code == IkStatus.FRAME
    assert "foo" in reply.status.message
    named = server.call(SolveIkBatch, SERVICE, request([(0.6, 0.0)], frame="base_link"))
    assert named.status.code == IkStatus.OK


def test_max_batch_changes_live(server):
    assert set_parameter(server, "max_batch", 2).successful
    reply = server.call(SolveIkBatch, SERVICE, request([(0.6, 0.0)] * 3))
    assert reply.failed_index == 2
    assert not set_parameter(server, "max_batch", 0).successful
    assert set_parameter(server, "max_batch", 20000).successful


def test_tolerance_metric_and_weights_change_live(server):
    made = SolveIk.Request(seed=JointState(name=["joint1", "joint2"], position=[0.1, 0.2]))
    made.target.point.x, made.target.point.y = 0.7, 0.1
    before = server.call(SolveIk, "ik_server/solve", made)
    assert before.status.code == IkStatus.OK
    assert set_parameter(server, "singular_threshold", 0.39).successful
    assert set_parameter(server, "metric", "l1").successful
    assert set_parameter(server, "weights", [2.0, 1.0]).successful
    after = server.call(SolveIk, "ik_server/solve", made)
    assert after.status.code == IkStatus.SINGULAR
    for candidate in after.candidates:
        q1, q2 = candidate.position
        assert candidate.distance == pytest.approx(2.0 * abs(q1 - 0.1) + abs(q2 - 0.2))
    assert not set_parameter(server, "weights", [0.0, 1.0]).successful
    for name, value in (("singular_threshold", 0.0), ("metric", "l2"), ("weights", [1.0, 1.0])):
        assert set_parameter(server, name, value).successful


def test_a_target_on_the_topic_is_answered_on_the_topic(server):
    solutions = server.collect(JointState, "ik_server/solution")
    publisher = server.node.create_publisher(PointStamped, "ik_server/target", 10)
    server.connected(publisher)

    def send(x, y):
        message = PointStamped()
        message.point.x, message.point.y = x, y
        publisher.publish(message)

    send(0.6, 0.0)
    server.until(lambda: solutions, "a solution")
    assert list(solutions[0].name) == ["joint1", "joint2"]
    np.testing.assert_allclose(DEFAULT.forward(solutions[0].position), (0.6, 0.0), atol=1e-12)
    send(5.0, 0.0)
    send(math.nan, 0.0)
    send(0.6, -0.05)
    server.until(lambda: len(solutions) > 1, "the next solution")
    np.testing.assert_allclose(DEFAULT.forward(solutions[1].position), (0.6, -0.05), atol=1e-12)
    step = np.abs(np.subtract(solutions[1].position, solutions[0].position)).max()
    assert step < 0.2, "the last answer is the seed of the next"
