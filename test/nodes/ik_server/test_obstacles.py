"""Keep-out shapes of arm.yaml through the ik_server, over real DDS."""

import numpy as np
import pytest

pytest.importorskip("rclpy")

from arms import DEFAULT
from places import ROOT
from planar_arm_ik import solve_batch
from planar_arm_ik.config import load_description
from planar_arm_ik.nodes.common.interfaces import SolveIk, SolveIkBatch
from planar_arm_ik.status import IkStatus
from ros_support import nodes, peer

SHAPES = """
      obstacles:
        names: [post, box]
        link_radius: 0.02
        post: {circle: [0.3, 0.2, 0.05]}
        box: {polygon: [-0.3, -0.4, 0.0, -0.4, -0.2, -0.2]}
"""


@pytest.fixture(scope="module")
def arm_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("obstacles") / "arm.yaml"
    text = (ROOT / "config" / "arm.yaml").read_text().rstrip()
    path.write_text(text + SHAPES)
    return path


@pytest.fixture(scope="module")
def server(arm_file):
    with nodes(["ik_server"], "--params-file", str(arm_file)), peer() as client:
        yield client


def test_a_pose_that_touches_is_refused_with_the_shape(server):
    request = SolveIk.Request(rule="negative")
    through_the_post = DEFAULT.forward((np.arctan2(0.2, 0.3), -1.0))
    request.target.point.x, request.target.point.y = through_the_post.tolist()
    reply = server.call(SolveIk, "ik_server/solve", request)
    assert reply.status.code == IkStatus.COLLISION
    assert "'post'" in reply.status.message
    assert "deep" in reply.status.message
    assert reply.candidates[1].status == IkStatus.COLLISION


@pytest.mark.parametrize("rule", ["nearest", "clearance"])
def test_a_batch_keeps_out_like_the_core(server, arm_file, rule):
    obstacles = load_description(arm_file).obstacles
    targets = np.random.default_rng(80).uniform(-0.8, 0.8, (3000, 2))
    request = SolveIkBatch.Request(x=targets[:, 0].tolist(), y=targets[:, 1].tolist(), rule=rule)
    reply = server.call(SolveIkBatch, "ik_server/solve_batch", request)
    expected = solve_batch(DEFAULT, targets, rule=rule, obstacles=obstacles).chosen
    np.testing.assert_array_equal(reply.statuses, expected.status)
    np.testing.assert_array_equal(reply.branches, expected.branch)
    assert (expected.status == IkStatus.COLLISION).sum() > 50
