"""Planar two-joint (2R) arm: inverse kinematics, paths and twist following, honestly."""

from planar_arm_ik.arm import JointLimits, PlanarArm
from planar_arm_ik.batch import choose_batch, solve_batch
from planar_arm_ik.columns import IkBatch, IkChoice
from planar_arm_ik.config import load_arm
from planar_arm_ik.dh import DhChain
from planar_arm_ik.differential import VelocityStep, damped_step
from planar_arm_ik.errors import ConfigError, PlanarArmError
from planar_arm_ik.obstacles import Obstacles
from planar_arm_ik.path import PathPlan, plan_path
from planar_arm_ik.shapes import Circle, Polygon
from planar_arm_ik.solution import IkCandidate, IkSolution
from planar_arm_ik.solver import solve
from planar_arm_ik.status import Branch, FollowerState, IkStatus
from planar_arm_ik.timing import TimedPath, time_path

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
