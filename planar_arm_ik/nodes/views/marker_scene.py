"""What the scene for RViz holds now: the target with both elbows, the path, velocity arrows."""

from __future__ import annotations

from visualization_msgs.msg import Marker

from planar_arm_ik.arm.planar_arm import Array
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.inverse.branches import Rule
from planar_arm_ik.inverse.solver import solve
from planar_arm_ik.nodes.common.interfaces import FollowerState
from planar_arm_ik.nodes.views.marker_messages import MarkerMaker
from planar_arm_ik.paths.planner import plan_path
from planar_arm_ik.scene.arrows import velocity_arrows
from planar_arm_ik.scene.paths import PathPicture, path_picture


class MarkerScene:
    """The things to be seen, as markers.

    Args:
        description: the arm.

    Attributes:
        target: the newest target (x, y) in the base frame [m], None before the first.
    """

    def __init__(self, description: ArmDescription) -> None:
        self._arm, self._obstacles = description.arm, description.obstacles
        self._maker = MarkerMaker(self._arm, description.base_frame, self._obstacles)
        self.target: tuple[float, float] | None = None
        self._path = PathPicture((), ())

    def workspace(self) -> list[Marker]:
        """What never changes."""
        return self._maker.workspace()

    def show_path(self, points: Array, q: Array | None) -> None:
        """Draw another path, from tip positions [m], shape (M, 2), and measured angles [rad]."""
        # The executor found a way past the shapes, perhaps by the global search.
        for search in ("greedy", "global"):
            plan = plan_path(
                self._arm, points, q, search=search, allow_branch_switch=True,
                obstacles=self._obstacles,
            )  # fmt: skip
            if plan.ok:
                break
        self._path = path_picture(self._arm, plan.q, plan.branches)

    def markers(self, q: Array | None, rule: str, follower: FollowerState | None) -> list[Marker]:
        """All that changes.

        Args:
            q: measured angles [rad], None without fresh ones.
            rule: that chooses the elbow.
            follower: report of the twist follower, None when it is silent.
        """
        markers: list[Marker] = []
        if self.target is not None:
            if q is None and rule == Rule.KEEP.value:
                rule = Rule.NEAREST.value
            solution = solve(self._arm, self.target, q, rule, obstacles=self._obstacles)
            markers += self._maker.target(self.target, solution)
        markers += self._maker.path(self._path)
        if q is not None and follower is not None:
            markers += self._arrows(q, follower)
        return markers

    def _arrows(self, q: Array, state: FollowerState) -> list[Marker]:
        commanded, achieved, residual = (
            (vector.x, vector.y) for vector in (state.commanded, state.achieved, state.residual)
        )
        longest = 0.4 * self._arm.outer_radius
        tip = self._arm.forward(q)
        return self._maker.arrows(
            velocity_arrows(tip, commanded, achieved, residual, longest=longest)
        )
