"""A path in time: limits, tip speed, stopping, playing, what counts as arrived.

May import: paths and below; toppra in ``toppra_timing``. Open ``timing`` first, then ``motion``.
"""

from planar_arm_ik.trajectories.timing import TimedPath, time_path

__all__ = ["TimedPath", "time_path"]
