"""Points in any frame, brought into the base frame of the arm.

The empty frame and the base frame need nothing. Any other goes through tf2 where ``tf2_ros`` is
installed, else the request is refused with the reason.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from rclpy.node import Node
from rclpy.time import Time

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.errors import PlanarArmError

try:
    from tf2_ros import Buffer, TransformException, TransformListener
except ImportError:
    Buffer = None


class FrameError(PlanarArmError):
    """A frame is unknown, or cannot be looked up here."""


class Frames:
    """Transforms points and directions into the base frame."""

    def __init__(self, node: Node, base_frame: str) -> None:
        self.base_frame = base_frame
        self._buffer = None
        if Buffer is not None:
            self._buffer = Buffer()
            self._listener = TransformListener(self._buffer, node)

    def is_base(self, frame: str) -> bool:
        """Whether a frame needs no transform."""
        return frame in ("", self.base_frame)

    def point_in_base(self, frame: str, point: Array) -> Array:
        """Transform a point (x, y, z) [m], or points of shape (3, N), into the base frame.

        Raises:
            FrameError: the frame is unknown, or tf2_ros is not installed.
        """
        if self.is_base(frame):
            return point
        return moved(self._lookup(frame), point)

    def vector_in_base(self, frame: str, vector: Array) -> Array:
        """Rotate a direction (x, y, z) from `frame` into the base frame; see point_in_base."""
        if self.is_base(frame):
            return vector
        turned: Array = rotation(self._lookup(frame).rotation) @ vector
        return turned

    def _lookup(self, frame: str) -> Any:
        if self._buffer is None:
            raise FrameError(
                f"frame {frame!r} is not {self.base_frame!r}, and tf2_ros is not installed"
            )
        try:
            return self._buffer.lookup_transform(self.base_frame, frame, Time()).transform
        except TransformException as error:
            raise FrameError(
                f"frame {frame!r} cannot be brought into {self.base_frame!r}: {error}"
            ) from None


def moved(transform: Any, point: Array) -> Array:
    """Apply a transform message to a point (x, y, z) [m], or to points of shape (3, N)."""
    move = transform.translation
    turned: Array = rotation(transform.rotation) @ point
    base: Array = (turned.T + np.array((move.x, move.y, move.z))).T
    return base


def rotation(quaternion: Any) -> Array:
    """Rotation matrix, shape (3, 3), of a unit quaternion message."""
    x, y, z, w = quaternion.x, quaternion.y, quaternion.z, quaternion.w
    return np.array(
        (
            (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
            (2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)),
            (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)),
        )
    )
