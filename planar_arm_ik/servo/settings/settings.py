"""Everything about one servo arm that stands in its YAML file.

The file holds two blocks, ``bus`` and ``joints``; ``config/servo_feetech.yaml`` is an example.
Unknown keys, keys that stand twice and numbers that are not finite are refused by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import yaml

from planar_arm_ik.errors import ConfigError, PlanarArmError
from planar_arm_ik.servo.buses.sim import SimOptions
from planar_arm_ik.servo.calibration.calibration import JointCalibration
from planar_arm_ik.servo.settings.makers import MAKERS
from planar_arm_ik.servo.settings.strict import StrictLoader, build, known_keys

BACKENDS = tuple(MAKERS)
ON_SHUTDOWN = ("relax", "hold", "rest")


@dataclass(frozen=True)
class BusSettings:
    """How to reach the servos and how to treat them.

    Args:
        backend: a name of the table of makers: ``sim``, ``feetech``, and so on.
        port: serial port; ``/dev/serial/by-id/...`` survives replugging.
        baud: bit rate; 0 for the backend's factory setting.
        rate: cycles per second [Hz].
        watchdog: silence after which servos that can stop by themselves do so [s]; 0 for never.
        misses: bad cycles in a row that make a fault.
        max_jump: how far the first command may be from the arm [rad].
        on_shutdown: ``relax``, ``hold`` or ``rest``.
        i2c_bus: number or path of the I2C bus.
        i2c_address: address of the pulse chip, 0x40 to 0x7f.
        frequency: pulses per second [Hz].
        oscillator_hz: the chip's real oscillator [Hz].
        sim: imperfections of simulated servos.
    """

    backend: str = "sim"
    port: str = ""
    baud: int = 0
    rate: float = 50.0
    watchdog: float = 0.2
    misses: int = 5
    max_jump: float = 0.2
    on_shutdown: str = "relax"
    i2c_bus: int | str = 1
    i2c_address: int = 0x40
    frequency: float = 50.0
    oscillator_hz: float = 25.0e6
    sim: SimOptions = field(default_factory=SimOptions)

    def __post_init__(self) -> None:
        _one_of("bus.backend", self.backend, tuple(MAKERS))
        _one_of("bus.on_shutdown", self.on_shutdown, ON_SHUTDOWN)
        for name, low, high in (("rate", 1.0, 500.0), ("watchdog", 0.0, 2.5), ("misses", 1, 1000),
                                ("max_jump", 0.001, 3.2), ("baud", 0, 4_000_000),
                                ("frequency", 24.0, 400.0),
                                ("oscillator_hz", 20e6, 30e6)):  # fmt: skip
            value = getattr(self, name)
            if not low <= value <= high:
                raise PlanarArmError(f"bus.{name} = {value} must be in [{low}, {high}]")
        if MAKERS[self.backend].needs_port and not self.port:
            raise PlanarArmError(f"bus.port is missing; the {self.backend} backend needs one")
        if not 0x40 <= self.i2c_address <= 0x7F:
            hint = "; did you mean 0x40?" if self.i2c_address == 40 else ""
            raise PlanarArmError(
                f"bus.i2c_address = {self.i2c_address} (0x{self.i2c_address:02x}) must be in "
                f"[0x40, 0x7f]{hint}"
            )


@dataclass(frozen=True)
class ServoSettings:
    """A whole servo arm.

    Args:
        bus: how to reach the servos.
        joints: calibration of each joint, shoulder first.
    """

    bus: BusSettings
    joints: tuple[JointCalibration, ...]

    def __post_init__(self) -> None:
        for name in ("joint", "id"):
            values = [getattr(joint, name) for joint in self.joints]
            if len(set(values)) != len(values):
                raise PlanarArmError(f"joints: {name} values {values} must differ")
        if len(self.joints) != 2:
            raise PlanarArmError(f"joints: {len(self.joints)} given; the arm has 2")
        maker = MAKERS[self.bus.backend]
        for joint in self.joints:
            if maker.pulses:
                self._check_channel(joint)
            elif maker.counts:
                self._check_counts(joint, maker.counts - 1)

    @staticmethod
    def _check_counts(joint: JointCalibration, last: int) -> None:
        if not (joint.raw_min >= 0 and joint.raw_max <= last):
            raise PlanarArmError(
                f"{joint.joint}: the hard range [{joint.raw_min}, {joint.raw_max}] leaves "
                f"one turn of 0 to {last} counts; turn the horn so that the range fits"
            )

    @staticmethod
    def _check_channel(joint: JointCalibration) -> None:
        if joint.feedback:
            raise PlanarArmError(f"{joint.joint}: feedback must be false; a pulse chip has none")
        if not 0 <= joint.id <= 15:
            raise PlanarArmError(f"{joint.joint}: id = {joint.id} must be a channel, 0 to 15")
        if not (joint.raw_min >= 100.0 and joint.raw_max <= 3000.0):
            raise PlanarArmError(
                f"{joint.joint}: the hard range [{joint.raw_min}, {joint.raw_max}] us leaves "
                "[100, 3000]"
            )

    def for_joints(self, names: Sequence[str], prefix: str = "") -> ServoSettings:
        """Return the settings with joints named `prefix + name`, in this order.

        Raises:
            PlanarArmError: the file names other joints.
        """
        by_name = {joint.joint: joint for joint in self.joints}
        if set(by_name) != set(names):
            raise PlanarArmError(
                f"the calibration names the joints {sorted(by_name)}, the arm {sorted(names)}"
            )
        return replace(
            self,
            joints=tuple(replace(by_name[name], joint=prefix + name) for name in names),
        )

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, shoulder first."""
        return tuple(joint.joint for joint in self.joints)


def load_settings(path: str | Path) -> ServoSettings:
    """Read a servo arm's YAML file.

    Raises:
        ConfigError: the file is missing or malformed, or a key or value breaks its rule.
    """
    try:
        document = yaml.load(Path(path).read_text(encoding="utf-8"), StrictLoader)
        return parse_settings(document)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid YAML: {' '.join(str(error).split())}") from None
    except PlanarArmError as error:
        raise ConfigError(f"{path}: {error}") from None


def parse_settings(document: Any) -> ServoSettings:
    """Build the settings from the file's content; see :func:`load_settings`."""
    content = known_keys("the file", document, {"bus", "joints"})
    joints = content.get("joints")
    if not isinstance(joints, Sequence) or isinstance(joints, str):
        raise ConfigError("joints must be a list, one block per joint")
    keys = {item.name for item in fields(BusSettings)}
    bus = dict(known_keys("bus", content.get("bus", {}), keys))
    if "sim" in bus:
        bus["sim"] = build(SimOptions, "bus.sim", bus["sim"])
    return ServoSettings(
        build(BusSettings, "bus", bus),
        tuple(build(JointCalibration, f"joints[{k}]", joint) for k, joint in enumerate(joints)),
    )


def _one_of(where: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise PlanarArmError(f"{where} = {value!r} must be one of {', '.join(choices)}")
