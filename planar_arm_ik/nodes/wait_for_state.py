"""Ends its process with code 0 once both joints have been measured: launch files wait for it."""

from __future__ import annotations

import math
import os
import signal
from typing import Any

from planar_arm_ik.nodes.common.clocks import steady_timer
from planar_arm_ik.nodes.common.description import declare_description
from planar_arm_ik.nodes.common.measured import MeasuredJoints
from planar_arm_ik.nodes.common.runtime import ArmNode


class WaitForState(ArmNode):
    """Waits for the first full state on ``joint_states``; runs alone in its process."""

    def __init__(self, **options: Any) -> None:
        super().__init__("wait_for_state", **options)
        description = declare_description(self)
        self._measured = MeasuredJoints(self, description.joint_names, self.steady)
        names = " and ".join(description.joint_names)
        self.waits.for_publisher("joint_states", "start a driver or a broadcaster")
        self.get_logger().info(f"waiting for the first joint state of {names}")
        steady_timer(self, 0.05, self._look)

    def _look(self) -> None:
        if math.isfinite(self._measured.age()):
            os.kill(os.getpid(), signal.SIGTERM)
