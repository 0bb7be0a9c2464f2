"""Planar two-joint (2R) arm: inverse kinematics, paths and twist following, honestly."""

from planar_arm_ik.arm.planar_arm import JointLimits, PlanarArm
from planar_arm_ik.batch.batch import choose_batch, solve_batch
from planar_arm_ik.batch.columns import IkBatch, IkChoice
from planar_arm_ik.chains.chain import DhChain
from planar_arm_ik.config import load_arm
from planar_arm_ik.errors import ConfigError, PlanarArmError
from planar_arm_ik.following.differential import VelocityStep, damped_step
from planar_arm_ik.inverse.solution import IkCandidate, IkSolution
from planar_arm_ik.inverse.solver import solve
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle, Polygon
from planar_arm_ik.paths.planner import PathPlan, plan_path
from planar_arm_ik.status import Branch, FollowerState, IkStatus
from planar_arm_ik.trajectories.timing import TimedPath, time_path

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
