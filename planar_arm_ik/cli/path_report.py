"""What ``planar-arm path`` reports: status, elbow, steps, margins, duration."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planar_arm_ik.cli.output import angle_unit, shown
from planar_arm_ik.status import Branch
from planar_arm_ik.trajectories.motion import PathMotion


def document_of(motion: PathMotion, count: int, degrees: bool) -> dict[str, Any]:
    """What is said about a path, as plain values.

    Args:
        motion: plan and trajectory.
        count: number of waypoints given.
        degrees: tell angles in degrees.
    """
    plan, trajectory = motion.plan, motion.trajectory
    return {
        "status": plan.status.name,
        "message": plan.message,
        "angle_unit": angle_unit(degrees),
        "waypoints": count,
        "rows": len(plan.q),
        "branches": [Branch(int(b)).name.lower() for b in _per_waypoint(motion, count)],
        "failed_index": plan.failed_index,
        "fraction": plan.fraction,
        "last_point": plan.last_point,
        "largest_step": shown(plan.largest_step, degrees),
        "largest_step_index": plan.largest_step_index,
        "largest_step_tip": plan.largest_step_tip,
        "jumps": plan.jumps.tolist(),
        "limit_margin": shown(plan.limit_margin, degrees),
        "sigma_min": plan.sigma_min,
        "q": shown(plan.q, degrees),
        "duration": 0.0 if trajectory is None else trajectory.duration,
        "trajectory_points": 0 if trajectory is None else len(trajectory.time),
        "stops": motion.stops,
        "rounded": plan.corners is not None,
        "kept_corners": [asdict(corner) for corner in plan.kept_corners],
        "slow_parts": [asdict(part) for part in motion.slow_parts],
    }


def _per_waypoint(motion: PathMotion, count: int) -> NDArray[np.int8]:
    """Branch per waypoint: of the first row that belongs to it."""
    plan = motion.plan
    if not plan.ok:
        return plan.branches
    branches: NDArray[np.int8] = plan.branches[
        np.searchsorted(plan.waypoint_index, np.arange(count))
    ]
    return branches


def print_report(document: dict[str, Any]) -> None:
    """Print what :func:`document_of` says, and a plot or an execution added to it."""
    unit = document["angle_unit"]
    print(document["status"] + (f": {document['message']}" if document["message"] else ""))
    if document["failed_index"] >= 0 or not document["rows"]:
        print(f"refused as a whole; good up to {100.0 * document['fraction']:.2f} % of its length")
        return
    print(f"{document['waypoints']} waypoints, {document['rows']} poses")
    runs = _runs(document["branches"])
    print("elbow: " + ", ".join(f"{name} {first} to {last}" for name, first, last in runs))
    if document["largest_step_index"] >= 0:
        index = document["largest_step_index"]
        print(
            f"largest joint step {document['largest_step']:.6g} {unit} from waypoint {index - 1} "
            f"to {index} (tip {document['largest_step_tip']:.6g} m)"
        )
    print(
        f"margin to the joint limits {document['limit_margin']:.6g} {unit}, smallest sigma_min "
        f"{document['sigma_min']:.4g} m/rad"
    )
    print(
        f"{document['duration']:.3f} s, {document['trajectory_points']} trajectory points, "
        f"{document['stops']} stops at corners"
    )
    _print_where(document)
    if "plot" in document:
        print(f"wrote {document['plot']}")
    if "execution" in document:
        execution = document["execution"]
        print(f"executed: {execution['status']} {execution['message']}".rstrip())
        if "max_tracking_error" in execution:
            error = 1e3 * execution["max_tracking_error"]
            print(f"largest distance of the measured from the planned tip {error:.3f} mm")


def _print_where(document: dict[str, Any]) -> None:
    """Print where the arm stops for a reason, and where the tip is slower than asked for."""
    for corner in document["kept_corners"]:
        print(f"corner at waypoint {corner['waypoint']} is not rounded: {corner['reason']}")
    for part in document["slow_parts"]:
        begin, end = 100.0 * part["begin"], 100.0 * part["end"]
        print(
            f"tip speed not kept from {begin:.1f} to {end:.1f} % of the time, down to "
            f"{part['least']:.4g} m/s: {part['limit']} of joint{part['joint']}"
        )


def _runs(branches: list[str]) -> list[tuple[str, int, int]]:
    """Stretches of one branch: name, first and last waypoint."""
    runs: list[tuple[str, int, int]] = []
    for index, name in enumerate(branches):
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1], index)
        else:
            runs.append((name, index, index))
    return runs
