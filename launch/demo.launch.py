"""The simulated arm traces the example arc; browser page and, if installed, RViz show it."""

from planar_arm_ik.launching.arguments import planned
from planar_arm_ik.launching.bringup import bringup_description


def generate_launch_description():
    """Describe what starts: as bringup, with other defaults, and the tracing."""
    return bringup_description(
        planned(("name", "config"), lambda arm: [arm.tracer()]), view="true", rviz="true"
    )
