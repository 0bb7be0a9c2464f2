"""Why a path is refused, at which waypoint, and how far along."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.inverse.solver import solve
from planar_arm_ik.paths.densify import DenseLine
from planar_arm_ik.paths.line import REASONS
from planar_arm_ik.paths.plan import PathPlan
from planar_arm_ik.paths.problem import PathProblem
from planar_arm_ik.paths.search import Way
from planar_arm_ik.status import Branch, IkStatus


@dataclass(frozen=True)
class Refusal:
    """The first failure of a path.

    Args:
        status: why.
        index: waypoint that is not reached.
        t: how far the line to it is good, 0 to 1.
        message: one sentence.
        step: the joint step that was refused [rad], 0 when none was.
    """

    status: IkStatus
    index: int
    t: float
    message: str
    step: float = 0.0


def refuse(problem: PathProblem, failure: Refusal) -> PathPlan:
    """Turn a failure into a plan that is refused whole."""
    points, index = problem.request.points, failure.index
    near = np.clip(points, -1e100, 1e100)  # so that no length overflows
    along = np.diff(near, axis=0)
    lengths = np.hypot(*along.T)
    done = float(lengths[: max(index - 1, 0)].sum())
    last = None
    if index > 0:
        done += failure.t * float(lengths[index - 1])
        last = near[index - 1] + failure.t * along[index - 1]
    total = float(lengths.sum())
    fraction = done / total if total > 0.0 else 0.0
    x, y = points[index]
    return PathPlan(
        failure.status,
        failed_index=index,
        fraction=min(fraction, 1.0),
        largest_step=failure.step,
        largest_step_index=index if failure.step > 0.0 else -1,
        largest_step_tip=float(lengths[index - 1]) if failure.step > 0.0 else 0.0,
        limit_margin=0.0,
        last_point=None if last is None else (float(last[0]), float(last[1])),
        message=f"waypoint {index} ({x:.6g}, {y:.6g}) m: {failure.message}",
    )


def blocked(problem: PathProblem, way: Way) -> Refusal:
    """Say why a search stopped before waypoint `len(way.states)`."""
    index = len(way.states)
    if index == 0:
        return _unusable(problem, Branch.NONE, index, 0.0)
    source = int(way.states[-1])
    lattice = problem.lattice
    own = [
        to for to in problem.among if problem.same_elbow(source, to) and lattice.usable[to, index]
    ]
    branch = Branch(lattice.states[source].branch)
    if not own:
        return _unusable(problem, branch, index, _way_in(problem, source, index))
    if way.picked >= 0:
        return _refused_pick(problem, source, way.picked, index)
    steps = [problem.motion(source, to) for to in own]
    sizes = [max(abs(float(a[index - 1])), abs(float(b[index - 1]))) for a, b in steps]
    best = int(np.argmin(sizes))
    if sizes[best] > problem.request.max_joint_step:
        return _too_large(problem, sizes[best], index)
    if problem.off_line(source, own[best])[index - 1]:
        return line_refusal(problem, source, own[best], index)
    return _touching(problem, source, own[best], index)


def _refused_pick(problem: PathProblem, source: int, picked: int, index: int) -> Refusal:
    """The rule found something usable that is not accepted."""
    dq1, dq2 = problem.motion(source, picked)
    step = max(abs(float(dq1[index - 1])), abs(float(dq2[index - 1])))
    if problem.same_elbow(source, picked) or problem.request.allow_branch_switch:
        return _too_large(problem, step, index)
    name = Branch(problem.lattice.states[source].branch).name.lower()
    text = (
        f"rule {problem.request.rule.value} leaves the {name} branch by a joint step of "
        f"{step:.4g} rad ({math.degrees(step):.1f} deg), through full stretch or fold"
    )
    return Refusal(IkStatus.BRANCH_SWITCH, index, 0.0, text, step)


def _too_large(problem: PathProblem, step: float, index: int) -> Refusal:
    limit = problem.request.max_joint_step
    text = (
        f"the joint step of {step:.6g} rad ({math.degrees(step):.2f} deg) is above "
        f"max_joint_step {limit:.6g} rad"
    )
    return Refusal(IkStatus.JOINT_STEP, index, 0.0, text, step)


def _unusable(problem: PathProblem, in_use: Branch, index: int, t: float) -> Refusal:
    """No pose at the waypoint, on the branch in use if there is one."""
    request = problem.request
    rule = request.rule.value
    if in_use is not Branch.NONE:
        rule = in_use.name.lower()
    answer = solve(
        request.arm,
        request.points[index],
        request.start,
        rule,
        boundary_tolerance=request.boundary_tolerance,
        obstacles=request.obstacles,
    )
    if answer.status >= 0:  # a wide joint: usable, but not in the half turn of the elbow in use
        return Refusal(IkStatus.BRANCH_SWITCH, index, t, "the elbow would leave its half turn")
    return Refusal(answer.status, index, t, answer.message)


def _way_in(problem: PathProblem, source: int, index: int) -> float:
    """How far the line into a waypoint that is not usable is good, 0 to 1."""
    fraction = float(problem.part(index - 1, index + 1).exits(source).fraction[0])
    return fraction if math.isfinite(fraction) else 0.0


def line_refusal(problem: PathProblem, source: int, to: int, index: int) -> Refusal:
    """Say where and why the line into a waypoint is left."""
    if not problem.same_elbow(source, to):
        return Refusal(
            IkStatus.LINE_TOLERANCE,
            index,
            0.0,
            "changing the elbow here leaves the straight line by more than the tolerance",
        )
    line = problem.exits(source)
    t = float(line.fraction[index - 1])
    status, text = REASONS[int(line.reason[index - 1])]
    if not math.isfinite(t):
        status, text, t = IkStatus.LINE_TOLERANCE, "the line needs the shoulder a turn on", 0.0
    begin, end = problem.request.points[index - 1 : index + 1]
    x, y = begin + t * (end - begin)
    return Refusal(status, index, t, f"{text} at ({x:.6g}, {y:.6g}) m on the way there")


def collision(problem: PathProblem, dense: DenseLine, touch: Array) -> Refusal:
    """Say where a planned motion first touches a keep-out shape."""
    row = int(np.argmax(np.isfinite(touch)))
    inner, line = float(touch[row]), int(dense.line[row])
    after = float(dense.t[row + 1]) if int(dense.line[row + 1]) == line else 1.0
    t = float(dense.t[row]) + inner * (after - float(dense.t[row]))
    pose = dense.q[row] + inner * (dense.q[row + 1] - dense.q[row])
    text = "the motion touches a keep-out shape on the way there"
    if problem.request.obstacles is not None:
        name, link, _ = problem.request.obstacles.nearest(problem.request.arm, pose)
        text = f"link {link} touches the keep-out shape {name!r} on the way there"
    return Refusal(IkStatus.COLLISION, line + 1, t, text)


def _touching(problem: PathProblem, source: int, to: int, index: int) -> Refusal:
    """Say where a step that a search refused touches a keep-out shape."""
    part = problem.part(index - 1, index + 1)
    states = np.array((source, to), dtype=np.intp)
    dense = part.densified(states, ~part.switches(states))
    return replace(collision(part, dense, part.touches(dense.q)), index=index)
