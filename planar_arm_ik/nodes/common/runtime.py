"""Starting and stopping nodes: one helper for every node and every set of nodes.

rclpy's own signal handlers invalidate the context before our code runs again, so a last command
could not be sent. Here SIGINT and SIGTERM only set an event; the executor spins in a second
thread; the main thread waits, sends the last commands and takes everything down in order. A
second signal changes nothing, and the exit code is 0.
"""

from __future__ import annotations

import faulthandler
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from planar_arm_ik.clocks import STEADY, Clock
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.nodes.common.stop_event import StopEvent
from planar_arm_ik.nodes.common.waits import Waits

#: Nodes that are not gone after this time [s] never will be.
_LONGEST_TAKE_DOWN = 4.0


class ArmNode(Node):
    """A node with a last word: :meth:`stop` is called once before it is destroyed.

    Args:
        name: of the node.
        steady: the clock by which it measures ages, patience and progress.
        options: of `rclpy.node.Node`.
    """

    def __init__(self, name: str, steady: Clock = STEADY, **options: Any) -> None:
        super().__init__(name, **options)
        self.steady = steady
        self.waits = Waits()

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
        Exit code: 0 after a signal, 2 for bad parameters, 1 when a node cannot start because
        something is missing (an ``OSError``, in one line) or after an unexpected exception.
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
    except OSError as error:
        return _refuse(error, 1)
    else:
        return _spin(nodes, stop)
    finally:
        _take_down(nodes)


def _spin(nodes: list[ArmNode], stop: StopEvent) -> int:
    executor = SingleThreadedExecutor()
    for node in nodes:
        node.waits.begin(node)
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


def _take_down(nodes: list[ArmNode]) -> None:
    """Destroy the nodes, and end the process with exit code 1 if that does not come to an end.

    Fast DDS has waited for itself for ever, with the interpreter locked, when other nodes left at
    the same instant: only a thread outside the interpreter can end that.
    """
    faulthandler.dump_traceback_later(_LONGEST_TAKE_DOWN, exit=True, file=2)
    try:
        for node in nodes:
            node.destroy_node()
        rclpy.try_shutdown()
    finally:
        faulthandler.cancel_dump_traceback_later()


def _refuse(error: Exception, code: int = 2) -> int:
    print(f"{sys.argv[0].rsplit('/', 1)[-1]}: {error}", file=sys.stderr)
    return code
