"""Emulated Dynamixel X servos: protocol 2.0 packets, bus watchdog, profile velocity."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from planar_arm_ik.servo.buses.motor import Motor
from planar_arm_ik.servo.emulate.faults import Faults

_PING, _READ, _WRITE, _STATUS, _SYNC_READ, _SYNC_WRITE = 1, 2, 3, 0x55, 0x82, 0x83
_HEADER = b"\xff\xff\xfd\x00"
_BROADCAST = 254
_SIZE = 256
_MEMORY = 100_000
_ALERT, _ACCESS = 0x80, 0x07
_SPEED_UNIT = 0.229 / 60.0 * 4096.0


def crc16(data: bytes) -> int:
    """CRC-16 of protocol 2.0: polynomial 0x8005, initial value 0, not reflected."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x8005 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


class DxlServo:
    """One servo: a control table over a motor.

    Args:
        servo: id on the bus.
        position: where the shaft is at power-on [ticks].
        stale_goal: goal left in the servo from before [ticks].
        model: model number.
    """

    def __init__(
        self, servo: int, position: int = 2048, stale_goal: int = 0, model: int = 1200
    ) -> None:
        self.motor = Motor(position)
        self.table = bytearray(_SIZE)
        self.table[0:2] = model.to_bytes(2, "little")
        self.table[7], self.table[11] = servo, 3
        self.table[116:120] = stale_goal.to_bytes(4, "little", signed=True)
        self.table[144:146] = (50).to_bytes(2, "little")
        self.table[146] = 30
        self.silence = 0.0
        self.written: deque[tuple[int, bytes]] = deque(maxlen=_MEMORY)
        self._apply()

    @property
    def id(self) -> int:
        """Id on the bus."""
        return self.table[7]

    @property
    def tripped(self) -> bool:
        """Whether the bus watchdog has stopped the servo."""
        return self.table[98] == 0xFF

    def advance(self, dt: float) -> None:
        """Turn the shaft; count the silence of the bus."""
        self.silence += dt
        if (
            0 < self.table[98] < 0x80
            and self.motor.torque
            and (self.silence > 0.02 * self.table[98])
        ):
            self.table[98] = 0xFF
            self.table[112:116] = bytes(4)
            self.motor.goal = self.motor.position
        self.motor.advance(dt)

    def restart(self) -> None:
        """Brown-out: the working registers are forgotten, the shaft stays."""
        self.table[64:128] = bytes(64)
        self._apply()

    def read(self, address: int, length: int) -> bytes:
        """Return a part of the control table."""
        self.table[132:136] = round(self.motor.output).to_bytes(4, "little", signed=True)
        return bytes(self.table[address : address + length])

    def write(self, address: int, data: bytes) -> int:
        """Write a part of the control table; returns the error number."""
        self.written.append((address, bytes(data)))
        if self.tripped and address in (112, 116):
            return _ACCESS
        if address < 64 and self.table[64]:
            return _ACCESS
        self.table[address : address + len(data)] = data
        self._apply()
        return 0

    def release(self) -> None:
        """Let go, as on overload."""
        self.table[64], self.table[70] = 0, 0x20
        self._apply()

    def _apply(self) -> None:
        if not self.tripped:
            self.motor.goal = int.from_bytes(self.table[116:120], "little", signed=True)
        self.motor.speed = _SPEED_UNIT * int.from_bytes(self.table[112:116], "little")
        self.motor.torque = self.table[64] == 1


class DxlBus:
    """Servos that share one wire.

    Args:
        servos: the servos.
        faults: what goes wrong.
    """

    def __init__(self, servos: Sequence[DxlServo], faults: Faults) -> None:
        self.servos = list(servos)
        self._faults = faults

    def tick(self, dt: float) -> None:
        """Let the shafts turn."""
        for servo in self.servos:
            servo.advance(dt)

    def answer(self, received: bytes) -> tuple[bytes, list[bytes]]:
        """Work through received bytes; returns what is not yet whole, and the answers."""
        answers: list[bytes] = []
        while True:
            start = received.find(_HEADER)
            if start < 0:
                return received[-3:], answers
            received = received[start:]
            if len(received) < 7:
                return received, answers
            end = 7 + int.from_bytes(received[5:7], "little")
            if len(received) < end:
                return received, answers
            packet, received = received[:end], received[end:]
            if crc16(packet[:-2]) == int.from_bytes(packet[-2:], "little"):
                answers += self._execute(packet)

    def _execute(self, packet: bytes) -> list[bytes]:
        target, instruction = packet[4], packet[7]
        body = packet[8:-2].replace(b"\xff\xff\xfd\xfd", b"\xff\xff\xfd")
        for servo in self._hearing(_BROADCAST):
            servo.silence = 0.0
        if instruction == _PING:
            return [self._status(s, s.read(0, 2) + b"\x2e") for s in self._hearing(target)]
        if instruction == _READ:
            address, length = _words(body)
            return [self._status(s, s.read(address, length)) for s in self._hearing(target)]
        if instruction == _WRITE:
            address = int.from_bytes(body[:2], "little")
            return [
                self._status(s, b"", s.write(address, body[2:])) for s in self._hearing(target)
            ]
        address, length = _words(body)
        if instruction == _SYNC_READ:
            found = [servo for wanted in body[4:] for servo in self._hearing(wanted)]
            return [self._status(servo, servo.read(address, length)) for servo in found]
        if instruction == _SYNC_WRITE:
            for k in range(4, len(body), length + 1):
                for servo in self._hearing(body[k]):
                    servo.write(address, body[k + 1 : k + 1 + length])
        return []

    def _hearing(self, target: int) -> list[DxlServo]:
        return [
            servo for servo in self.servos
            if target in (servo.id, _BROADCAST) and servo.id not in self._faults.silent
        ]  # fmt: skip

    def _status(self, servo: DxlServo, data: bytes, error: int = 0) -> bytes:
        if servo.id in self._faults.overload:
            servo.release()
        if servo.table[70]:
            error |= _ALERT
        name = servo.id + 100 if self._faults.wrong_id else servo.id
        body = bytes([_STATUS, error]) + data
        body = body.replace(b"\xff\xff\xfd", b"\xff\xff\xfd\xfd")
        packet = _HEADER + bytes([name]) + (len(body) + 2).to_bytes(2, "little") + body
        return packet + crc16(packet).to_bytes(2, "little")


def _words(body: bytes) -> tuple[int, int]:
    return int.from_bytes(body[:2], "little"), int.from_bytes(body[2:4], "little")
