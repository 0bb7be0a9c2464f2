"""The page's memory: target, rule, path and what was said about them. No viewer, no ROS."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.branches import branch_of
from planar_arm_ik.inverse.solution import IkSolution
from planar_arm_ik.inverse.solver import solve
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.paths.planner import PathPlan, plan_path
from planar_arm_ik.scene.strokes import line_between, resample
from planar_arm_ik.scene.study import EXAMPLES, Run, example_path, follow
from planar_arm_ik.scene.texts import StatusText, good, refused, solution_text, warning
from planar_arm_ik.status import Branch
from planar_arm_ik.viewer.inbox import Act, Event
from planar_arm_ik.viewer.robot import Report, Robot

#: The rules whose runs are played side by side.
STUDY_RULES = ("min_shoulder", "nearest")
#: How a path is searched, see ``plan_path``.
SEARCHES = ("greedy", "global")
#: The rule that keeps the elbow of a pose.
_OWN_RULE = {Branch.POSITIVE: "positive", Branch.NEGATIVE: "negative"}


class Session:
    """Everything one page shows besides the arm itself.

    Args:
        arm: the arm.
        robot: what can be asked of it.
        obstacles: keep-out shapes, None when there are none.

    Attributes:
        q: joint angles drawn [rad], shape (2,): the measured ones, else the chosen answer.
        measured: whether q is measured.
        target: tip target (x, y) [m].
        rule: branch rule.
        search: how paths are searched, one of SEARCHES.
        solution: answer of inverse kinematics for the target, seeded by q.
        waypoints: the path drawn or loaded, shape (N, 2).
        plan: its plan under the rule, None before planning.
        note: what was last said about a request or a task.
        study: the runs being compared; empty when not playing.
    """

    def __init__(self, arm: PlanarArm, robot: Robot, obstacles: Obstacles | None = None) -> None:
        self.arm, self.robot, self.obstacles = arm, robot, obstacles
        self.rule, self.search = "nearest", SEARCHES[0]
        self.measured = False
        self.q: Array = np.array([0.5, 0.9])
        self.target = self._tip(self.q)
        self.solution: IkSolution = self._solve(self.q, self.rule)
        self.waypoints: Array = np.empty((0, 2))
        self.plan: PathPlan | None = None
        self.note: StatusText | None = None
        self.study: tuple[Run, ...] = ()
        self._task: StatusText | None = None
        self._stroke: list[tuple[float, float]] = []
        self._handlers: dict[Act, Callable[[Any], None]] = {
            Act.TARGET: self._move_target,
            Act.RULE: self._choose_rule,
            Act.SEARCH: self._choose_search,
            Act.JOINTS: self._pose,
            Act.GO: lambda _: self._execute(self._way_to_target(), SEARCHES[0]),
            Act.MOVE_JOINTS: self._move_joints,
            Act.JOG: lambda velocity: self._ask(robot.jog(velocity)),
            Act.DRAW: self._draw,
            Act.EXAMPLE: lambda name: self._load(example_path(arm, name)),
            Act.PLAN: lambda _: self._plan(),
            Act.EXECUTE: lambda _: self._execute(self.waypoints, self.search),
            Act.CANCEL: lambda _: self._ask(robot.cancel(), "cancelled"),
            Act.CLEAR: lambda _: self._load(np.empty((0, 2))),
            Act.STOP: lambda _: self._ask(robot.stop(), "stopped"),
            Act.PAUSE: lambda on: self._ask(robot.pause(on), "paused" if on else "resumed"),
            Act.ENABLE: lambda on: self._ask(robot.enable(on), "enabled" if on else "limp"),
            Act.STUDY: self._play,
        }

    def handle(self, event: Event) -> None:
        """Do what a person asked for; a refusal becomes the note."""
        try:
            self._handlers[event.act](event.value)
        except PlanarArmError as error:
            self.note = refused("refused", str(error))

    def observe(self, report: Report) -> None:
        """Take over the measured pose; without one the drawn arm is the chosen answer.

        What the robot says anew about its task becomes the note.
        """
        if report.task is not None and report.task is not self._task:
            self.note = report.task
        self._task = report.task
        first = report.q is not None and not self.measured
        self.measured = report.q is not None
        if report.q is not None:
            self.q = report.q
            if first and self._well_posed(self.q):  # a straight arm's tip shows no second elbow
                self._move_target(self._tip(self.q))
        elif self.solution.q is not None:
            self.q = self.solution.q

    def _well_posed(self, q: Array) -> bool:
        return float(self.arm.singular_values(q)[1]) >= self.arm.singular_threshold

    def status(self) -> StatusText:
        """What inverse kinematics says about the target."""
        return solution_text(self.solution)

    def _move_target(self, point: tuple[float, float]) -> None:
        if not all(math.isfinite(value) for value in point):
            raise PlanarArmError(f"target {point} m must be finite")
        self.target = (float(point[0]), float(point[1]))
        self.solution = self._solve(self.q, self.rule)

    def _solve(self, seed: ArrayLike, rule: str) -> IkSolution:
        return solve(self.arm, self.target, seed, rule, obstacles=self.obstacles)

    def _choose_rule(self, name: str) -> None:
        self.solution = self._solve(self.q, name)
        self.rule = name
        if len(self.waypoints):
            self._plan()

    def _choose_search(self, name: str) -> None:
        if name not in SEARCHES:
            known = ", ".join(SEARCHES)
            raise PlanarArmError(f"search {name!r} is unknown; choose one of {known}")
        self.search = name
        if len(self.waypoints):
            self._plan()

    def _pose(self, q: tuple[float, float]) -> None:
        """Put the target where a pose has its tip, on that pose's elbow."""
        self.target = self._tip(q)
        # A pose that touches something is said to touch it, not mirrored to the other elbow.
        own = _OWN_RULE.get(branch_of(q[1]), "nearest")
        self.solution = self._solve(q, own)

    def _tip(self, q: ArrayLike) -> tuple[float, float]:
        x, y = self.arm.forward(q)
        return float(x), float(y)

    def _way_to_target(self) -> Array:
        return line_between(self.arm.forward(self.q), np.array(self.target))

    def _move_joints(self, _: object) -> None:
        if self.solution.q is None:
            self.note = refused("refused", self.solution.message)
            return
        self._ask(self.robot.move_joints(self.solution.q), "moving the joints")

    def _draw(self, point: tuple[float, float] | None) -> None:
        if point is None:
            self._stroke = []
            return
        self._stroke.append(point)
        self.waypoints = resample(np.array(self._stroke))
        self.plan = None

    def _load(self, waypoints: Array) -> None:
        self.waypoints, self.plan, self.note = waypoints, None, None
        if len(waypoints):
            self._plan()

    def _plan(self) -> None:
        """Plan with the page's own solver: the same code the executor runs."""
        if not len(self.waypoints):
            self.note = warning("no path yet", "draw one, or load an example")
            return
        self.plan = plan_path(
            self.arm, self.waypoints, self.q, self.rule, self.search, obstacles=self.obstacles
        )
        count = len(self.waypoints)
        if self.plan.ok:
            step = math.degrees(self.plan.largest_step)
            self.note = good(f"{count} points planned", f"largest joint step {step:.2f}°")
        else:
            self.note = refused(f"refused at point {self.plan.failed_index}", self.plan.message)

    def _execute(self, waypoints: Array, search: str) -> None:
        if not len(waypoints):
            self.note = warning("no path yet", "draw one, or load an example")
            return
        self._ask(self.robot.execute(waypoints, self.rule, search), "sent")

    def _play(self, on: bool) -> None:
        arc = example_path(self.arm, EXAMPLES[0])
        self.study = tuple(follow(self.arm, arc, rule) for rule in STUDY_RULES) if on else ()

    def _ask(self, refusal: str, done: str = "") -> None:
        if refusal:
            self.note = refused("not possible", refusal)
        elif done:
            self.note = good(done)
