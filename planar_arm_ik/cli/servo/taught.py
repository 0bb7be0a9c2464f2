"""Calibration samples that a person has taught a servo arm so far, and the fit to them."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.calibration.calibration import JointCalibration
from planar_arm_ik.servo.calibration.teach import fit_linear, fit_points
from planar_arm_ik.servo.settings.backends import make_bus
from planar_arm_ik.servo.settings.settings import ServoSettings


class Notes:
    """What was taught so far, beside the file."""

    def __init__(self, file: Path) -> None:
        self.path = file.with_name(file.name + ".taught.json")
        self.poses: list[dict[str, list[float]]] = []
        self.measured: list[dict[str, Any]] = []
        if self.path.exists():
            stored = json.loads(self.path.read_text())
            self.poses, self.measured = stored["poses"], stored["measured"]

    def save(self) -> None:
        """Keep them."""
        self.path.write_text(json.dumps({"poses": self.poses, "measured": self.measured}))


def fitted(settings: ServoSettings, notes: Notes) -> ServoSettings:
    """Fit every joint to what was taught: measured points where there are any, else poses.

    Raises:
        PlanarArmError: too little was taught, or it contradicts itself.
    """
    for k, joint in enumerate(settings.joints):
        mine = [item for item in notes.measured if item["joint"] == joint.joint]
        if mine:
            up = [(item["raw"], item["q"]) for item in mine if not item["down"]]
            down = [(item["raw"], item["q"]) for item in mine if item["down"]]
            settings = with_joint(settings, k, fit_points(joint, up, down))
        else:
            taught = [(pose["raw"][k], pose["q"][k]) for pose in notes.poses]
            settings = with_joint(settings, k, fit_linear(joint, taught))
    return settings


def raw_now(settings: ServoSettings) -> list[float]:
    """Let go of the servos and read them.

    Raises:
        PlanarArmError: they cannot be read.
    """
    bus = make_bus(settings)
    if not bus.feedback:
        raise PlanarArmError("these servos cannot be read: give --raw, or use `measure`")
    with closing(bus):
        try:
            bus.open()
            bus.relax()
            ticks = bus.read() or []
        except BusError as error:
            raise PlanarArmError(str(error)) from error
    return [value * bus.resolution for value in ticks]


def index_of(settings: ServoSettings, name: str) -> int:
    """Place of a joint by its name.

    Raises:
        PlanarArmError: there is no such joint.
    """
    if name not in settings.joint_names:
        raise PlanarArmError(f"joint {name!r} is not one of {', '.join(settings.joint_names)}")
    return settings.joint_names.index(name)


def with_joint(settings: ServoSettings, k: int, joint: JointCalibration) -> ServoSettings:
    """Return the settings with one joint replaced."""
    joints = list(settings.joints)
    joints[k] = joint
    return replace(settings, joints=tuple(joints))
