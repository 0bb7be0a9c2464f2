"""Planar two-joint (2R) arm: inverse kinematics, paths and twist following, honestly.

Every public name is imported when it is first used (PEP 562): a program that only solves loads
neither paths nor timing, and ``import planar_arm_ik`` alone costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planar_arm_ik.arm import JointLimits, PlanarArm
    from planar_arm_ik.batch import IkBatch, IkChoice, choose_batch, solve_batch
    from planar_arm_ik.chains import DhChain
    from planar_arm_ik.config import load_arm
    from planar_arm_ik.errors import ConfigError, PlanarArmError
    from planar_arm_ik.following import VelocityStep, damped_step
    from planar_arm_ik.inverse import IkCandidate, IkSolution, solve
    from planar_arm_ik.keep_out import Circle, Obstacles, Polygon
    from planar_arm_ik.paths import PathPlan, plan_path
    from planar_arm_ik.status import Branch, FollowerState, IkStatus
    from planar_arm_ik.trajectories import TimedPath, time_path

#: The room of every public name.
_ROOMS = {
    "arm": ("JointLimits", "PlanarArm"),
    "batch": ("IkBatch", "IkChoice", "choose_batch", "solve_batch"),
    "chains": ("DhChain",),
    "config": ("load_arm",),
    "errors": ("ConfigError", "PlanarArmError"),
    "following": ("VelocityStep", "damped_step"),
    "inverse": ("IkCandidate", "IkSolution", "solve"),
    "keep_out": ("Circle", "Obstacles", "Polygon"),
    "paths": ("PathPlan", "plan_path"),
    "status": ("Branch", "FollowerState", "IkStatus"),
    "trajectories": ("TimedPath", "time_path"),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = [
    "Branch",
    "Circle",
    "ConfigError",
    "DhChain",
    "FollowerState",
    "IkBatch",
    "IkCandidate",
    "IkChoice",
    "IkSolution",
    "IkStatus",
    "JointLimits",
    "Obstacles",
    "PathPlan",
    "PlanarArm",
    "PlanarArmError",
    "Polygon",
    "TimedPath",
    "VelocityStep",
    "choose_batch",
    "damped_step",
    "load_arm",
    "plan_path",
    "solve",
    "solve_batch",
    "time_path",
]


def __getattr__(name: str) -> object:
    """Import a public name from its room, once."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
