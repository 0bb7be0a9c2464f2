"""Guided calibration of a servo arm: asks a person one question at a time."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from planar_arm_ik.cli.servo.options import i2c_bus
from planar_arm_ik.cli.servo.taught import Notes, fitted, raw_now, with_joint
from planar_arm_ik.config import ArmDescription
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.calibration.teach import tip_errors, with_hard_range
from planar_arm_ik.servo.control.session import ServoSession
from planar_arm_ik.servo.settings.backends import DEFAULT_BAUD
from planar_arm_ik.servo.settings.files import template
from planar_arm_ik.servo.settings.makers import REAL
from planar_arm_ik.servo.settings.settings import BusSettings, ServoSettings, load_settings

#: Hard range this far inside the mechanical ends [counts].
_END_MARGIN = 20.0
#: Pulses at which a servo without feedback is measured, as parts of its hard range.
_PARTS = (0.1, 0.3, 0.5, 0.7, 0.9)
#: Poses that are taught [deg]: the arm stretched along x, then both joints a quarter turn.
_POSES = ((0.0, 0.0), (90.0, 90.0))
_TOLERANCE = 0.01


class Interview:
    """Asks a person.

    Args:
        degrees: whether angles are answered in degrees.
        ask: shows a question and returns the answer.
    """

    def __init__(self, degrees: bool, ask: Callable[[str], str] = input) -> None:
        self._degrees = degrees
        self._ask = ask

    def text(self, question: str, default: str = "") -> str:
        """Ask for a word."""
        shown = f" [{default}]" if default else ""
        return self._ask(f"{question}{shown}: ").strip() or default

    def numbers(self, question: str, count: int) -> list[float]:
        """Ask for numbers until there are enough, all finite."""
        while True:
            try:
                values = [float(word) for word in self.text(question).replace(",", " ").split()]
            except ValueError:
                values = []
            if len(values) == count and all(math.isfinite(value) for value in values):
                return values
            self.tell(f"please type {count} number{'s' if count > 1 else ''}")

    def angle(self, question: str) -> float:
        """Ask for an angle; returns [rad]."""
        unit = "deg" if self._degrees else "rad"
        value = self.numbers(f"{question} [{unit}]", 1)[0]
        return math.radians(value) if self._degrees else value

    def ready(self, what: str) -> None:
        """Wait until the person has done something."""
        self._ask(f"{what}, then press Enter: ")

    def tell(self, text: str) -> None:
        """Show a sentence."""
        print(text, file=sys.stderr)


def guide(file: Path, arm: ArmDescription, person: Interview) -> ServoSettings:
    """Lead through a whole calibration.

    Args:
        file: servo arm's file; started when it does not exist.
        arm: the arm.
        person: who answers.

    Returns:
        The calibrated settings, verified at two points; not yet written.

    Raises:
        PlanarArmError: the bus fails, or what was taught contradicts itself or the tape measure.
    """
    settings = load_settings(file) if file.exists() else _start(arm, person)
    notes = Notes(file)
    notes.poses, notes.measured = [], []
    if settings.joints[0].feedback:
        settings = _by_hand(settings, notes, person)
    else:
        settings = _by_protractor(settings, notes, person)
    notes.save()
    settings = fitted(settings, notes)
    _verify(settings, arm, person)
    return settings


def _start(arm: ArmDescription, person: Interview) -> ServoSettings:
    backend = person.text(f"backend ({', '.join(REAL)})", "feetech")
    if backend == "pca9685":
        port = person.text("I2C bus", "1")
        bus = BusSettings(backend=backend, i2c_bus=i2c_bus(port))
        ids = person.numbers("channels of shoulder and elbow", 2)
    else:
        port = person.text("serial port", "/dev/ttyACM0")
        bus = BusSettings(backend=backend, port=port, baud=DEFAULT_BAUD.get(backend, 0))
        ids = person.numbers("ids of shoulder and elbow servo", 2)
    return template(bus, arm.arm, arm.joint_names, tuple(int(value) for value in ids))


def _by_hand(settings: ServoSettings, notes: Notes, person: Interview) -> ServoSettings:
    """Teach servos that can be read: their ends, then two poses."""
    for k, joint in enumerate(settings.joints):
        ends = []
        for end in ("one end", "the other end"):
            person.ready(f"turn {joint.joint} by hand to {end} of its range")
            ends.append(raw_now(settings)[k])
        low, high = sorted(ends)
        margin = min(_END_MARGIN, 0.1 * (high - low))
        settings = with_joint(settings, k, with_hard_range(joint, low + margin, high - margin))
        person.tell(f"{joint.joint}: hard range {low + margin:.0f} to {high - margin:.0f}")
    for pose in _POSES:
        person.ready(f"hold the arm at joint angles {pose[0]:g} and {pose[1]:g} degrees")
        q = [math.radians(value) for value in pose]
        notes.poses.append({"raw": raw_now(settings), "q": q})
    return settings


def _by_protractor(settings: ServoSettings, notes: Notes, person: Interview) -> ServoSettings:
    """Measure servos that cannot be read: angles at several pulses, up and down."""
    for k, joint in enumerate(settings.joints):
        low, high = person.numbers(f"smallest and largest pulse of {joint.joint} [us]", 2)
        settings = with_joint(settings, k, with_hard_range(joint, low, high))
    person.tell("the servos are switched on one after the other: keep clear of the arm")
    with ServoSession(settings, lambda level, text: person.tell(text)) as session:
        session.enable()
        for k, joint in enumerate(settings.joints):
            low, high = joint.to_raw(joint.lower), joint.to_raw(joint.upper)
            pulses = sorted(low + part * (high - low) for part in _PARTS)
            for down in (False, True):
                for raw in reversed(pulses) if down else pulses:
                    target = list(session.report.setpoint)
                    target[k] = joint.to_angle(raw)
                    session.move(target)
                    q = person.angle(f"{joint.joint} at {raw:.0f} us: measured angle")
                    notes.measured.append({"joint": joint.joint, "raw": raw, "q": q, "down": down})
    return settings


def _verify(settings: ServoSettings, arm: ArmDescription, person: Interview) -> None:
    """Compare forward kinematics with the tape measure at two points."""
    for number in (1, 2):
        if settings.joints[0].feedback:
            person.ready(f"check {number} of 2: bring the tip to a point you can measure")
            raw = raw_now(settings)
        else:
            raw = _driven_there(settings, number, person)
        tip = person.numbers("x and y of the tip from the shoulder [m]", 2)
        error = float(tip_errors(arm.arm, settings.joints, np.array([raw]), np.array([tip]))[0])
        person.tell(f"the tip is {1e3 * error:.1f} mm from where forward kinematics has it")
        if error > _TOLERANCE:
            raise PlanarArmError(
                f"check {number}: the tip is {1e3 * error:.1f} mm off, more than "
                f"{1e3 * _TOLERANCE:.0f} mm; nothing was written. Link lengths right? Angles "
                "counter-clockwise, elbow relative to link 1?"
            )


def _driven_there(settings: ServoSettings, number: int, person: Interview) -> list[float]:
    """Drive servos without feedback to a third of their way to one side; returns raw values."""
    part = 1.0 / 3.0 if number == 1 else 2.0 / 3.0
    q = [joint.lower + part * (joint.upper - joint.lower) for joint in settings.joints]
    with ServoSession(settings, lambda level, text: person.tell(text)) as session:
        session.enable()
        session.move(q)
        person.ready(f"check {number} of 2: mark where the tip is")
    return [joint.to_raw(value) for joint, value in zip(settings.joints, q, strict=True)]
