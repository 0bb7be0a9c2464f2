"""The time of a node's clock, without the objects of rclpy where real time will do.

``clock.now().to_msg()`` makes four objects, which costs a service 20 us and a fast loop a tenth of
its cycle.
"""

from __future__ import annotations

import time

from rclpy.clock import Clock


def nanoseconds(clock: Clock) -> int:
    """Time of a ROS clock [ns]: simulated while that is active, else the system's."""
    if clock.ros_time_is_active:
        simulated: int = clock.now().nanoseconds
        return simulated
    return time.time_ns()


def seconds_and_rest(clock: Clock) -> tuple[int, int]:
    """Time of a ROS clock as the two fields of a stamp [s], [ns]."""
    return divmod(nanoseconds(clock), 10**9)
