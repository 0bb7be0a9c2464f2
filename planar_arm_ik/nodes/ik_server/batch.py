"""``~/solve_batch``: message arrays in and out of the batch solver, without a Python loop."""

from __future__ import annotations

import array

import numpy as np

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.batch.batch import solve_columns
from planar_arm_ik.batch.columns import Bytes, ChoiceColumns, Columns, first_failure
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.inverse.question import Pair
from planar_arm_ik.nodes.common.interfaces import SolveIkBatch
from planar_arm_ik.nodes.ik_server.arm_solver import ArmSolver
from planar_arm_ik.nodes.ik_server.messages import refuse
from planar_arm_ik.status import IkStatus

#: Targets checked at a time.
_STEP = 65536


class BatchError(PlanarArmError):
    """A request is refused as a whole.

    Args:
        message: value and rule.
        index: of the first bad target.
    """

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


def solve_batch_request(
    solver: ArmSolver, request: SolveIkBatch.Request, response: SolveIkBatch.Response
) -> SolveIkBatch.Response:
    """Answer one request; every expected refusal is in the response.

    Raises:
        PlanarArmError: the seed or the rule is wrong, or the frame is unknown.
    """
    x, y = np.frombuffer(request.x), np.frombuffer(request.y)
    response.failed_index = -1
    try:
        check(x, y, solver.config.max_batch)
    except BatchError as error:
        response.failed_index = error.index
        return refuse(response, IkStatus.INVALID_INPUT, str(error))
    seed, origin = solver.seed(request.seed.name, request.seed.position)
    x, y, off_plane = in_base(solver, request.header.frame_id, x, y)
    question = solver.question(request.rule)
    seeds = None if seed is None else np.array(seed)
    response.joint1, response.joint2 = (array.array("d", (0.0,)) * x.size for _ in range(2))
    response.statuses, response.branches = (array.array("b", (0,)) * x.size for _ in range(2))
    chosen = ChoiceColumns(
        np.frombuffer(response.joint1),
        np.frombuffer(response.joint2),
        np.frombuffer(response.statuses, dtype=np.int8),
        np.frombuffer(response.branches, dtype=np.int8),
    )
    shapes = solver.description.obstacles
    solve_columns(question, (x, y), seeds, Columns(None, None, chosen), obstacles=shapes)
    response.failed_index = first_failure(chosen.status)
    response.status.code, text = _summary(solver, chosen.status, (x, y), request.rule, seed)
    response.status.message = "; ".join(part for part in (text, off_plane, origin) if part)
    return response


def check(x: Array, y: Array, max_batch: int) -> None:
    """Refuse what cannot be a batch.

    Raises:
        BatchError: it is empty, longer than `max_batch`, of unequal lengths, or not finite.
    """
    if x.size != y.size:
        raise BatchError(
            f"{x.size} x and {y.size} y: as many of both are needed", min(x.size, y.size)
        )
    if x.size == 0:
        raise BatchError("x and y are empty: at least one target is needed", 0)
    if x.size > max_batch:
        raise BatchError(f"{x.size} targets are more than max_batch = {max_batch}", max_batch)
    for start in range(0, x.size, _STEP):
        part = slice(start, start + _STEP)
        fine = np.isfinite(x[part]) & np.isfinite(y[part])
        if not fine.all():
            index = start + int(fine.argmin())
            raise BatchError(f"target {index} ({x[index]}, {y[index]}) m must be finite", index)


def in_base(solver: ArmSolver, frame: str, x: Array, y: Array) -> tuple[Array, Array, str]:
    """Bring points of the plane z = 0 of a frame into the base frame, and say if they leave it.

    Raises:
        FrameError: the frame is unknown here.
    """
    if solver.frames.is_base(frame):
        return x, y, ""
    points = solver.frames.point_in_base(frame, np.stack((x, y, np.zeros_like(x))))
    height = float(points[2][np.abs(points[2]).argmax()])
    text = f"targets are up to {height:.6g} m off the plane" if abs(height) > 1e-9 else ""
    return points[0], points[1], text


def _summary(
    solver: ArmSolver, status: Bytes, targets: tuple[Array, Array], rule: str, seed: Pair | None
) -> tuple[int, str]:
    """Status of the whole, and one sentence about the first target without an answer."""
    first, n = first_failure(status), status.size
    if first < 0:
        singular = int(np.count_nonzero(status))
        code = IkStatus.SINGULAR if singular else IkStatus.OK
        return int(code), f"{singular} of {n} answers are singular" if singular else ""
    failed = int(np.count_nonzero(status < 0))
    why = solver.answer(float(targets[0][first]), float(targets[1][first]), rule, seed).message
    return int(status[first]), (
        f"{failed} of {n} targets have no answer; the first is target {first}: {why}"
    )
