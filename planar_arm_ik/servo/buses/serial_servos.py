"""What the families of servos on a serial bus share: every one found before it is used.

The makers' SDKs are like each other by descent: the same method names, the same result codes. A
family says how they are called, what its registers are, and what its error byte means.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

from planar_arm_ik.servo.buses.bus import BusError, insist
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
        sdk: the maker's module.
        joints: calibration of every joint.
        port: serial port.
        baud: bit rate of the bus.
    """

    feedback = True
    resolution = 1.0
    turn = 4096
    #: Registers of the operating mode and of the torque, and the mode of position control.
    mode_register: int
    torque_register: int
    position_mode: int

    def __init__(self, sdk: Any, joints: Sequence[JointCalibration], port: str, baud: int) -> None:
        self._sdk = sdk
        self._joints = joints
        self._ids = [joint.id for joint in joints]
        self.address = port
        self._baud = baud
        self._port: Any = None
        self._packets: Any = None

    @abstractmethod
    def _connect(self) -> Any:
        """Return the SDK's object that speaks over the open port."""

    @abstractmethod
    def _probe(self) -> bytes:
        """Return a whole read request to :data:`NOBODY`."""

    @abstractmethod
    def _call(self, method: str, *arguments: Any) -> Any:
        """Call a method of the SDK's object by name."""

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
                self._packets = self._connect()
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

    def relax(self) -> None:
        """Torque off on every servo; the first failure is raised after all were tried."""
        on_every(
            self._ids, self.address, "relaxing servo {}",
            lambda servo: self._write(servo, "write1ByteTxRx", self.torque_register, 0),
        )  # fmt: skip

    def _find(self, joint: JointCalibration) -> None:
        model, result, _ = self._call("ping", joint.id)
        self._check("ping", joint.id, result, 0)
        check_model(self.address, joint, model)
        mode, result, _ = self._call("read1ByteTxRx", joint.id, self.mode_register)
        self._check("reading its mode", joint.id, result, 0)
        check_mode(self.address, joint, mode, self.position_mode)

    def _byte(self, servo: int, register: int) -> int:
        value, result, error = self._call("read1ByteTxRx", servo, register)
        self._check(f"reading register {register}", servo, result, error)
        return int(value)

    def _has_torque(self, servo: int) -> bool:
        """Asked twice before no counts: a late answer may belong to another question."""
        return any(self._byte(servo, self.torque_register) for _ in range(2))

    def _write(self, servo: int, method: str, register: int, value: int) -> None:
        # The SDK's write returns (result, error); its answer holds no data.
        result = self._call(method, servo, register, value)
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
