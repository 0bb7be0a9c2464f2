"""Feetech STS and SMS bus servos through the maker's ``ftservo-python-sdk``.

Registers as in the STS3215 memory table. A failed read returns position 0 beside its result code,
a sync read forgets that its first servo was silent, and old data stays in the SDK's table: every
result is checked, and every servo is asked for by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError, ServoHealth
from planar_arm_ik.servo.buses.serial_port import wire_faults
from planar_arm_ik.servo.buses.serial_servos import NOBODY, SerialServos
from planar_arm_ik.servo.calibration.calibration import JointCalibration

_MODE, _TORQUE_ENABLE, _GOAL_POSITION, _GOAL_SPEED = 33, 40, 42, 46
_PRESENT_POSITION, _VOLTAGE = 56, 62
_SIGN_BIT = 15
_LARGEST_SPEED = 32767

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
    try:
        import scservo_sdk
    except ImportError:
        raise PlanarArmError(
            "the feetech backend needs its SDK: pip install 'planar_arm_ik[feetech]' "
            "(or pip install ftservo-python-sdk)"
        ) from None
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

    mode_register, torque_register, position_mode = _MODE, _TORQUE_ENABLE, 0

    def __init__(
        self, joints: Sequence[JointCalibration], port: str, baud: int = 1_000_000
    ) -> None:
        super().__init__(load_sdk(), joints, port, baud)
        self._reader: Any = None

    def _connect(self) -> Any:
        servos = self._sdk.sms_sts(self._port)
        self._reader = self._sdk.GroupSyncRead(servos, _PRESENT_POSITION, 2)
        for servo in self._ids:
            self._reader.addParam(servo)
        return servos

    def _call(self, method: str, *arguments: Any) -> Any:
        return getattr(self._open_packets(), method)(*arguments)

    def _probe(self) -> bytes:
        body = [NOBODY, 4, 2, _PRESENT_POSITION, 2]
        return bytes([0xFF, 0xFF, *body, ~sum(body) & 0xFF])

    def read(self) -> list[int]:
        """Position of every joint [ticks], each servo checked by itself."""
        with wire_faults(self.address, "reading positions"):
            packets, reader = self._open_packets(), self._reader
            self._forget_answers()
            result = reader.txRxPacket()
            if result not in (self._sdk.COMM_SUCCESS, self._sdk.COMM_RX_TIMEOUT,
                              self._sdk.COMM_RX_CORRUPT):  # fmt: skip
                self._check("sync read", self._ids[0], result, 0)
            ticks = []
            for servo in self._ids:
                available, error = reader.isAvailable(servo, _PRESENT_POSITION, 2)
                if not available:
                    raise self._silent(servo)
                self._check("reading position", servo, self._sdk.COMM_SUCCESS, error)
                raw = reader.getData(servo, _PRESENT_POSITION, 2)
                ticks.append(packets.scs_tohost(raw, _SIGN_BIT))
            return ticks

    def energise(self, joint: int, ticks: int, speed: float) -> None:
        """Speed limit and goal first, torque last."""
        servo = self._ids[joint]
        limit = min(max(round(speed), 1), _LARGEST_SPEED)
        with wire_faults(self.address, f"enabling servo {servo}"):
            self._write(servo, "write2ByteTxRx", _GOAL_SPEED, limit)
            self._write(servo, "write2ByteTxRx", _GOAL_POSITION, self._to_wire(ticks))
            self._write(servo, "write1ByteTxRx", _TORQUE_ENABLE, 1)

    def start_watchdog(self, seconds: float) -> None:
        """STS servos have none: they stop at the last goal, one step away."""

    def write(self, ticks: Sequence[int]) -> None:
        """Send every goal in one packet."""
        with wire_faults(self.address, "writing goals"):
            writer = self._sdk.GroupSyncWrite(self._open_packets(), _GOAL_POSITION, 2)
            for servo, goal in zip(self._ids, ticks, strict=True):
                word = self._to_wire(goal)
                writer.addParam(servo, [word & 0xFF, word >> 8])
            self._check("writing goals", self._ids[0], writer.txPacket(), 0)

    def check(self, joint: int, torque: bool) -> ServoHealth:
        """Voltage, temperature and torque of one servo."""
        servo = self._ids[joint]
        with wire_faults(self.address, f"asking servo {servo} how it is"):
            data, result, error = self._call("readTxRx", servo, _VOLTAGE, 2)
            self._check("reading voltage", servo, result, error)
            on = self._has_torque(servo)
        if torque and not on:
            raise BusError(
                self.address, f"servo {servo} lost its torque", fatal=True,
                hint="it restarted (brown-out) or protected itself: check supply and load",
            )  # fmt: skip
        return ServoHealth(0.1 * data[0], float(data[1]), on)

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

    def _to_wire(self, ticks: int) -> int:
        return int(self._packets.scs_toscs(ticks, _SIGN_BIT)) & 0xFFFF
