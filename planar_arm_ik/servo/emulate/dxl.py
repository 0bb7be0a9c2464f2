"""Emulated Dynamixel X servos: protocol 2.0 packets, bus watchdog, profile velocity."""

from __future__ import annotations

from planar_arm_ik.servo.emulate.registers import Layout, RegisterServo
from planar_arm_ik.servo.emulate.serial_bus import BROADCAST, Request, SerialBus

_STATUS = 0x55
_HEADER = b"\xff\xff\xfd\x00"
#: Inside a packet this is followed by one more 0xfd, so that it never looks like a header.
_RESERVED, _STUFFED = b"\xff\xff\xfd", b"\xff\xff\xfd\xfd"
_FIRMWARE = b"\x2e"
_ALERT, _ACCESS = 0x80, 0x07
_MODE, _TORQUE, _HARDWARE_ERROR, _WATCHDOG, _SPEED, _GOAL = 11, 64, 70, 98, 112, 116
_POSITION_MODE, _OVERLOADED = 3, 0x20
#: Registers from here on are forgotten without power; those below are locked under torque.
_WORKING = 64
_TRIPPED, _WATCHDOG_UNIT = 0xFF, 0.02


def crc16(data: bytes) -> int:
    """CRC-16 of protocol 2.0: polynomial 0x8005, initial value 0, not reflected."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x8005 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


class DxlServo(RegisterServo):
    """One servo; positions are two's complement, and a silent bus stops it.

    Args:
        servo: id on the bus.
        position: where the shaft is at power-on [ticks].
        stale_goal: goal left in the servo from before [ticks].
        model: model number.
    """

    layout = Layout(
        size=256,
        model=0,
        id=7,
        torque=_TORQUE,
        speed=_SPEED,
        speed_bytes=4,
        speed_unit=0.229 / 60.0 * 4096.0,
        goal=_GOAL,
        position=132,
        position_bytes=4,
        health=144,
        at_rest=bytes([50, 0, 30]),
        working=(_WORKING, 128),
        power_on={},
        overload=_ALERT,
    )

    def __init__(
        self, servo: int, position: int = 2048, stale_goal: int = 0, model: int = 1200
    ) -> None:
        self.silence = 0.0
        super().__init__(servo, position, stale_goal, model)
        self.registers[_MODE] = _POSITION_MODE

    @property
    def tripped(self) -> bool:
        """Whether the bus watchdog has stopped the servo."""
        return self.registers[_WATCHDOG] == _TRIPPED

    @property
    def alert(self) -> int:
        """The alert bit, while a hardware error stands."""
        return _ALERT if self.registers[_HARDWARE_ERROR] else 0

    def advance(self, dt: float) -> None:
        """Turn the shaft; count the silence of the bus."""
        self.silence += dt
        patience = self.registers[_WATCHDOG]
        if 0 < patience < 0x80 and self.motor.torque and self.silence > _WATCHDOG_UNIT * patience:
            self.registers[_WATCHDOG] = _TRIPPED
            self._put(_SPEED, bytes(4))
            self.motor.goal = self.motor.position
        super().advance(dt)

    def release(self) -> None:
        """Let go, as on overload, and remember why."""
        self.registers[_HARDWARE_ERROR] = _OVERLOADED
        super().release()

    def _encode(self, position: int) -> bytes:
        return position.to_bytes(4, "little", signed=True)

    def _decode(self, goal: bytes) -> int:
        return int.from_bytes(goal, "little", signed=True)

    def _store(self, address: int, data: bytes) -> int:
        locked = address < _WORKING and self.registers[_TORQUE]
        if locked or (self.tripped and address in (_SPEED, _GOAL)):
            return _ACCESS
        self._put(address, data)
        return 0

    def _apply(self) -> None:
        stopped_at = self.motor.goal
        super()._apply()
        if self.tripped:
            self.motor.goal = stopped_at


class DxlBus(SerialBus[DxlServo]):
    """Servos that share one wire: header, id, length, instruction or status, body, CRC."""

    address_bytes = 2
    answers_broadcast = True

    def _take(self, received: bytes) -> tuple[Request | None, bytes]:
        while True:
            start = received.find(_HEADER)
            if start < 0:
                return None, received[-3:]
            received = received[start:]
            if len(received) < 7:
                return None, received
            end = 7 + int.from_bytes(received[5:7], "little")
            if len(received) < end:
                return None, received
            packet, received = received[:end], received[end:]
            if crc16(packet[:-2]) == int.from_bytes(packet[-2:], "little"):
                body = packet[8:-2].replace(_STUFFED, _RESERVED)
                return Request(packet[4], packet[7], body), received

    def _execute(self, request: Request) -> list[bytes]:
        for servo in self._hearing(BROADCAST):
            servo.silence = 0.0
        return super()._execute(request)

    def _greeting(self, servo: DxlServo) -> bytes:
        return servo.read(servo.layout.model, 2) + _FIRMWARE

    def _packet(self, servo: int, error: int, data: bytes) -> bytes:
        body = (bytes([_STATUS, error]) + data).replace(_RESERVED, _STUFFED)
        packet = _HEADER + bytes([servo]) + (len(body) + 2).to_bytes(2, "little") + body
        return packet + crc16(packet).to_bytes(2, "little")
