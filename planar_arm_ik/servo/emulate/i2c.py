"""An emulated PCA9685 pulse chip: its registers, and the pulses that come out of it.

It answers the frames of ``buses.smbus_terminal``.
"""

from __future__ import annotations

import errno
from collections import deque

from planar_arm_ik.servo.buses.motor import Motor
from planar_arm_ik.servo.emulate.faults import Faults

_READ = 1
_SLEEP, _FULL_OFF = 0x10, 0x10
_MEMORY = 100_000


class Pca9685Chip:
    """The registers of the chip, and the pulses that come out.

    Args:
        oscillator_hz: what its oscillator really does [Hz].
        chip: I2C address.
        faults: ``silent`` with the chip's address makes it not answer, ``burst`` how often.
    """

    def __init__(self, oscillator_hz: float = 25.0e6, chip: int = 0x40,
                 faults: Faults | None = None) -> None:  # fmt: skip
        self.oscillator_hz = oscillator_hz
        self.chip = chip
        self.faults = faults or Faults()
        self.refused = 0
        self.written: deque[tuple[int, bytes]] = deque(maxlen=_MEMORY)
        self.motors: dict[int, Motor] = {}
        self.restart()

    def tick(self, dt: float) -> None:
        """Let the servos on the channels turn toward their pulses [us]; none without a pulse."""
        for channel, motor in self.motors.items():
            pulse = self.pulse(channel)
            motor.torque = pulse > 0.0
            if pulse > 0.0:
                motor.goal = pulse
            motor.advance(dt)

    def shafts(self) -> list[Motor]:
        """Return the motors of the servos on the channels."""
        return list(self.motors.values())

    def restart(self, index: int = 0) -> None:
        """Power on: asleep, every output off, whichever servo lost its power."""
        self.registers = bytearray(256)
        self.registers[0], self.registers[1] = 0x11, 0x04
        self.registers[254] = 30
        for channel in range(16):
            self.registers[9 + 4 * channel] = _FULL_OFF

    def pulse(self, channel: int) -> float:
        """Length of the pulse that a servo sees [us]; 0 for none."""
        start = 6 + 4 * channel
        on_low, on_high, off_low, off_high = self.registers[start : start + 4]
        if self.registers[0] & _SLEEP or off_high & _FULL_OFF:
            return 0.0
        counts = (off_low | (off_high & 15) << 8) - (on_low | (on_high & 15) << 8)
        return 1e6 * counts * (self.registers[254] + 1) / self.oscillator_hz

    def transfer(self, chip: int, read: bool, register: int, data: bytes) -> tuple[int, bytes]:
        """One SMBus transfer; returns errno and the data read (as long as `data`)."""
        if chip != self.chip or self._fails():
            return errno.EREMOTEIO, b""
        places = [
            (register + k) % 256 if self.registers[0] & 0x20 else register
            for k in range(len(data))
        ]
        if read:
            return 0, bytes(self.registers[place] for place in places)
        self.written.append((register, bytes(data)))
        for place, value in zip(places, data, strict=True):
            self._store(place, value)
        return 0, b""

    def answer(self, received: bytes) -> tuple[bytes, list[bytes]]:
        """Work through received frames; returns what is not yet whole, and the answers."""
        answers = []
        while len(received) >= 6 and len(received) >= 6 + received[4]:
            chip, read, register, _, length, _ = received[:6]
            data, received = received[6 : 6 + length], received[6 + length :]
            number, result = self.transfer(chip, read == _READ, register, data)
            answers.append(bytes([number, len(result)]) + result)
        return received, answers

    def _fails(self) -> bool:
        if self.chip not in self.faults.silent:
            return False
        if self.faults.burst:
            self.faults.burst -= 1
            if self.faults.burst == 0:
                self.faults.silent.discard(self.chip)
        return True

    def _store(self, place: int, value: int) -> None:
        if place == 254 and not self.registers[0] & _SLEEP:
            self.refused += 1
            return
        if 250 <= place <= 253:
            for channel in range(16):
                self.registers[6 + 4 * channel + place - 250] = value
        else:
            self.registers[place] = value
