"""The wire form of the follower's messages against rclpy's own serialisation."""

import math
import random

import pytest

pytest.importorskip("rclpy")
from geometry_msgs.msg import TwistStamped
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

from planar_arm_ik.nodes.common.wire import (
    JointStateReader,
    PointWriter,
    TwistReader,
    TwistWriter,
    WireError,
)


def numbers(rng, count):
    special = (math.nan, math.inf, -0.0, 5e-324, 1e308)
    return tuple(rng.choice((rng.gauss(0, 1), rng.choice(special))) for _ in range(count))


def twist(rng, frame):
    message = TwistStamped()
    message.header.frame_id = frame
    message.header.stamp.sec, message.header.stamp.nanosec = (
        rng.randrange(2**31),
        rng.randrange(10**9),
    )
    parts = message.twist.linear, message.twist.angular
    for part in parts:
        part.x, part.y, part.z = numbers(rng, 3)
    return message


def values(message):
    linear, angular = message.twist.linear, message.twist.angular
    return linear.x, linear.y, linear.z, angular.x, angular.y, angular.z


FRAMES = ["", "t", "tip", "base_link", "äö", "a_very_long_frame_name_of_a_robot"]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_twist_is_written_as_rclpy_would(frame):
    rng, writer = random.Random(1), TwistWriter(frame)
    for _ in range(50):
        message = twist(rng, frame)
        stamp = message.header.stamp.sec, message.header.stamp.nanosec
        written = writer.write(stamp, values(message))
        assert isinstance(written, bytes)
        assert repr(deserialize_message(written, TwistStamped)) == repr(message)


def test_twists_of_changing_frames_are_read_as_rclpy_would():
    rng, reader = random.Random(2), TwistReader()
    for _ in range(300):
        message = twist(rng, rng.choice([*FRAMES, f"frame{rng.randrange(40)}"]))
        stamp, frame, six = reader.read(serialize_message(message))
        assert stamp == (message.header.stamp.sec, message.header.stamp.nanosec)
        assert frame == message.header.frame_id
        assert repr(six) == repr(values(message))


def test_a_point_is_written_as_rclpy_would_read_it():
    rng, writer = random.Random(3), PointWriter(["left_joint1", "joint2"], 0.03)
    for _ in range(50):
        positions = numbers(rng, 2)
        message = deserialize_message(writer.write(positions), JointTrajectory)
        (point,) = message.points
        assert repr(tuple(point.positions)) == repr(positions)
        assert list(message.joint_names) == ["left_joint1", "joint2"]
        assert (point.time_from_start.sec, point.time_from_start.nanosec) == (0, 30_000_000)
        assert len(point.velocities) == 0


def test_joint_states_of_any_shape_are_read_as_rclpy_would():
    rng, reader = random.Random(4), JointStateReader()
    for _ in range(500):
        names = [rng.choice(("joint1", "joint2", "x", "ab", "")) for _ in range(rng.randrange(5))]
        message = JointState(name=names)
        message.header.frame_id = rng.choice(("", "base"))
        message.position = numbers(rng, rng.choice((0, len(names), 3)))
        message.velocity = numbers(rng, rng.choice((0, len(names), 1)))
        message.effort = numbers(rng, rng.choice((0, len(names))))
        got = reader.read(serialize_message(message))
        assert list(got[0]) == names
        assert repr(list(got[1])) == repr(list(message.position))
        assert repr(list(got[2])) == repr(list(message.velocity))


def plain(read):
    """What a reader returned, whatever sequences it is made of."""
    return [part if isinstance(part, str) else list(map(repr, part)) for part in read]


@pytest.mark.parametrize("reader", [TwistReader, JointStateReader])
def test_bytes_that_are_no_message_are_refused_and_not_remembered(reader):
    rng = random.Random(5)
    message = twist(rng, "base_link")
    if reader is JointStateReader:
        message = JointState(name=["joint1", "joint2"], position=[0.1, 0.2], velocity=[0.3, 0.4])
    good, used, refused = serialize_message(message), reader(), 0
    expected = plain(used.read(good))
    for _ in range(1000):
        data = bytearray(good)
        if rng.random() < 0.4:
            del data[rng.randrange(len(data)) :]
        for _ in range(rng.randrange(5)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            used.read(bytes(data))
        except WireError:
            refused += 1
        assert plain(used.read(good)) == expected
    assert 200 < refused < 1000
