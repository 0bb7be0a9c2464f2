"""The package's own messages, with the line to type when they are not built."""

from __future__ import annotations

try:
    from planar_arm_ik_interfaces.action import ExecutePath
    from planar_arm_ik_interfaces.msg import FollowerState, IkCandidate, IkStatus
    from planar_arm_ik_interfaces.srv import SolveFk, SolveIk, SolveIkBatch
except ImportError as error:
    raise ImportError(
        f"planar_arm_ik_interfaces is not built ({error}). In the repository: colcon build. "
        "In a larger workspace: "
        "colcon build --base-paths src src/planar_arm_ik/planar_arm_ik_interfaces"
    ) from error

__all__ = [
    "ExecutePath",
    "FollowerState",
    "IkCandidate",
    "IkStatus",
    "SolveFk",
    "SolveIk",
    "SolveIkBatch",
]
