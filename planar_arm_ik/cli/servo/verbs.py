"""``planar-arm servo ...``: find, name, move and calibrate servos, without ROS."""

from __future__ import annotations

from planar_arm_ik.cli.servo.bench import scan, set_id
from planar_arm_ik.cli.servo.calibrate import calibrate
from planar_arm_ik.cli.servo.joints import jog, read, relax, test
from planar_arm_ik.cli.verb import Verb

servo = Verb(
    "servo",
    "find, name, move and calibrate servos",
    "Work on the servos of an arm. Nothing here needs ROS.",
    examples=["servo COMMAND --help"],
    verbs=[scan, set_id, read, relax, test, jog, calibrate],
)
