"""The solver as every service asks it: seeds by joint name, targets in any frame, answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from rclpy.node import Node

from planar_arm_ik.arm.joint_states import both_angles
from planar_arm_ik.arm.planar_arm import LARGEST_ANGLE
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse import explain
from planar_arm_ik.inverse.question import Pair, Question, ask
from planar_arm_ik.inverse.solution import IkSolution
from planar_arm_ik.inverse.solver import solve_question
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.frames import Frames
from planar_arm_ik.nodes.common.measured import MeasuredJoints
from planar_arm_ik.nodes.common.parameters import Parameters
from planar_arm_ik.nodes.ik_server.parameters import IkServerConfig


class ArmSolver:
    """The arm, its parameters, frames and measured joints, and how to ask them.

    Args:
        node: the node that owns the parameters and subscriptions.
    """

    def __init__(self, node: Node) -> None:
        self.description = declare_description(node)
        self.arm = self.description.arm
        self.settings = Parameters(node, IkServerConfig)
        self.frames = Frames(node, self.description.base_frame)
        self._measured = MeasuredJoints(node, self.description.joint_names)

    @property
    def config(self) -> IkServerConfig:
        """The parameters of now."""
        return self.settings.value

    def target(self, frame: str, point: Any) -> tuple[float, float, float]:
        """Bring a point message [m] into the base frame.

        Raises:
            FrameError: the frame is unknown here.
            PlanarArmError: a number is not finite.
        """
        x, y, z = point.x, point.y, point.z
        if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
            raise PlanarArmError(f"target ({x}, {y}, {z}) m must be finite")
        if self.frames.is_base(frame):
            return x, y, z
        x, y, z = self.frames.point_in_base(frame, np.array((x, y, z))).tolist()
        return x, y, z

    def seed(self, names: Sequence[str], positions: Sequence[float]) -> tuple[Pair | None, str]:
        """Return the seed [rad] and where it came from: the request, joint_states, or nowhere.

        Raises:
            PlanarArmError: the request's seed is not complete.
        """
        if len(names) or len(positions):
            seed = self.joints(names, positions)
            hint = explain.seed_hint(self.arm, seed)
            return seed, f"seed from the request; {hint}" if hint else "seed from the request"
        measured = self._measured.fresh(self.config.state_timeout)
        if measured is None:
            return None, "no seed: no fresh joint_states"
        q1, q2 = measured.q.tolist()
        return (q1, q2), "seed from joint_states"

    def joints(self, names: Sequence[str], positions: Sequence[float]) -> Pair:
        """Both joint angles [rad] by name.

        Raises:
            PlanarArmError: one is missing or not finite, or the lengths differ.
        """
        joint_names = self.description.joint_names
        seed = both_angles(joint_names, names, positions)
        if seed is None:
            raise PlanarArmError(
                f"a joint state needs finite positions of {joint_names[0]} and {joint_names[1]} "
                f"within +-{LARGEST_ANGLE:.0e} rad, "
                f"as many as names; it has the names {list(names)} and {len(positions)} positions"
            )
        return seed

    def answer(
        self, x: float, y: float, rule: str, seed: Pair | None, max_joint_step: float = 0.0
    ) -> IkSolution:
        """Solve one target in the base frame [m] with the parameters of now.

        Raises:
            PlanarArmError: the rule is unknown or the step is not a number.
        """
        question = self.question(rule, max_joint_step)
        return solve_question(question, x, y, seed, self.description.obstacles)

    def question(self, rule: str, max_joint_step: float = 0.0) -> Question:
        """What the parameters of now, a rule ("" = theirs) and a step [rad] (0 = any) ask.

        Raises:
            PlanarArmError: the rule is unknown or the step is not a number.
        """
        if not (math.isfinite(max_joint_step) and max_joint_step >= 0.0):
            raise PlanarArmError(
                f"max_joint_step {max_joint_step} rad must be finite and not negative"
            )
        options = self.config.options
        return ask(
            self.arm,
            rule or options.rule,
            max_joint_step or math.inf,
            options.metric,
            options.weights,
            options.singular_threshold,
            options.boundary_tolerance,
        )

    def introduction(self) -> str:
        """One line at the start: the arm, its zero and directions, its limits and rule."""
        arm, (first, second) = self.arm, self.description.joint_names
        return (
            f"l1 {arm.l1} m, l2 {arm.l2} m; {first} {_span(arm.joint1)} from x of "
            f"{self.description.base_frame}, {second} {_span(arm.joint2)} from link 1, both "
            f"counter-clockwise in rad; positive branch: {second} > 0; rule "
            f"{self.config.branch_selection}"
        )


def _span(limits: Any) -> str:
    if limits.unbounded:
        return "without limits"
    lower, upper = math.degrees(limits.lower), math.degrees(limits.upper)
    return f"in [{limits.lower:.4g}, {limits.upper:.4g}] ([{lower:.4g}, {upper:.4g}] deg)"
