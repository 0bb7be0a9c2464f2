"""What a motion must keep to while it runs, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass

from planar_arm_ik.fields import setting


@dataclass(frozen=True)
class Tolerances:
    """What a motion must keep to; 0 is not checked.

    The error on the way is the distance to where the plan was at any moment of the `lag` before
    the state came in: an arm that is late is not off the path.
    """

    path: float = setting(
        0.2, "largest joint error on the way [rad], 0 = not checked", lower=0.0, upper=10.0
    )
    lag: float = setting(
        0.3, "how late the arm may be without being off the path [s]", lower=0.0, upper=5.0
    )
    goal: float = setting(
        0.02, "largest joint error at the end [rad], 0 = not checked", lower=0.0, upper=1.0
    )
    goal_time: float = setting(
        1.0, "time to reach the goal after the end [s]", lower=0.0, upper=60.0
    )
    state_timeout: float = setting(
        0.5, "age from which joint_states are stale [s]", lower=0.05, upper=10.0
    )
    stall: float = setting(
        0.3,
        "how long the arm may stand still although the plan moves [s], 0 = not checked",
        lower=0.0,
        upper=10.0,
    )
    lead: float = setting(0.04, "time until a new trajectory is in effect [s]")


@dataclass(frozen=True)
class Progress:
    """How far a motion is.

    Args:
        waypoint_index: waypoint the arm is moving to.
        fraction: part of the tip path's length behind it, 0 to 1.
        time_remaining: [s].
    """

    waypoint_index: int
    fraction: float
    time_remaining: float
