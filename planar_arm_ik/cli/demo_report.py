"""What ``planar-arm demo`` reports: how far the recorded tip was from the path."""

from __future__ import annotations

from typing import Any

import numpy as np

from planar_arm_ik.arm.planar_arm import Array, PlanarArm
from planar_arm_ik.cli.output import complain, print_json
from planar_arm_ik.status import IkStatus

#: Largest distance of the tip from the path that passes as traced [m].
TRACED = 1e-3


def report(
    arm: PlanarArm, waypoints: Array, track: list[Array], result: Any, as_json: bool, table: bool
) -> int:
    """Print how well the path was traced; returns the exit code, 0 when it was.

    Args:
        arm: the arm.
        waypoints: the path, (x, y) [m], shape (N, 2).
        track: joint angles recorded on the way [rad], each of shape (2,).
        result: what path_executor answered.
        as_json: print one JSON object, nothing for a reader.
        table: print some waypoints with the tip nearest to each, too.
    """
    status = IkStatus(result.status.code)
    if status < 0:
        complain(f"{status.name}: {result.status.message}")
        return 1
    tip = on_path(arm.forward(np.array(track)), waypoints)
    distance = distance_from_path(tip, waypoints)
    document = {
        "status": status.name,
        "waypoints": len(waypoints),
        "trajectory_points": len(result.trajectory.points),
        "largest_joint_step": result.largest_joint_step,
        "samples": len(tip),
        "largest_distance": float(distance.max()),
    }
    if as_json:
        print_json(document)
    else:
        if table:
            _print_track(tip, distance, waypoints)
        _print_summary(document)
    if distance.max() < TRACED:
        return 0
    complain(f"the tip was up to {1e3 * distance.max():.3g} mm beside the path")
    return 1


def _print_summary(document: dict[str, Any]) -> None:
    print(
        f"{document['waypoints']} waypoints, {document['trajectory_points']} trajectory "
        f"points, {document['samples']} recorded tips, largest distance from the path "
        f"{1e3 * document['largest_distance']:.4f} mm",
        flush=True,
    )


def _print_track(tip: Array, distance: Array, waypoints: Array) -> None:
    print("  waypoint      x [m]      y [m]   nearest tip x, y [m]    from the path [mm]")
    for index in np.unique(np.linspace(0, len(waypoints) - 1, 7).astype(int)):
        x, y = waypoints[index]
        k = int(np.argmin(_length(tip - waypoints[index])))
        print(
            f"  {index:8d}  {x:9.5f}  {y:9.5f}   {tip[k, 0]:9.5f} {tip[k, 1]:9.5f}"
            f"   {1e3 * distance[k]:12.4f}"
        )


def on_path(tip: Array, waypoints: Array) -> Array:
    """Leave out the approach: the track from where it is nearest to the first waypoint.

    Where few states were recorded, the nearest may be one of the approach: the track begins with
    the next that lies on the path, if one does.
    """
    track = tip[int(np.argmin(_length(tip - waypoints[0]))) :]
    on = distance_from_path(track, waypoints) < TRACED
    return track[int(on.argmax()) :]


def distance_from_path(points: Array, waypoints: Array) -> Array:
    """Distance of each point from the straight lines between waypoints [m], shape (len(points),).

    Args:
        points: (x, y) [m], shape (P, 2).
        waypoints: (x, y) [m], shape (N, 2).
    """
    begin, along = waypoints[:-1], np.diff(waypoints, axis=0)
    if len(along) == 0:
        return _length(points - waypoints[0])
    length = np.maximum((along**2).sum(axis=1), 1e-300)
    offset = points[:, None, :] - begin
    share = np.clip((offset * along).sum(axis=-1) / length, 0.0, 1.0)
    nearest = share[..., None] * along
    closest: Array = _length(offset - nearest).min(axis=1)
    return closest


def _length(vectors: Array) -> Array:
    length: Array = np.linalg.norm(vectors, axis=-1)
    return length
