"""Feetech STS and SMS bus servos through the maker's ``ftservo-python-sdk``.

Registers as in the STS3215 memory table. A failed read returns position 0 beside its result code,
a sync read forgets that its first servo was silent, and old data stays in the SDK's table: every
result is checked, and every servo is asked for by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.buses.registers import Registers
from planar_arm_ik.servo.buses.serial_port import import_sdk, wire_faults
from planar_arm_ik.servo.buses.serial_servos import NOBODY, SerialServos
from planar_arm_ik.servo.calibration.calibration import JointCalibration

_SIGN_BIT = 15

#: Bits of a status packet's error byte.
_ERRORS = {
    1: "supply voltage",
    2: "angle sensor",
    4: "overheated",
    8: "over current",
    32: "overload",
}


def load_sdk() -> Any:
    """Return the maker's module, or say which package is missing or in the way.

    Raises:
        PlanarArmError: not installed, or an older package with the same import name hides it.
    """
    scservo_sdk = import_sdk("scservo_sdk", "feetech", "ftservo-python-sdk")
    if not hasattr(scservo_sdk, "sms_sts"):
        raise PlanarArmError(
            "scservo_sdk comes from the older package feetech-servo-sdk, which has the same "
            "import name: pip uninstall feetech-servo-sdk && pip install ftservo-python-sdk"
        )
    return scservo_sdk


class FeetechBus(SerialServos):
    """STS/SMS servos on one serial adapter.

    Args:
        joints: calibration of every joint.
        port: serial port.
        baud: bit rate of the bus.
    """

    registers = Registers(
        id=5,
        unlock=(55, 0),
        lock=(55, 1),
        mode=33,
        position_mode=0,
        torque=40,
        speed=46,
        speed_bytes=2,
        speed_unit=1.0,
        largest_speed=32767,
        goal=42,
        position=56,
        position_bytes=2,
        health=62,
        voltage_bytes=1,
    )
    names_port = False
    lost_hint = "it restarted (brown-out) or protected itself: check supply and load"
    load_sdk = staticmethod(load_sdk)

    def __init__(
        self, joints: Sequence[JointCalibration], port: str, baud: int = 1_000_000
    ) -> None:
        super().__init__(joints, port, baud)
        self._reader: Any = None

    @staticmethod
    def packets_of(sdk: Any, port: Any) -> Any:
        """Return the handler of this family's packets on the port."""
        return sdk.sms_sts(port)

    def _connect(self) -> None:
        super()._connect()
        self._reader = self._sdk.GroupSyncRead(self._packets, self.registers.position, 2)
        for servo in self._ids:
            self._reader.addParam(servo)

    def _probe(self) -> bytes:
        body = [NOBODY, 4, 2, self.registers.position, 2]
        return bytes([0xFF, 0xFF, *body, ~sum(body) & 0xFF])

    def read(self) -> list[int]:
        """Position of every joint [ticks], each servo checked by itself."""
        with wire_faults(self.address, "reading positions"):
            packets, reader, register = self._open_packets(), self._reader, self.registers.position
            self._forget_answers()
            result = reader.txRxPacket()
            if result not in (self._sdk.COMM_SUCCESS, self._sdk.COMM_RX_TIMEOUT,
                              self._sdk.COMM_RX_CORRUPT):  # fmt: skip
                self._check("sync read", self._ids[0], result, 0)
            ticks = []
            for servo in self._ids:
                available, error = reader.isAvailable(servo, register, 2)
                if not available:
                    raise self._silent(servo)
                self._check("reading position", servo, self._sdk.COMM_SUCCESS, error)
                raw = reader.getData(servo, register, 2)
                ticks.append(packets.scs_tohost(raw, _SIGN_BIT))
            return ticks

    def start_watchdog(self, seconds: float) -> None:
        """STS servos have none: they stop at the last goal, one step away."""

    def _writer(self) -> Any:
        return self._sdk.GroupSyncWrite(
            self._open_packets(), self.registers.goal, self.registers.position_bytes
        )

    def _word(self, ticks: int) -> int:
        return int(self._packets.scs_toscs(ticks, _SIGN_BIT)) & 0xFFFF

    def _forget_answers(self) -> None:
        """Empty the SDK's table, which otherwise keeps the last answer of a silent servo."""
        for servo in self._ids:
            self._reader.data_dict[servo] = []

    def _judge(self, doing: str, servo: int, error: int) -> None:
        faults = [name for bit, name in _ERRORS.items() if error & bit]
        if faults:
            raise BusError(
                self.address, f"servo {servo} reports {' and '.join(faults)}", fatal=True,
                hint="take the load off, let it cool, check the supply voltage",
            )  # fmt: skip
