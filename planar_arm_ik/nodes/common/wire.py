"""Twists, joint states and trajectory points from and to their wire form.

Converting a message to or from Python objects costs several times its transport, and a loop of a
kilohertz counts microseconds. The messages of the follower keep their layout from cycle to cycle,
so only their numbers are read and written here, at places learnt from rclpy's own serialisation
(OMG CDR, little endian: a header of 4 bytes, then every value aligned to its size from there; the
bytes in between may be anything). Whatever does not look as learnt takes the ordinary way through
rclpy.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import TwistStamped
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from planar_arm_ik.errors import PlanarArmError

#: seconds, nanoseconds
Stamp = tuple[int, int]
Six = tuple[float, float, float, float, float, float]

_STAMP = struct.Struct("<iI")
_SIX = struct.Struct("<6d")
_TWO = struct.Struct("<2d")
_COUNT = struct.Struct("<I")
_LITTLE_ENDIAN = b"\x00\x01"
_STAMP_AT, _TEXT_AT = 4, 12


class WireError(PlanarArmError):
    """Bytes are not the message they are taken for."""


class TwistWriter:
    """Makes stamped twists of one frame."""

    def __init__(self, frame: str) -> None:
        self._message = TwistStamped()
        self._message.header.frame_id = frame
        self._bytes = bytearray(serialize_message(self._message))
        probe = (5, 6), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
        written = deserialize_message(self._written(*probe), TwistStamped)
        self._learnt = repr(written) == repr(self._filled(*probe))

    def write(self, stamp: Stamp, values: Six) -> Any:
        """Return what to publish for (linear x, y, z, angular x, y, z)."""
        return self._written(stamp, values) if self._learnt else self._filled(stamp, values)

    def _written(self, stamp: Stamp, values: Six) -> bytes:
        _STAMP.pack_into(self._bytes, _STAMP_AT, *stamp)
        _SIX.pack_into(self._bytes, len(self._bytes) - _SIX.size, *values)
        return bytes(self._bytes)

    def _filled(self, stamp: Stamp, values: Six) -> TwistStamped:
        message = self._message
        message.header.stamp.sec, message.header.stamp.nanosec = stamp
        linear, angular = message.twist.linear, message.twist.angular
        linear.x, linear.y, linear.z, angular.x, angular.y, angular.z = values
        return message


class PointWriter:
    """Makes trajectories of one point of positions, stamp 0."""

    def __init__(self, joint_names: Sequence[str], time_from_start: float) -> None:
        time = Duration(sec=int(time_from_start), nanosec=round(1e9 * (time_from_start % 1.0)))
        self._point = JointTrajectoryPoint(time_from_start=time)
        self._message = JointTrajectory(joint_names=list(joint_names), points=[self._point])
        mark = (1.2345678901234567e-5, 7.654321098765432e-5)
        template = serialize_message(self._filled(mark))
        self._bytes, self._at = bytearray(template), template.find(_TWO.pack(*mark))
        self._learnt = template.count(_TWO.pack(*mark)) == 1

    def write(self, positions: tuple[float, float]) -> Any:
        """Return what to publish for the positions of both joints [rad]."""
        if not self._learnt:
            return self._filled(positions)
        _TWO.pack_into(self._bytes, self._at, *positions)
        return bytes(self._bytes)

    def _filled(self, positions: tuple[float, float]) -> JointTrajectory:
        self._point.positions = positions
        return self._message


class TwistReader:
    """Reads stamped twists."""

    def __init__(self) -> None:
        self._frames: dict[bytes, str] = {}

    def read(self, data: bytes) -> tuple[Stamp, str, Six]:
        """Return the stamp, the frame and (linear x, y, z, angular x, y, z).

        Raises:
            WireError: the bytes are no TwistStamped.
        """
        text, at = b"", 0
        if data[:2] == _LITTLE_ENDIAN:
            try:
                text, at = _text(data, _TEXT_AT)
                frame = self._frames.get(text)
                if frame is not None:
                    return _STAMP.unpack_from(data, _STAMP_AT), frame, _six(data, at)
            except struct.error as error:
                raise _wrong(data, TwistStamped, error) from None
        message = _message(data, TwistStamped)
        stamp = message.header.stamp.sec, message.header.stamp.nanosec
        linear, angular = message.twist.linear, message.twist.angular
        values = (linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
        frame = message.header.frame_id
        if at and repr(_six(data, at)) == repr(values):
            _remember(self._frames, text, frame)
        return stamp, frame, values


class JointStateReader:
    """Reads names, positions and velocities of joint states."""

    def __init__(self) -> None:
        self._names: dict[tuple[bytes, ...], tuple[str, ...]] = {}

    def read(self, data: bytes) -> tuple[Sequence[str], Sequence[float], Sequence[float]]:
        """Return the names, positions [rad] and velocities [rad/s], as they stand.

        Raises:
            WireError: the bytes are no JointState.
        """
        texts: tuple[bytes, ...] = ()
        at = 0
        if data[:2] == _LITTLE_ENDIAN:
            try:
                texts, at = _texts(data, _text(data, _TEXT_AT)[1])
                names = self._names.get(texts)
                if names is not None:
                    positions, at = _numbers(data, at)
                    return names, positions, _numbers(data, at)[0]
            except struct.error as error:
                raise _wrong(data, JointState, error) from None
        message = _message(data, JointState)
        if at and _numbers(data, at)[0] == tuple(message.position):
            _remember(self._names, texts, tuple(message.name))
        return message.name, message.position, message.velocity


def _wrong(data: bytes, kind: Any, error: Exception) -> WireError:
    return WireError(f"{len(data)} bytes are no {kind.__name__}: {error}")


def _message(data: bytes, kind: Any) -> Any:
    try:
        return deserialize_message(data, kind)
    except RuntimeError as error:
        raise _wrong(data, kind, error) from None


def _remember(cache: dict[Any, Any], key: Any, value: Any) -> None:
    if len(cache) >= 16:
        cache.clear()
    cache[key] = value


def _aligned(at: int, size: int) -> int:
    return at + (4 - at) % size


def _text(data: bytes, at: int) -> tuple[bytes, int]:
    """Text whose length stands at `at`, and where the next length or count stands."""
    (length,) = _COUNT.unpack_from(data, at)
    end = at + 4 + length
    return data[at + 4 : end], _aligned(end, 4)


def _texts(data: bytes, at: int) -> tuple[tuple[bytes, ...], int]:
    """Sequence of texts whose count stands at `at`, and where the next count stands."""
    (count,) = _COUNT.unpack_from(data, at)
    at += 4
    texts = []
    for _ in range(count):
        text, at = _text(data, at)
        texts.append(text)
    return tuple(texts), at


def _six(data: bytes, at: int) -> Six:
    values: Six = _SIX.unpack_from(data, _aligned(at, 8))
    return values


def _numbers(data: bytes, at: int) -> tuple[tuple[float, ...], int]:
    """Sequence of doubles whose count stands at `at`, and where the next count stands."""
    (count,) = _COUNT.unpack_from(data, at)
    if count == 0:
        return (), at + 4
    begin = _aligned(at + 4, 8)
    return struct.unpack_from(f"<{count}d", data, begin), begin + 8 * count
