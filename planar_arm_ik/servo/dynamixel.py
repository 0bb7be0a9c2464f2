"""Dynamixel X servos (protocol 2.0) through the maker's ``dynamixel-sdk``.

Registers of the X series control table. A failed read returns 0 beside its result code; positions
come back unsigned; after the bus watchdog has tripped, goals are refused until it is cleared and
the speed limit is gone: all of that is checked or rewritten here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.bus import BusError, ServoHealth, insist
from planar_arm_ik.servo.calibration import JointCalibration
from planar_arm_ik.servo.serial_port import (
    check_mode,
    check_model,
    close_port,
    exclusive_port,
    on_every,
    refuse_echo,
    wire_faults,
)

_NOBODY = 253
_MODE, _TORQUE_ENABLE, _HARDWARE_ERROR, _WATCHDOG = 11, 64, 70, 98
_POSITION_MODE = 3
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


class DynamixelBus:
    """X-series servos on one serial adapter.

    Args:
        joints: calibration of every joint.
        port: serial port.
        baud: bit rate of the bus; 57600 from the factory.
    """

    feedback = True
    resolution = 1.0
    turn = 4096

    def __init__(self, joints: Sequence[JointCalibration], port: str, baud: int = 57_600) -> None:
        self._sdk = load_sdk()
        self._joints = joints
        self._ids = [joint.id for joint in joints]
        self.address = port
        self._baud = baud
        self._port: Any = None
        self._packets: Any = None

    def open(self) -> None:
        """Open the port alone, refuse an echo, find every servo and compare its model."""
        self.close()
        with wire_faults(self.address, "opening"):
            self._port = exclusive_port(self._sdk, self.address, self._baud)
        try:
            with wire_faults(self.address, "looking for the servos"):
                self._packets = self._sdk.PacketHandler(2.0)
                refuse_echo(self.address, self._port, self._probe())
                for joint in self._joints:
                    insist(partial(self._find, joint))
        except BusError:
            self.close()
            raise

    def close(self) -> None:
        """Let the port go."""
        close_port(self._port)
        self._port = None

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

    def relax(self) -> None:
        """Torque off on every servo; the first failure is raised after all were tried."""
        on_every(
            self._ids, self.address, "relaxing servo {}",
            lambda servo: self._write(servo, "write1ByteTxRx", _TORQUE_ENABLE, 0),
        )  # fmt: skip

    def check(self, joint: int, torque: bool) -> ServoHealth:
        """Voltage, temperature, torque and watchdog of one servo."""
        servo = self._ids[joint]
        with wire_faults(self.address, f"asking servo {servo} how it is"):
            packets = self._open_packets()
            data, result, error = packets.readTxRx(self._port, servo, _VOLTAGE, 3)
            self._check("reading voltage", servo, result, error)
            # Asked twice before it counts: a late answer may belong to another question.
            on = self._byte(servo, _TORQUE_ENABLE) or self._byte(servo, _TORQUE_ENABLE)
            tripped = all(self._byte(servo, _WATCHDOG) == _TRIPPED for _ in range(2))
        if torque and (not on or tripped):
            lost = "lost its torque" if not on else "stopped itself: its bus watchdog tripped"
            raise BusError(
                self.address, f"servo {servo} {lost}", fatal=True,
                hint="it restarted (brown-out), protected itself, or the bus fell silent",
            )  # fmt: skip
        return ServoHealth(0.1 * (data[0] | data[1] << 8), float(data[2]), bool(on))

    def _byte(self, servo: int, register: int) -> int:
        value, result, error = self._packets.read1ByteTxRx(self._port, servo, register)
        self._check(f"reading register {register}", servo, result, error)
        return int(value)

    def _find(self, joint: JointCalibration) -> None:
        model, result, _ = self._packets.ping(self._port, joint.id)
        self._check("ping", joint.id, result, 0)
        check_model(self.address, joint, model)
        mode, result, _ = self._packets.read1ByteTxRx(self._port, joint.id, _MODE)
        self._check("reading its mode", joint.id, result, 0)
        check_mode(self.address, joint, mode, _POSITION_MODE)

    def _write(self, servo: int, method: str, register: int, value: int) -> None:
        packets = self._open_packets()
        result = getattr(packets, method)(self._port, servo, register, value)
        self._check(f"writing register {register}", servo, *result)

    def _check(self, doing: str, servo: int, result: int, error: int) -> None:
        sdk = self._sdk
        if result in (sdk.COMM_RX_TIMEOUT, sdk.COMM_RX_CORRUPT):
            torn = result == sdk.COMM_RX_CORRUPT
            answer = "answered with a damaged packet" if torn else "did not answer"
            raise BusError(
                self.address, f"servo {servo} {answer}",
                hint="check its cable, power, id and baud",
            )  # fmt: skip
        if result != sdk.COMM_SUCCESS:
            text = self._packets.getTxRxResult(result).replace("[TxRxResult] ", "")
            raise BusError(self.address, f"{doing}, servo {servo}: {text}", fatal=True)
        if error & _ALERT:
            raise self._alert(servo)
        if error:
            text = self._packets.getRxPacketError(error).replace("[RxPacketError] ", "")
            raise BusError(self.address, f"{doing}, servo {servo}: {text}")

    def _alert(self, servo: int) -> BusError:
        bits, result, _ = self._packets.read1ByteTxRx(self._port, servo, _HARDWARE_ERROR)
        known = result == self._sdk.COMM_SUCCESS
        names = [name for bit, name in _ERRORS.items() if known and bits & bit]
        return BusError(
            self.address,
            f"servo {servo} reports {' and '.join(names) or 'a hardware error'}",
            fatal=True,
            hint="take the load off, let it cool, then switch its power off and on",
        )

    def _open_packets(self) -> Any:
        if self._port is None:
            raise BusError(self.address, "the port is closed", fatal=True)
        return self._packets

    def _probe(self) -> bytes:
        """Return a whole read request to an id nobody has."""
        packet = [0xFF, 0xFF, 0xFD, 0, _NOBODY, 7, 0, 2, _PRESENT_POSITION, 0, 4, 0]
        crc = self._packets.updateCRC(0, packet, len(packet))
        return bytes([*packet, crc & 0xFF, crc >> 8])


def _signed(data: list[int]) -> int:
    """A register of four bytes with its sign; the SDK gives -500 as 4294966796."""
    return int.from_bytes(bytes(data), "little", signed=True)
