"""Points in other frames: the arithmetic here, the whole way where tf2_ros is installed."""

import math

import numpy as np
import pytest

pytest.importorskip("rclpy")
from geometry_msgs.msg import Quaternion, Transform, TransformStamped

from arms import DEFAULT
from planar_arm_ik import PlanarArm, solve
from planar_arm_ik.nodes.common.frames import moved, rotation
from planar_arm_ik.nodes.common.interfaces import SolveIk, SolveIkBatch
from planar_arm_ik.status import IkStatus
from ros_support import nodes, peer


def about_z(angle):
    return Quaternion(z=math.sin(0.5 * angle), w=math.cos(0.5 * angle))


def shoulder_in_table():
    """Where the shoulder stands on a table: (0.36, 0, 0.10) m, turned by 30 degrees."""
    made = Transform(rotation=about_z(math.radians(30.0)))
    made.translation.x, made.translation.z = 0.36, 0.10
    return made


def inverse(transform):
    """Return the transform of the other direction."""
    made = Transform()
    quaternion, turn = transform.rotation, rotation(transform.rotation)
    made.rotation = Quaternion(x=-quaternion.x, y=-quaternion.y, z=-quaternion.z, w=quaternion.w)
    move = transform.translation
    back = -turn.T @ np.array((move.x, move.y, move.z))
    made.translation.x, made.translation.y, made.translation.z = back.tolist()
    return made


def test_a_point_on_the_table_is_seen_from_the_shoulder():
    table_in_shoulder = inverse(shoulder_in_table())
    x, y, z = moved(table_in_shoulder, np.array((0.4948, 0.3665, 0.10)))
    assert z == pytest.approx(0.0, abs=1e-12)
    q = solve(PlanarArm(0.30, 0.25), (x, y), rule="positive").q
    np.testing.assert_allclose(np.degrees(q), (0.0, 90.0), atol=0.01)
    assert moved(table_in_shoulder, np.array((0.4948, 0.3665, 0.15)))[2] == pytest.approx(0.05)


def test_many_points_move_like_one():
    points = np.random.default_rng(60).normal(size=(3, 20))
    together = moved(shoulder_in_table(), points)
    for one, column in zip(points.T, together.T, strict=True):
        np.testing.assert_allclose(moved(shoulder_in_table(), one), column, atol=1e-15)


def test_rotations_are_rotations():
    rng = np.random.default_rng(61)
    for quaternion in rng.normal(size=(50, 4)):
        x, y, z, w = (quaternion / np.linalg.norm(quaternion)).tolist()
        turn = rotation(Quaternion(x=x, y=y, z=z, w=w))
        np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-14)
        assert np.linalg.det(turn) == pytest.approx(1.0)
        np.testing.assert_allclose(turn @ (x, y, z), (x, y, z), atol=1e-14)


def test_a_target_in_another_frame_goes_through_tf2():
    tf2_ros = pytest.importorskip("tf2_ros")
    with nodes(["ik_server"]), peer() as client:
        stamped = TransformStamped(child_frame_id="base_link", transform=shoulder_in_table())
        stamped.header.frame_id = "table"
        broadcaster = tf2_ros.StaticTransformBroadcaster(client.node)
        broadcaster.sendTransform(stamped)
        shoulder = shoulder_in_table()
        on_table = moved(shoulder, np.array((0.5, 0.4, 0.05)))
        request = SolveIk.Request()
        request.target.header.frame_id = "table"
        point = request.target.point
        point.x, point.y, point.z = on_table.tolist()
        replies = []

        def known():
            replies.append(client.call(SolveIk, "ik_server/solve", request))
            return replies[-1].status.code != IkStatus.FRAME

        client.until(known, "the transform of the table")
        reply = replies[-1]
        np.testing.assert_allclose(DEFAULT.forward(reply.solution.position), (0.5, 0.4), atol=1e-9)
        assert reply.off_plane == pytest.approx(0.05)
        batch = SolveIkBatch.Request(x=[on_table[0], 0.36 + 0.6], y=[on_table[1], 0.0])
        batch.header.frame_id = "table"
        answer = client.call(SolveIkBatch, "ik_server/solve_batch", batch)
        np.testing.assert_allclose(
            DEFAULT.forward((answer.joint1[0], answer.joint2[0])), (0.5, 0.4), atol=1e-9
        )
        assert "-0.1 m off the plane" in answer.status.message
        request.target.header.frame_id = "foo"
        refused = client.call(SolveIk, "ik_server/solve", request)
        assert refused.status.code == IkStatus.FRAME
        assert "foo" in refused.status.message
