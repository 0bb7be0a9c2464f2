r"""Hobby servos on a PCA9685 pulse chip, through ``smbus2``.

Registers as in NXP's data sheet, revision 4. With the prescaler p (a whole number) and the real
oscillator f_osc (24 to 27 MHz, not the nominal 25), one count lasts (p + 1) / f_osc and a frame
4096 counts. Pulses are computed from the frequency that results, never from the one wished for.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from typing import Any

from planar_arm_ik.clocks import STEADY
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError, ServoHealth
from planar_arm_ik.servo.buses.smbus import lock, open_smbus
from planar_arm_ik.servo.calibration.calibration import JointCalibration

_MODE1, _MODE2, _LED0, _ALL_OFF_H, _PRE_SCALE = 0x00, 0x01, 0x06, 0xFD, 0xFE
_RESTART, _AUTO_INCREMENT, _SLEEP, _TOTEM_POLE = 0x80, 0x20, 0x10, 0x04
_FULL_OFF = 0x10
_COUNTS = 4096
_WAKE_TIME = 0.0005
_ATTEMPTS = 3


def prescale_for(oscillator_hz: float, frequency: float) -> int:
    """Prescaler register nearest to a frame frequency [Hz].

    Raises:
        PlanarArmError: the chip cannot reach the frequency.
    """
    prescale = round(oscillator_hz / (_COUNTS * frequency)) - 1
    if not 3 <= prescale <= 255:
        raise PlanarArmError(
            f"frequency {frequency} Hz needs prescale {prescale}; the chip has 3 to 255"
        )
    return prescale


class Pca9685Bus:
    """Two or more channels of one chip; raw units are microseconds.

    Args:
        joints: calibration of every joint; ``id`` is the channel.
        bus: number or path of the I2C bus.
        chip: I2C address.
        frequency: frames per second [Hz].
        oscillator_hz: what the chip's oscillator really does [Hz].
    """

    feedback = False
    turn = None

    def __init__(
        self, joints: Sequence[JointCalibration], bus: int | str = 1, chip: int = 0x40,
        frequency: float = 50.0, oscillator_hz: float = 25.0e6,
    ) -> None:  # fmt: skip
        self._channels = [joint.id for joint in joints]
        self._bus_name = bus
        self._chip = chip
        self._oscillator = oscillator_hz
        self._prescale = self._wanted = prescale_for(oscillator_hz, frequency)
        name = f"/dev/i2c-{bus}" if isinstance(bus, int) else bus
        self.address = f"{name} chip 0x{chip:02x}"
        self._smbus: Any = None
        self._lock: socket.socket | None = None

    @property
    def resolution(self) -> float:
        """Length of one count [us], from the prescaler the chip really has."""
        return 1e6 * (self._prescale + 1) / self._oscillator

    def open(self) -> None:
        """Adopt a chip that is awake as it is; set up a sleeping one without any pulse."""
        self.close()
        self._lock = lock(self.address)
        try:
            self._smbus = open_smbus(self._bus_name, self.address)
            mode = self._read(_MODE1)
            if mode & _SLEEP:
                self._set_up()
            else:
                self._prescale = self._read(_PRE_SCALE)
                if not mode & _AUTO_INCREMENT:
                    self._write(_MODE1, [mode & ~_RESTART | _AUTO_INCREMENT])
        except BusError:
            self.close()
            raise

    def close(self) -> None:
        """Let bus and lock go; the chip keeps its pulses."""
        for held in (self._smbus, self._lock):
            if held is not None:
                held.close()
        self._smbus = self._lock = None

    def read(self) -> list[int] | None:
        """Goals of a chip that drives all our channels, else None.

        Raises:
            BusError: the chip sleeps again: it lost its power.
        """
        self._require_awake()
        ticks = []
        for channel in self._channels:
            _, _, low, high = self._read_block(_LED0 + 4 * channel, 4)
            if high & _FULL_OFF:
                return None
            ticks.append(low | (high & 0x0F) << 8)
        return ticks

    def energise(self, joint: int, ticks: int, speed: float) -> None:
        """Start the pulse of one channel."""
        self._write(_LED0 + 4 * self._channels[joint], _pulse(ticks))

    def start_watchdog(self, seconds: float) -> None:
        """Nothing: the chip has no watchdog and keeps its last pulse."""

    def write(self, ticks: Sequence[int]) -> None:
        """Set every pulse; neighbouring channels in one block, so they change together."""
        self._write_channels([_pulse(count) for count in ticks])

    def relax(self) -> None:
        """Pulses off by the full-off bit, which acts at the end of the frame."""
        self._write_channels([[0, 0, 0, _FULL_OFF]] * len(self._channels))

    def check(self, joint: int, torque: bool) -> ServoHealth:
        """See that the chip is awake; the servos themselves cannot be asked."""
        self._require_awake()
        return ServoHealth()

    def _set_up(self) -> None:
        self._write(_ALL_OFF_H, [_FULL_OFF])
        self._prescale = self._wanted
        self._write(_PRE_SCALE, [self._prescale])
        self._write(_MODE2, [_TOTEM_POLE])
        self._write(_MODE1, [_AUTO_INCREMENT])
        STEADY.wait_until(STEADY.now() + _WAKE_TIME)

    def _require_awake(self) -> None:
        if self._read(_MODE1) & _SLEEP:
            raise BusError(
                self.address, "the chip sleeps: it lost its power and forgot its pulses",
                hint="check the chip's supply (VCC); servos on V+ alone do not keep it alive",
                fatal=True,
            )  # fmt: skip

    def _write_channels(self, pulses: Sequence[list[int]]) -> None:
        order = sorted(range(len(pulses)), key=lambda k: self._channels[k])
        first = self._channels[order[0]]
        if self._channels[order[-1]] - first == len(pulses) - 1:
            block = [byte for k in order for byte in pulses[k]]
            self._write(_LED0 + 4 * first, block)
        else:
            for k in order:
                self._write(_LED0 + 4 * self._channels[k], pulses[k])

    def _read(self, register: int) -> int:
        return int(self._try(lambda bus: bus.read_byte_data(self._chip, register)))

    def _read_block(self, register: int, length: int) -> list[int]:
        return list(self._try(lambda bus: bus.read_i2c_block_data(self._chip, register, length)))

    def _write(self, register: int, data: list[int]) -> None:
        if len(data) == 1:
            self._try(lambda bus: bus.write_byte_data(self._chip, register, data[0]))
        else:
            self._try(lambda bus: bus.write_i2c_block_data(self._chip, register, data))

    def _try(self, action: Callable[[Any], Any]) -> Any:
        """Do it, again when a single transfer is not acknowledged."""
        if self._smbus is None:
            raise BusError(self.address, "the bus is closed", fatal=True)
        for _ in range(_ATTEMPTS):
            try:
                return action(self._smbus)
            except OSError as error:
                failure = error
        raise BusError(
            self.address, failure.strerror or str(failure), errno=failure.errno,
            hint="check power, wiring and address jumpers (i2cdetect -y BUS)",
        ) from failure  # fmt: skip


def _pulse(ticks: int) -> list[int]:
    return [0, 0, ticks & 0xFF, ticks >> 8 & 0x0F]
