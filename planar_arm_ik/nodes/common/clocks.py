"""Clocks and timers of the nodes.

The time of a node's clock comes without the objects of rclpy where real time will do:
``clock.now().to_msg()`` makes four of them, which costs a service 20 us and a fast loop a tenth of
its cycle. Timers run on the steady clock: a simulation that is paused must not keep a node from
answering, watching and stopping.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.timer import Timer


def nanoseconds(clock: Clock) -> int:
    """Time of a ROS clock [ns]: simulated while that is active, else the system's."""
    if clock.ros_time_is_active:
        simulated: int = clock.now().nanoseconds
        return simulated
    return time.time_ns()


def seconds_and_rest(clock: Clock) -> tuple[int, int]:
    """Time of a ROS clock as the two fields of a stamp [s], [ns]."""
    return divmod(nanoseconds(clock), 10**9)


def steady_timer(
    node: Node, period: float, callback: Callable[[], None], autostart: bool = True
) -> Timer:
    """Call a function every `period` [s] of real time, on the node's executor."""
    clock = Clock(clock_type=ClockType.STEADY_TIME)
    return node.create_timer(period, callback, clock=clock, autostart=autostart)
