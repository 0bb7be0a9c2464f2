"""What Feetech and Dynamixel servos share: finding, enabling, moving, asking and relaxing them.

The makers' SDKs are like each other by descent: the same method names, the same result codes. A
family says how they are called, what its registers are, how its positions are read, and
what its error byte means.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

from planar_arm_ik.servo.buses.bus import BusError, ServoHealth, insist
from planar_arm_ik.servo.buses.registers import Registers
from planar_arm_ik.servo.buses.serial_port import (
    check_mode,
    check_model,
    close_port,
    exclusive_port,
    on_every,
    refuse_echo,
    wire_faults,
)
from planar_arm_ik.servo.calibration.calibration import JointCalibration

#: An id that nobody has.
NOBODY = 253


class SerialServos(ABC):
    """Servos on one serial adapter.

    Args:
        joints: calibration of every joint.
        port: serial port.
        baud: bit rate of the bus.
    """

    feedback = True
    resolution = 1.0
    turn = 4096
    registers: Registers
    #: Whether every call of the SDK takes the port first.
    names_port: bool
    #: What a person should look at when a servo no longer holds.
    lost_hint: str

    def __init__(self, joints: Sequence[JointCalibration], port: str, baud: int) -> None:
        self._sdk = self.load_sdk()
        self._joints = joints
        self._ids = [joint.id for joint in joints]
        self.address = port
        self._baud = baud
        self._port: Any = None
        self._packets: Any = None

    @staticmethod
    @abstractmethod
    def load_sdk() -> Any:
        """Return the maker's module."""

    @staticmethod
    @abstractmethod
    def packets_of(sdk: Any, port: Any) -> Any:
        """Return the SDK's object that speaks over an open port."""

    @abstractmethod
    def _probe(self) -> bytes:
        """Return a whole read request to :data:`NOBODY`."""

    @abstractmethod
    def _writer(self) -> Any:
        """Return an empty packet of the SDK that writes goals to many servos."""

    @abstractmethod
    def _word(self, ticks: int) -> int:
        """Return a goal as the number, not negative, that stands in the register."""

    @abstractmethod
    def _judge(self, doing: str, servo: int, error: int) -> None:
        """Raise what the error byte of an answer says."""

    def open(self) -> None:
        """Open the port alone, refuse an echo, find every servo and compare its model."""
        self.close()
        with wire_faults(self.address, "opening"):
            self._port = exclusive_port(self._sdk, self.address, self._baud)
        try:
            with wire_faults(self.address, "looking for the servos"):
                self._connect()
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

    def energise(self, joint: int, ticks: int, speed: float) -> None:
        """Speed limit and goal first, torque last."""
        servo, place = self._ids[joint], self.registers
        limit = min(max(round(speed / place.speed_unit), 1), place.largest_speed)
        with wire_faults(self.address, f"enabling servo {servo}"):
            self._write(servo, place.speed, limit, place.speed_bytes)
            self._write(servo, place.goal, self._word(ticks), place.position_bytes)
            self._write(servo, place.torque, 1)

    def write(self, ticks: Sequence[int]) -> None:
        """Send every goal in one packet."""
        size = self.registers.position_bytes
        with wire_faults(self.address, "writing goals"):
            writer = self._writer()
            for servo, goal in zip(self._ids, ticks, strict=True):
                writer.addParam(servo, list(self._word(goal).to_bytes(size, "little")))
            self._check("writing goals", self._ids[0], writer.txPacket(), 0)

    def check(self, joint: int, torque: bool) -> ServoHealth:
        """Voltage, temperature and torque of one servo."""
        servo, width = self._ids[joint], self.registers.voltage_bytes
        with wire_faults(self.address, f"asking servo {servo} how it is"):
            data, result, error = self._call("readTxRx", servo, self.registers.health, width + 1)
            self._check("reading voltage", servo, result, error)
            on = self._has_torque(servo)
            stopped = self._stopped(servo)
        lost = stopped if on else "lost its torque"
        if torque and lost:
            raise BusError(self.address, f"servo {servo} {lost}", hint=self.lost_hint, fatal=True)
        voltage = int.from_bytes(bytes(data[:width]), "little")
        return ServoHealth(0.1 * voltage, float(data[width]), on)

    def relax(self) -> None:
        """Torque off on every servo; the first failure is raised after all were tried."""
        on_every(
            self._ids, self.address, "relaxing servo {}",
            lambda servo: self._write(servo, self.registers.torque, 0),
        )  # fmt: skip

    def _connect(self) -> None:
        """Make what speaks over the open port."""
        self._packets = self.packets_of(self._sdk, self._port)

    def _call(self, method: str, *arguments: Any) -> Any:
        """Call a method of the SDK's object by name."""
        lead = (self._port,) if self.names_port else ()
        return getattr(self._open_packets(), method)(*lead, *arguments)

    def _find(self, joint: JointCalibration) -> None:
        model, result, _ = self._call("ping", joint.id)
        self._check("ping", joint.id, result, 0)
        check_model(self.address, joint, model)
        mode, result, _ = self._call("read1ByteTxRx", joint.id, self.registers.mode)
        self._check("reading its mode", joint.id, result, 0)
        check_mode(self.address, joint, mode, self.registers.position_mode)

    def _byte(self, servo: int, register: int) -> int:
        value, result, error = self._call("read1ByteTxRx", servo, register)
        self._check(f"reading register {register}", servo, result, error)
        return int(value)

    def _has_torque(self, servo: int) -> bool:
        """Asked twice before no counts: a late answer may belong to another question."""
        return any(self._byte(servo, self.registers.torque) for _ in range(2))

    def _stopped(self, servo: int) -> str:
        """Say why a servo that has torque does not move, if it is so."""
        return ""

    def _write(self, servo: int, register: int, value: int, size: int = 1) -> None:
        # The SDK's write returns (result, error); its answer holds no data.
        result = self._call(f"write{size}ByteTxRx", servo, register, value)
        self._check(f"writing register {register}", servo, *result)

    def _check(self, doing: str, servo: int, result: int, error: int) -> None:
        """Raise what a result code or an error byte says."""
        if result in (self._sdk.COMM_RX_TIMEOUT, self._sdk.COMM_RX_CORRUPT):
            raise self._silent(servo, torn=result == self._sdk.COMM_RX_CORRUPT)
        if result != self._sdk.COMM_SUCCESS:
            text = self._packets.getTxRxResult(result).replace("[TxRxResult] ", "")
            raise BusError(self.address, f"{doing}, servo {servo}: {text}", fatal=True)
        if error:
            self._judge(doing, servo, error)

    def _silent(self, servo: int, torn: bool = False) -> BusError:
        answer = "answered with a damaged packet" if torn else "did not answer"
        return BusError(
            self.address, f"servo {servo} {answer}", hint="check its cable, power, id and baud"
        )

    def _open_packets(self) -> Any:
        if self._port is None:
            raise BusError(self.address, "the port is closed", fatal=True)
        return self._packets
