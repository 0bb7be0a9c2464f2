"""Dynamixel X servos (protocol 2.0) through the maker's ``dynamixel-sdk``.

Registers of the X series control table. A failed read returns 0 beside its result code; positions
come back unsigned; after the bus watchdog has tripped, goals are refused until it is cleared and
the speed limit is gone: all of that is checked or rewritten here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.buses.registers import Registers
from planar_arm_ik.servo.buses.serial_port import import_sdk, wire_faults
from planar_arm_ik.servo.buses.serial_servos import NOBODY, SerialServos
from planar_arm_ik.servo.calibration.calibration import JointCalibration

_HARDWARE_ERROR, _WATCHDOG = 70, 98
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
    return import_sdk("dynamixel_sdk", "dynamixel", "dynamixel-sdk")


class DynamixelBus(SerialServos):
    """X-series servos on one serial adapter.

    Args:
        joints: calibration of every joint.
        port: serial port.
        baud: bit rate of the bus; 57600 from the factory.
    """

    registers = Registers(
        id=7,
        unlock=(64, 0),
        lock=None,
        mode=11,
        position_mode=3,
        torque=64,
        speed=112,
        speed_bytes=4,
        speed_unit=0.229 / 60.0 * 4096.0,  # 0.229 turns a minute
        largest_speed=0x7FFFFFFF,
        goal=116,
        position=132,
        position_bytes=4,
        health=144,
        voltage_bytes=2,
    )
    names_port = True
    lost_hint = "it restarted (brown-out), protected itself, or the bus fell silent"
    load_sdk = staticmethod(load_sdk)

    def __init__(self, joints: Sequence[JointCalibration], port: str, baud: int = 57_600) -> None:
        super().__init__(joints, port, baud)

    @staticmethod
    def packets_of(sdk: Any, port: Any) -> Any:
        """Return the packet handler; it is told the port with every call."""
        return sdk.PacketHandler(2.0)

    def _probe(self) -> bytes:
        packet = [0xFF, 0xFF, 0xFD, 0, NOBODY, 7, 0, 2, self.registers.position, 0, 4, 0]
        crc = self._packets.updateCRC(0, packet, len(packet))
        return bytes([*packet, crc & 0xFF, crc >> 8])

    def read(self) -> list[int]:
        """Position of every joint [ticks], signed, each servo checked by itself."""
        with wire_faults(self.address, "reading positions"):
            packets, register = self._open_packets(), self.registers.position
            result = packets.syncReadTx(self._port, register, 4, self._ids, len(self._ids), False)
            self._check("sync read", self._ids[0], result, 0)
            ticks = []
            for servo in self._ids:
                data, result, error = packets.readRx(self._port, servo, 4)
                self._check("reading position", servo, result, error)
                ticks.append(_signed(data))
            return ticks

    def energise(self, joint: int, ticks: int, speed: float) -> None:
        """Clear the watchdog, then speed limit and goal, torque last.

        A tripped watchdog refuses goals and has wiped the speed limit (0 means none).
        """
        servo = self._ids[joint]
        with wire_faults(self.address, f"enabling servo {servo}"):
            self._write(servo, _WATCHDOG, 0)
        super().energise(joint, ticks, speed)

    def start_watchdog(self, seconds: float) -> None:
        """Stop the servos by themselves after this silence; 0 switches the watchdog off."""
        units = min(max(round(seconds / _WATCHDOG_UNIT), 1), 127) if seconds > 0.0 else 0
        with wire_faults(self.address, "starting the watchdog"):
            for servo in self._ids:
                self._write(servo, _WATCHDOG, units)

    def _writer(self) -> Any:
        return self._sdk.GroupSyncWrite(
            self._port, self._open_packets(), self.registers.goal, self.registers.position_bytes
        )

    def _word(self, ticks: int) -> int:
        return ticks & 0xFFFFFFFF

    def _stopped(self, servo: int) -> str:
        tripped = all(self._byte(servo, _WATCHDOG) == _TRIPPED for _ in range(2))
        return "stopped itself: its bus watchdog tripped" if tripped else ""

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
