"""Starting and stopping nodes: one helper for every node and every set of nodes.

rclpy's own signal handlers invalidate the context before our code runs again, so a last command
could not be sent. Here SIGINT and SIGTERM only set an event; the executor spins in a second
thread; the main thread waits, sends the last commands and takes everything down in order. A
second signal changes nothing, and the exit code is 0.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Sequence

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.stop_event import StopEvent


class ArmNode(Node):
    """A node with a last word: :meth:`stop` is called once before it is destroyed."""

    def stop(self) -> None:
        """Send the last command. The executor still runs."""


def run(
    make_nodes: Sequence[Callable[[], ArmNode]],
    args: Sequence[str] | None = None,
    stop_event: StopEvent | None = None,
) -> int:
    """Run nodes in this process until a signal, then stop them in order.

    Args:
        make_nodes: one factory per node.
        args: command line with ``--ros-args``; None for ``sys.argv``.
        stop_event: an event whose signals are already installed.

    Returns:
        Exit code: 0 after a signal, 1 after an unexpected exception, 2 for bad parameters.
    """
    stop = stop_event or StopEvent()
    if stop_event is None:
        stop.install()
    try:
        rclpy.init(
            args=list(args) if args is not None else None,
            signal_handler_options=SignalHandlerOptions.NO,
        )
    except Exception as error:  # rclpy has no common base for bad arguments and bad files
        return _refuse(error)
    nodes: list[ArmNode] = []
    try:
        for make in make_nodes:
            nodes.append(make())
    except PlanarArmError as error:
        return _refuse(error)
    else:
        return _spin(nodes, stop)
    finally:
        for node in nodes:
            node.destroy_node()
        rclpy.try_shutdown()


def _spin(nodes: list[ArmNode], stop: StopEvent) -> int:
    executor = SingleThreadedExecutor()
    for node in nodes:
        executor.add_node(node)
    failures: list[str] = []

    def spin() -> None:
        try:
            executor.spin()
        except ExternalShutdownException:
            pass
        except Exception:
            failures.append(traceback.format_exc())
        finally:
            stop.set()

    thread = threading.Thread(target=spin, name="executor", daemon=True)
    thread.start()
    stop.wait()
    for node in nodes:
        try:
            node.stop()
        except Exception:
            failures.append(traceback.format_exc())
    executor.shutdown()
    thread.join(timeout=2.0)
    for text in failures:
        print(text, file=sys.stderr)
    return 1 if failures else 0


def _refuse(error: Exception) -> int:
    print(f"{sys.argv[0].rsplit('/', 1)[-1]}: {error}", file=sys.stderr)
    return 2
