"""Entry points of the nodes.

The signals are taken over before anything slow is imported, so a node stopped while it starts
leaves without a traceback, too.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence

from planar_arm_ik.nodes.common.stop_event import StopEvent

#: Node name: module and class.
NODES = {
    "cartesian_follower": ("planar_arm_ik.nodes.cartesian_follower.node", "CartesianFollower"),
    "ik_server": ("planar_arm_ik.nodes.ik_server.node", "IkServer"),
    "path_executor": ("planar_arm_ik.nodes.path_executor.node", "PathExecutor"),
    "servo_driver": ("planar_arm_ik.nodes.servo_driver.node", "ServoDriver"),
    "viewer": ("planar_arm_ik.nodes.views.viewer", "Viewer"),
    "markers": ("planar_arm_ik.nodes.views.markers", "Markers"),
    "wait_for_state": ("planar_arm_ik.nodes.wait_for_state", "WaitForState"),
}


def run_nodes(names: Sequence[str], args: Sequence[str] | None = None) -> int:
    """Run any set of nodes in this process until SIGINT or SIGTERM.

    Args:
        names: keys of :data:`NODES`.
        args: command line with ``--ros-args``; None for ``sys.argv``.

    Returns:
        Exit code of the process.
    """
    stop = StopEvent()
    stop.install()
    runtime = importlib.import_module("planar_arm_ik.nodes.common.runtime")
    classes = [getattr(importlib.import_module(NODES[name][0]), NODES[name][1]) for name in names]
    code: int = 0 if stop.is_set() else runtime.run(classes, args, stop)
    stop.ignore()
    return code


def _entry(name: str) -> Callable[[], int]:
    return lambda: run_nodes([name])


cartesian_follower = _entry("cartesian_follower")
ik_server = _entry("ik_server")
path_executor = _entry("path_executor")
servo_driver = _entry("servo_driver")
viewer = _entry("viewer")
markers = _entry("markers")
wait_for_state = _entry("wait_for_state")
