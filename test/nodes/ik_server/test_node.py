"""ik_server over real DDS, from another process."""

import math
import re

import numpy as np
import pytest

pytest.importorskip("rclpy")
import rclpy
from geometry_msgs.msg import PointStamped
from rcl_interfaces.srv import SetParameters, SetParametersAtomically
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState

from arms import DEFAULT
from places import ROOT
from planar_arm_ik.nodes.common.interfaces import SolveFk, SolveIk
from planar_arm_ik.nodes.ik_server.node import IkServer
from planar_arm_ik.status import IkStatus
from ros_support import nodes, peer


@pytest.fixture(scope="module")
def server():
    with nodes(["ik_server"]), peer() as client:
        yield client


def request(x, y, z=0.0, frame="", **fields):
    made = SolveIk.Request(**fields)
    made.target.header.frame_id = frame
    made.target.point.x, made.target.point.y, made.target.point.z = x, y, z
    return made


def joints(q1, q2):
    return JointState(name=["joint2", "other", "joint1"], position=[q2, 9.0, q1])


def test_solve_answers_with_every_field(server):
    reply = server.call(SolveIk, "ik_server/solve", request(0.6, 0.0, seed=joints(-0.7, 1.7)))
    assert reply.status.code == IkStatus.OK
    assert "seed from the request" in reply.status.message
    assert list(reply.solution.name) == ["joint1", "joint2"]
    np.testing.assert_allclose(
        np.degrees(reply.solution.position), [-41.40962, 97.18076], atol=1e-5
    )
    assert reply.branch == 1
    assert [candidate.branch for candidate in reply.candidates] == [1, -1]
    np.testing.assert_allclose(
        np.degrees(reply.candidates[1].position), [41.40962, -97.18076], atol=1e-5
    )
    assert max(candidate.position_error for candidate in reply.candidates) < 1e-12
    assert reply.sigma_min == pytest.approx(DEFAULT.singular_values(reply.solution.position)[1])
    assert reply.shortfall == 0.0


def test_the_seed_chooses_the_elbow_whatever_the_order_of_names(server):
    reply = server.call(SolveIk, "ik_server/solve", request(0.6, 0.0, seed=joints(0.7, -1.7)))
    assert reply.branch == -1


def test_a_target_out_of_reach_says_how_far(server):
    reply = server.call(SolveIk, "ik_server/solve", request(0.0, 1.0))
    assert reply.status.code == IkStatus.TOO_FAR
    assert reply.shortfall == pytest.approx(0.1)
    assert (reply.nearest_reachable.x, reply.nearest_reachable.y) == pytest.approx((0.0, 0.9))
    assert len(reply.solution.position) == 0
    assert reply.branch == 0


def test_a_height_off_the_plane_is_reported(server):
    reply = server.call(SolveIk, "ik_server/solve", request(0.6, 0.0, 0.05, "base_link"))
    assert reply.status.code == IkStatus.OK
    assert reply.off_plane == pytest.approx(0.05)


def test_an_unknown_frame_is_refused_by_name(server):
    reply = server.call(SolveIk, "ik_server/solve", request(0.6, 0.0, frame="foo"))
    assert reply.status.code == IkStatus.FRAME
    assert "foo" in reply.status.message


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (request(math.nan, 0.0), "finite"),
        (request(0.6, 0.0, math.inf), "finite"),
        (request(0.6, 0.0, rule="up"), "rule 'up' is unknown"),
        (request(0.6, 0.0, max_joint_step=-1.0), "max_joint_step"),
        (request(0.6, 0.0, rule="keep"), "needs a seed"),
        (request(0.6, 0.0, seed=JointState(name=["joint1"], position=[0.1])), "joint1 and joint2"),
        (request(0.6, 0.0, seed=JointState(name=["joint1"], position=[])), "as many as names"),
        (request(0.6, 0.0, seed=joints(math.nan, 0.0)), "finite"),
    ],
)
def test_bad_input_is_refused_with_its_rule(server, made, words):
    reply = server.call(SolveIk, "ik_server/solve", made)
    assert reply.status.code == IkStatus.INVALID_INPUT
    assert words in reply.status.message
    assert len(reply.solution.position) == 0


def test_forward_is_the_arm(server):
    reply = server.call(SolveFk, "ik_server/forward", SolveFk.Request(state=joints(0.3, 1.1)))
    q = np.array((0.3, 1.1))
    assert reply.status.code == IkStatus.OK
    assert reply.tip.header.frame_id == "base_link"
    np.testing.assert_allclose([reply.tip.point.x, reply.tip.point.y], DEFAULT.forward(q))
    np.testing.assert_allclose([reply.elbow.point.x, reply.elbow.point.y], DEFAULT.elbow(q))
    np.testing.assert_allclose(reply.jacobian, DEFAULT.jacobian(q).ravel())
    np.testing.assert_allclose([reply.sigma_max, reply.sigma_min], DEFAULT.singular_values(q))


def test_measured_states_are_the_seed_when_fresh(server):
    publisher = server.node.create_publisher(JointState, "joint_states", 10)
    server.connected(publisher)

    def seeded():
        publisher.publish(joints(0.7, -1.7))
        reply = server.call(SolveIk, "ik_server/solve", request(0.6, 0.0))
        return "seed from joint_states" in reply.status.message and reply.branch == -1

    server.until(seeded, "a seed from joint_states")
    server.node.destroy_publisher(publisher)


def set_parameters(server, kind, *values):
    parameters = [Parameter(name, value=value).to_parameter_msg() for name, value in values]
    name = "set_parameters_atomically" if kind is SetParametersAtomically else "set_parameters"
    reply = server.call(kind, f"ik_server/{name}", kind.Request(parameters=parameters))
    return reply.result if kind is SetParametersAtomically else reply.results[0]


def test_the_rule_changes_live_and_bad_updates_change_nothing(server):
    assert set_parameters(server, SetParameters, ("branch_selection", "negative")).successful
    assert server.call(SolveIk, "ik_server/solve", request(0.6, 0.1)).branch == -1
    refused = set_parameters(
        server,
        SetParametersAtomically,
        ("branch_selection", "positive"),
        ("metric", "l7"),
    )
    assert not refused.successful
    assert "metric" in refused.reason
    assert server.call(SolveIk, "ik_server/solve", request(0.6, 0.1)).branch == -1
    assert set_parameters(server, SetParameters, ("branch_selection", "nearest")).successful


def test_an_integer_is_a_double_and_geometry_is_read_only(server):
    assert set_parameters(server, SetParameters, ("state_timeout", 1)).successful
    assert not set_parameters(server, SetParameters, ("arm.l1", 0.6)).successful


def test_solve_is_answered_while_the_executor_is_held_up():
    context = rclpy.Context()
    rclpy.init(context=context)
    node = IkServer(context=context, namespace="/held")  # nobody spins it
    try:
        with peer() as client:
            reply = client.call(SolveIk, "/held/ik_server/solve", request(0.6, 0.0))
        assert reply.status.code == IkStatus.OK
    finally:
        node.destroy_node()
        rclpy.try_shutdown(context=context)


def test_the_client_of_the_document_asks_from_a_callback(server):
    text = (ROOT / "docs" / "inverse.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from geometry_msgs.*?)```", text, re.DOTALL)
    room = {}
    exec(compile(code, "docs/inverse.md", "exec"), room)
    angles = server.collect(JointState, "angles")
    wish = server.node.create_publisher(PointStamped, "wish", 10)
    rclpy.init()
    reacher, executor = room["Reacher"](), SingleThreadedExecutor()
    executor.add_node(reacher)
    point = PointStamped()
    point.point.x = 0.6

    def both_spin():
        executor.spin_once(timeout_sec=0.02)
        return (
            wish.get_subscription_count()
            and reacher.client.service_is_ready()
            and reacher.angles.get_subscription_count()
        )

    server.until(both_spin, "the reacher")
    server.until(lambda: both_spin() and (angles or wish.publish(point)), "angles")
    executor.shutdown()
    reacher.destroy_node()
    rclpy.shutdown()
    np.testing.assert_allclose(DEFAULT.forward(angles[0].position), (0.6, 0.0), atol=1e-9)
