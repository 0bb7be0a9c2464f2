"""Dynamixel X servos (protocol 2.0) through the maker's ``dynamixel-sdk``.

Registers of the X series control table. A failed read returns 0 beside its result code; positions
come back unsigned; after the bus watchdog has tripped, goals are refused until it is cleared and
the speed limit is gone: all of that is checked or rewritten here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError, ServoHealth
from planar_arm_ik.servo.buses.serial_port import wire_faults
from planar_arm_ik.servo.buses.serial_servos import NOBODY, SerialServos
from planar_arm_ik.servo.calibration.calibration import JointCalibration

_MODE, _TORQUE_ENABLE, _HARDWARE_ERROR, _WATCHDOG = 11, 64, 70, 98
_PROFILE_VELOCITY, _GOAL_POSITION, _PRESENT_POSITION, _VOLTAGE = 112, 116, 132, 144
#: Unit of the speed registers: 0.229 turns a minute, in ticks/s.
_SPEED_UNIT = 0.229 / 60.0 * 4096.0
_WATCHDOG_UNIT = 0.02
_ALERT, _TRIPPED = 0x80, 0xFF

#: Bits of the hardware error register.
_ERRORS = {
    1: "input voltage",
    4: "overheating",
    8: "encoder",
    16: "electrical shock",
    32: "overload",
}


def load_sdk() -> Any:
    """Return the maker's module.

    Raises:
        PlanarArmError: not installed.
    """
    try:
        import dynamixel_sdk
    except ImportError:
        raise PlanarArmError(
            "the dynamixel backend needs its SDK: pip install 'planar_arm_ik[dynamixel]' "
            "(or pip install dynamixel-sdk)"
        ) from None
    return dynamixel_sdk


class DynamixelBus(SerialServos):
    """X-series servos on one serial adapter.

    Args:
        joints: calibration of every joint.
        port: serial port.
        baud: bit rate of the bus; 57600 from the factory.
    """

    mode_register, torque_register, position_mode = _MODE, _TORQUE_ENABLE, 3

    def __init__(self, joints: Sequence[JointCalibration], port: str, baud: int = 57_600) -> None:
        super().__init__(load_sdk(), joints, port, baud)

    def _connect(self) -> Any:
        return self._sdk.PacketHandler(2.0)

    def _call(self, method: str, *arguments: Any) -> Any:
        return getattr(self._open_packets(), method)(self._port, *arguments)

    def _probe(self) -> bytes:
        packet = [0xFF, 0xFF, 0xFD, 0, NOBODY, 7, 0, 2, _PRESENT_POSITION, 0, 4, 0]
        crc = self._packets.updateCRC(0, packet, len(packet))
        return bytes([*packet, crc & 0xFF, crc >> 8])

    def read(self) -> list[int]:
        """Position of every joint [ticks], signed, each servo checked by itself."""
        with wire_faults(self.address, "reading positions"):
            packets = self._open_packets()
            result = packets.syncReadTx(
                self._port, _PRESENT_POSITION, 4, self._ids, len(self._ids), False
            )
            self._check("sync read", self._ids[0], result, 0)
            ticks = []
            for servo in self._ids:
                data, result, error = packets.readRx(self._port, servo, 4)
                self._check("reading position", servo, result, error)
                ticks.append(_signed(data))
            return ticks

    def energise(self, joint: int, ticks: int, speed: float) -> None:
        """Clear the watchdog, speed limit and goal, torque last.

        A tripped watchdog refuses goals and has wiped the speed limit (0 means none).
        """
        servo = self._ids[joint]
        limit = max(round(speed / _SPEED_UNIT), 1)
        with wire_faults(self.address, f"enabling servo {servo}"):
            self._write(servo, "write1ByteTxRx", _WATCHDOG, 0)
            self._write(servo, "write4ByteTxRx", _PROFILE_VELOCITY, limit)
            self._write(servo, "write4ByteTxRx", _GOAL_POSITION, ticks & 0xFFFFFFFF)
            self._write(servo, "write1ByteTxRx", _TORQUE_ENABLE, 1)

    def start_watchdog(self, seconds: float) -> None:
        """Stop the servos by themselves after this silence; 0 switches the watchdog off."""
        units = min(max(round(seconds / _WATCHDOG_UNIT), 1), 127) if seconds > 0.0 else 0
        with wire_faults(self.address, "starting the watchdog"):
            for servo in self._ids:
                self._write(servo, "write1ByteTxRx", _WATCHDOG, units)

    def write(self, ticks: Sequence[int]) -> None:
        """Send every goal in one packet."""
        with wire_faults(self.address, "writing goals"):
            writer = self._sdk.GroupSyncWrite(self._port, self._open_packets(), _GOAL_POSITION, 4)
            for servo, goal in zip(self._ids, ticks, strict=True):
                writer.addParam(servo, list(goal.to_bytes(4, "little", signed=True)))
            self._check("writing goals", self._ids[0], writer.txPacket(), 0)

    def check(self, joint: int, torque: bool) -> ServoHealth:
        """Voltage, temperature, torque and watchdog of one servo."""
        servo = self._ids[joint]
        with wire_faults(self.address, f"asking servo {servo} how it is"):
            data, result, error = self._call("readTxRx", servo, _VOLTAGE, 3)
            self._check("reading voltage", servo, result, error)
            on = self._has_torque(servo)
            tripped = all(self._byte(servo, _WATCHDOG) == _TRIPPED for _ in range(2))
        if torque and (not on or tripped):
            lost = "lost its torque" if not on else "stopped itself: its bus watchdog tripped"
            raise BusError(
                self.address, f"servo {servo} {lost}", fatal=True,
                hint="it restarted (brown-out), protected itself, or the bus fell silent",
            )  # fmt: skip
        return ServoHealth(0.1 * (data[0] | data[1] << 8), float(data[2]), on)

    def _judge(self, doing: str, servo: int, error: int) -> None:
        if error & _ALERT:
            raise self._alert(servo)
        text = self._packets.getRxPacketError(error).replace("[RxPacketError] ", "")
        raise BusError(self.address, f"{doing}, servo {servo}: {text}")

    def _alert(self, servo: int) -> BusError:
        bits, result, _ = self._call("read1ByteTxRx", servo, _HARDWARE_ERROR)
        known = result == self._sdk.COMM_SUCCESS
        names = [name for bit, name in _ERRORS.items() if known and bits & bit]
        return BusError(
            self.address,
            f"servo {servo} reports {' and '.join(names) or 'a hardware error'}",
            fatal=True,
            hint="take the load off, let it cool, then switch its power off and on",
        )


def _signed(data: list[int]) -> int:
    """A register of four bytes with its sign; the SDK gives -500 as 4294966796."""
    return int.from_bytes(bytes(data), "little", signed=True)
