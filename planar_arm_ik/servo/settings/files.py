"""Begins and writes the settings file of a servo arm; the old one is kept beside it."""

from __future__ import annotations

import math
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import yaml

from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.servo.calibration.calibration import JointCalibration
from planar_arm_ik.servo.settings.makers import MAKERS
from planar_arm_ik.servo.settings.settings import BusSettings, ServoSettings

_HEAD = (
    "# Made by `planar-arm servo calibrate`. Angles in radians, raw in counts or microseconds.\n"
)
#: Part of the arm's speed limit that a new file starts with.
_SLOW = 0.5
#: Microseconds per radian of a hobby servo that turns 180 degrees in 2 ms.
_HOBBY_SCALE = 636.62
#: Counts of a turn where the maker has no rule.
_COUNTS = 4096


def template(
    bus: BusSettings, arm: PlanarArm, joint_names: tuple[str, ...], ids: tuple[int, ...]
) -> ServoSettings:
    """Return settings to start a calibration with: middle at zero, slow, inside the arm's limits.

    Args:
        bus: the bus.
        arm: its limits.
        joint_names: names of shoulder and elbow joint.
        ids: servo ids or channels of both.
    """
    maker = MAKERS[bus.backend]
    pulses, counts = maker.pulses, maker.counts or _COUNTS
    zero, scale = (1500.0, _HOBBY_SCALE) if pulses else (0.5 * counts, counts / (2.0 * math.pi))
    low, high = (600.0, 2400.0) if pulses else (0.0, counts - 1.0)
    reach = (high - zero) / scale - 1e-3
    joints = tuple(
        JointCalibration(
            joint=name,
            id=ids[k],
            lower=max(limits.lower, -reach),
            upper=min(limits.upper, reach),
            raw_min=low,
            raw_max=high,
            max_speed=_SLOW * limits.velocity,
            zero=zero,
            scale=scale,
            feedback=not pulses,
        )
        for k, (name, limits) in enumerate(zip(joint_names, arm.joints, strict=True))
    )
    return ServoSettings(bus, joints)


def save_settings(settings: ServoSettings, path: Path) -> Path | None:
    """Write the file.

    Returns:
        Where the old file was kept, or None when there was none.
    """
    kept = _free_name(path) if path.exists() else None
    if kept is not None:
        path.rename(kept)
    document = {
        "bus": _changed(settings.bus),
        "joints": [_changed(joint) for joint in settings.joints],
    }
    path.write_text(_HEAD + yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return kept


def _free_name(path: Path) -> Path:
    number = 1
    while (name := path.with_name(f"{path.name}.{number}")).exists():
        number += 1
    return name


def _changed(block: Any) -> dict[str, Any]:
    """Return the fields that differ from their default, as plain YAML values."""
    values = asdict(block)
    kept = {}
    for item in fields(block):
        value = values[item.name]
        if getattr(block, item.name) == item.default or item.name == "sim":
            continue
        if item.name == "points":
            if not value:
                continue
            value = [list(pair) for pair in value]
        kept[item.name] = value
    return kept
