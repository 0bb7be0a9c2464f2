"""markers over real DDS, with the simulated driver and the executor behind it."""

import numpy as np
import pytest

pytest.importorskip("rclpy")
from geometry_msgs.msg import PointStamped
from nav_msgs.msg import Path
from rcl_interfaces.srv import GetParameters
from rclpy.qos import DurabilityPolicy, QoSProfile
from visualization_msgs.msg import Marker, MarkerArray

from arms import DEFAULT as ARM
from planar_arm_ik.config import installed_config
from planar_arm_ik.nodes.common.interfaces import FollowerState
from planar_arm_ik.nodes.path_executor.client import path_message
from planar_arm_ik.paths.waypoints import example_arc
from ros_support import nodes, peer

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class Scene:
    """A peer that publishes what the node listens to and keeps its newest scene."""

    def __init__(self, client):
        self.peer = client
        self.workspace = client.collect(MarkerArray, "markers/workspace", LATCHED)
        self.scenes = client.collect(MarkerArray, "markers/scene")
        self.target = client.node.create_publisher(PointStamped, "ik_server/target", 10)
        self.plan = client.node.create_publisher(Path, "path_executor/plan", LATCHED)
        self.state = client.node.create_publisher(FollowerState, "cartesian_follower/state", 10)
        for publisher in (self.target, self.plan, self.state):
            client.connected(publisher)

    def aim(self, x, y, frame=""):
        message = PointStamped()
        message.header.frame_id = frame
        message.point.x, message.point.y = x, y
        self.target.publish(message)

    def wait(self, done, what):
        found = []

        def ready():
            while self.scenes:
                scene = {(m.ns, m.id): m for m in self.scenes.pop(0).markers}
                if done(scene):
                    found.append(scene)
            return bool(found)

        self.peer.until(ready, what)
        return found[-1]


SHAPES = """
      obstacles:
        names: [post, box]
        post: {circle: [0.45, -0.1, 0.06]}
        box: {polygon: [-0.5, -0.4, -0.2, -0.4, -0.3, -0.2]}
"""


@pytest.fixture(scope="module")
def scene():
    with nodes(["servo_driver", "markers"]), peer() as client:
        yield Scene(client)


def test_the_parameters_can_be_asked_for_while_the_node_runs(scene):
    client = scene.peer.node.create_client(GetParameters, "markers/get_parameters")
    scene.peer.until(client.service_is_ready, "the parameter service")
    names = ["branch_selection", "rate", "state_timeout"]
    asked = client.call_async(GetParameters.Request(names=names))
    scene.peer.until(asked.done, "the parameters")
    rule, rate, timeout = asked.result().values
    assert (rule.string_value, rate.double_value, timeout.double_value) == ("nearest", 10.0, 0.5)


def test_keep_out_shapes_are_latched_and_ghosts_that_touch_them_say_so(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(installed_config().read_text().rstrip() + SHAPES)
    options = ("-r", "__ns:=/guarded", "--params-file", str(path))
    with nodes(["markers"], *options), peer("/guarded") as client:
        scene = Scene(client)
        scene.peer.until(lambda: scene.workspace, "the workspace")
        kept = {(m.ns, m.id): m for m in scene.workspace[0].markers if "keep_out" in m.ns}
        assert len(kept) == 6
        assert [kept["keep_out_name", n].text for n in (0, 1)] == ["post", "box"]
        assert len(kept["keep_out", 1].points) == 3
        radii = [np.hypot(p.x - 0.45, p.y + 0.1) for p in kept["keep_out_edge", 0].points]
        assert radii == pytest.approx([0.06] * len(radii))
        scene.aim(0.45, -0.1)
        got = scene.wait(lambda s: len(drawn(s, "ghost_reason")) == 2, "two reasons")
        assert got["target", 1].text == "✕ touches post, 0.060 m deep"


def drawn(scene, space):
    return {n: m for (ns, n), m in scene.items() if ns == space and m.action == Marker.ADD}


def test_the_workspace_is_latched_in_the_base_frame_with_a_disc_to_click_on(scene):
    scene.peer.until(lambda: scene.workspace, "the workspace")
    markers = scene.workspace[0].markers
    assert {marker.header.frame_id for marker in markers} == {"base_link"}
    disc = next(marker for marker in markers if marker.ns == "disc")
    assert disc.color.a > 0.0
    assert disc.scale.x > 2.0 * ARM.outer_radius
    sheets = [marker for marker in markers if marker.ns == "sheet"]
    assert len(sheets) == 2
    for sheet in sheets:
        assert len(sheet.points) % 3 == 0
        radii = np.hypot([p.x for p in sheet.points], [p.y for p in sheet.points])
        assert radii.max() <= ARM.outer_radius + 1e-9
        assert radii.min() >= ARM.inner_radius - 1e-9


def test_a_target_shows_both_elbows_with_their_tips_on_it(scene):
    scene.aim(0.5, 0.3)
    got = scene.wait(lambda s: len(drawn(s, "ghost")) == 4, "two ghosts")
    for number in (1, 3):
        tip = got["ghost", number].points[-1]
        assert (tip.x, tip.y) == pytest.approx((0.5, 0.3))
    assert got["target", 1].text.startswith("✓ reached")


def test_a_target_out_of_reach_loses_its_ghosts_and_says_by_how_much(scene):
    scene.aim(0.93, 0.0)
    got = scene.wait(lambda s: ("target", 2) in s and not drawn(s, "ghost"), "no ghosts")
    assert got["target", 1].text == "✕ too far by 0.030 m"
    ends = [(p.x, p.y) for p in got["target", 2].points]
    assert ends == [pytest.approx((0.9, 0.0)), pytest.approx((0.93, 0.0))]


def test_a_target_that_is_no_number_or_in_an_unknown_frame_is_passed_over(scene):
    scene.aim(float("nan"), 0.0)
    scene.aim(0.5, 0.3, frame="elsewhere")
    scene.aim(0.0, 0.7)
    got = scene.wait(lambda s: ("target", 0) in s, "a target")
    got = scene.wait(lambda s: s["target", 0].pose.position.y == 0.7, "the good target")
    assert got["target", 0].pose.position.x == 0.0


def test_a_plan_is_drawn_in_the_colour_of_its_elbow(scene):
    scene.plan.publish(path_message(example_arc()))
    got = scene.wait(lambda s: len(drawn(s, "path")) == 1, "the path")
    points = [(p.x, p.y) for p in got["path", 0].points]
    np.testing.assert_allclose(points, example_arc(), atol=1e-12)
    scene.plan.publish(Path())
    scene.wait(lambda s: not drawn(s, "path"), "an empty path")


def test_the_three_arrows_come_from_the_followers_report_and_vanish_with_it(scene):
    message = FollowerState()
    message.commanded.x, message.commanded.y = 0.2, 0.1
    message.achieved.x = 0.2
    message.residual.y = 0.1
    scene.state.publish(message)
    got = scene.wait(lambda s: len(drawn(s, "velocity")) == 3, "three arrows")
    tip = got["velocity", 0].points[0]
    assert (tip.x, tip.y) == pytest.approx(tuple(ARM.forward((0.0, 0.0))))
    heads = [got["velocity", n].points[1] for n in (0, 2)]
    assert (heads[0].x, heads[0].y) == pytest.approx((heads[1].x, heads[1].y))
    scene.wait(lambda s: not drawn(s, "velocity"), "no arrows")
