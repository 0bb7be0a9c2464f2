"""Emulated Feetech STS servos: packets in, packets out, as the STS3215's manual describes them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from planar_arm_ik.servo.buses.motor import Motor
from planar_arm_ik.servo.emulate.faults import Faults

_PING, _READ, _WRITE, _SYNC_READ, _SYNC_WRITE = 1, 2, 3, 0x82, 0x83
_BROADCAST = 254
_SIZE = 128
_MEMORY = 100_000
_OVERLOAD, _VOLTAGE_BIT = 0x20, 0x01


class StsServo:
    """One servo: a register file over a motor.

    Args:
        servo: id on the bus.
        position: where the shaft is at power-on [ticks].
        stale_goal: goal left in the servo from before [ticks].
        model: model number.
    """

    def __init__(
        self, servo: int, position: int = 2048, stale_goal: int = 0, model: int = 777
    ) -> None:
        self.motor = Motor(position)
        self.motor.goal = stale_goal
        self.registers = bytearray(_SIZE)
        self.registers[3:5] = model.to_bytes(2, "little")
        self.registers[5] = servo
        self.registers[42:44] = stale_goal.to_bytes(2, "little")
        self.registers[55] = 1
        self.registers[62], self.registers[63] = 121, 31
        self.refused = 0
        self.written: deque[tuple[int, bytes]] = deque(maxlen=_MEMORY)

    @property
    def id(self) -> int:
        """Id on the bus."""
        return self.registers[5]

    def restart(self) -> None:
        """Brown-out: the working registers are forgotten, the shaft stays."""
        self.registers[40:56] = bytes(16)
        self.registers[55] = 1
        self._apply()

    def read(self, address: int, length: int) -> bytes:
        """Registers as the bus sees them."""
        place = round(self.motor.output)
        word = abs(place) | 0x8000 if place < 0 else place % 4096
        self.registers[56:58] = word.to_bytes(2, "little")
        return bytes(self.registers[address : address + length])

    def write(self, address: int, data: bytes) -> None:
        """Registers from the bus; the memory that survives power is locked by register 55."""
        self.written.append((address, bytes(data)))
        for k, value in enumerate(data, start=address):
            if k < 40 and self.registers[55] == 1:
                self.refused += 1
                continue
            self.registers[k] = value
        self._apply()

    def _apply(self) -> None:
        goal = int.from_bytes(self.registers[42:44], "little")
        self.motor.goal = -(goal & 0x7FFF) if goal & 0x8000 else goal
        self.motor.speed = float(int.from_bytes(self.registers[46:48], "little"))
        self.motor.torque = self.registers[40] == 1

    def release(self) -> None:
        """Let go, as on overload."""
        self.registers[40] = 0
        self._apply()


class StsBus:
    """Servos that share one wire.

    Args:
        servos: the servos.
        faults: what goes wrong.
    """

    def __init__(self, servos: Sequence[StsServo], faults: Faults) -> None:
        self.servos = list(servos)
        self._faults = faults

    def tick(self, dt: float) -> None:
        """Let the shafts turn."""
        for servo in self.servos:
            servo.motor.advance(dt)

    def answer(self, received: bytes) -> tuple[bytes, list[bytes]]:
        """Work through received bytes; returns what is not yet whole, and the answers."""
        answers: list[bytes] = []
        while True:
            start = received.find(b"\xff\xff")
            if start < 0:
                return received[-1:], answers
            received = received[start:]
            if len(received) < 4 or len(received) < received[3] + 4:
                return received, answers
            if received[2] == 0xFF or received[3] < 2:
                received = received[1:]
                continue
            end = received[3] + 4
            packet, received = received[:end], received[end:]
            if packet[-1] == ~sum(packet[2:-1]) & 0xFF:
                answers += self._execute(packet)

    def _execute(self, packet: bytes) -> list[bytes]:
        target, instruction, body = packet[2], packet[4], packet[5:-1]
        if instruction == _SYNC_READ:
            ids = body[2:]
            found = [servo for wanted in ids for servo in self._hearing(wanted)]
            return [self._status(servo, servo.read(body[0], body[1])) for servo in found]
        if instruction == _SYNC_WRITE:
            size = body[1]
            for k in range(2, len(body), size + 1):
                for servo in self._hearing(body[k]):
                    servo.write(body[0], body[k + 1 : k + 1 + size])
            return []
        answers = []
        for servo in self._hearing(target):
            if instruction == _READ:
                answers.append(self._status(servo, servo.read(body[0], body[1])))
            elif instruction == _WRITE:
                servo.write(body[0], body[1:])
                answers.append(self._status(servo, b""))
            elif instruction == _PING:
                answers.append(self._status(servo, b""))
        return [] if target == _BROADCAST else answers

    def _hearing(self, target: int) -> list[StsServo]:
        return [
            servo for servo in self.servos
            if target in (servo.id, _BROADCAST) and servo.id not in self._faults.silent
        ]  # fmt: skip

    def _status(self, servo: StsServo, data: bytes) -> bytes:
        error = 0
        if servo.id in self._faults.overload:
            error = _OVERLOAD
            servo.release()
        name = servo.id + 100 if self._faults.wrong_id else servo.id
        body = bytes([name, len(data) + 2, error]) + data
        return b"\xff\xff" + body + bytes([~sum(body) & 0xFF])
