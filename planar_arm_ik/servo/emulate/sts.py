"""Emulated Feetech STS servos: packets in, packets out, as the STS3215's manual describes them."""

from __future__ import annotations

from planar_arm_ik.servo.emulate.registers import Layout, RegisterServo
from planar_arm_ik.servo.emulate.serial_bus import Request, SerialBus

_HEADER = b"\xff\xff"
_SIGN, _TURN = 0x8000, 4096
#: Registers below the first survive power, and are locked while the second is 1.
_WORKING, _LOCK = 40, 55


class StsServo(RegisterServo):
    """One servo; positions are sign and magnitude, and wrap after a turn.

    Args:
        servo: id on the bus.
        position: where the shaft is at power-on [ticks].
        stale_goal: goal left in the servo from before [ticks].
        model: model number.
    """

    layout = Layout(
        size=128,
        model=3,
        id=5,
        torque=40,
        speed=46,
        speed_bytes=2,
        speed_unit=1.0,
        goal=42,
        position=56,
        position_bytes=2,
        health=62,
        at_rest=bytes([121, 31]),
        working=(_WORKING, 56),
        power_on={_LOCK: 1},
        overload=0x20,
    )

    def __init__(
        self, servo: int, position: int = 2048, stale_goal: int = 0, model: int = 777
    ) -> None:
        self.refused = 0
        super().__init__(servo, position, stale_goal, model)

    def _encode(self, position: int) -> bytes:
        word = abs(position) | _SIGN if position < 0 else position % _TURN
        return word.to_bytes(2, "little")

    def _decode(self, goal: bytes) -> int:
        word = int.from_bytes(goal, "little")
        return -(word & ~_SIGN) if word & _SIGN else word

    def _store(self, address: int, data: bytes) -> int:
        """The memory that survives power is locked by a register; a write to it is lost."""
        for k, value in enumerate(data, start=address):
            if k < _WORKING and self.registers[_LOCK] == 1:
                self.refused += 1
                continue
            self.registers[k] = value
        return 0


class StsBus(SerialBus[StsServo]):
    """Servos that share one wire: header, id, length, instruction or error, body, sum."""

    address_bytes = 1
    answers_broadcast = False

    def _take(self, received: bytes) -> tuple[Request | None, bytes]:
        while True:
            start = received.find(_HEADER)
            if start < 0:
                return None, received[-1:]
            received = received[start:]
            if len(received) < 4 or len(received) < received[3] + 4:
                return None, received
            if received[2] == 0xFF or received[3] < 2:
                received = received[1:]
                continue
            end = received[3] + 4
            packet, received = received[:end], received[end:]
            if packet[-1] == _checksum(packet[2:-1]):
                return Request(packet[2], packet[4], packet[5:-1]), received

    def _packet(self, servo: int, error: int, data: bytes) -> bytes:
        body = bytes([servo, len(data) + 2, error]) + data
        return _HEADER + body + bytes([_checksum(body)])


def _checksum(body: bytes) -> int:
    return ~sum(body) & 0xFF
