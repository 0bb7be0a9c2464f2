"""Feetech STS and SMS bus servos through the maker's ``ftservo-python-sdk``.

Registers as in the STS3215 memory table. A failed read returns position 0 beside its result code,
a sync read forgets that its first servo was silent, and old data stays in the SDK's table: every
result is checked, and every servo is asked for by name.
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
_MODE, _TORQUE_ENABLE, _GOAL_POSITION, _GOAL_SPEED = 33, 40, 42, 46
_POSITION_MODE = 0
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


class FeetechBus:
    """STS/SMS servos on one serial adapter.

    Args:
        joints: calibration of every joint.
        port: serial port.
        baud: bit rate of the bus.
    """

    feedback = True
    resolution = 1.0
    turn = 4096

    def __init__(
        self, joints: Sequence[JointCalibration], port: str, baud: int = 1_000_000
    ) -> None:
        self._sdk = load_sdk()
        self._joints = joints
        self._ids = [joint.id for joint in joints]
        self.address = port
        self._baud = baud
        self._port: Any = None
        self._servo: Any = None
        self._reader: Any = None

    def open(self) -> None:
        """Open the port alone, refuse an echo, find every servo and compare its model."""
        self.close()
        with wire_faults(self.address, "opening"):
            self._port = exclusive_port(self._sdk, self.address, self._baud)
        try:
            with wire_faults(self.address, "looking for the servos"):
                self._servo = self._sdk.sms_sts(self._port)
                refuse_echo(self.address, self._port, _read_request(_NOBODY, _PRESENT_POSITION, 2))
                for joint in self._joints:
                    insist(partial(self._find, joint))
                self._reader = self._sdk.GroupSyncRead(self._servo, _PRESENT_POSITION, 2)
                for servo in self._ids:
                    self._reader.addParam(servo)
        except BusError:
            self.close()
            raise

    def close(self) -> None:
        """Let the port go."""
        close_port(self._port)
        self._port = None

    def read(self) -> list[int]:
        """Position of every joint [ticks], each servo checked by itself."""
        with wire_faults(self.address, "reading positions"):
            reader = self._open_reader()
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
                ticks.append(self._servo.scs_tohost(raw, _SIGN_BIT))
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
            writer = self._sdk.GroupSyncWrite(self._open_servo(), _GOAL_POSITION, 2)
            for servo, goal in zip(self._ids, ticks, strict=True):
                word = self._to_wire(goal)
                writer.addParam(servo, [word & 0xFF, word >> 8])
            self._check("writing goals", self._ids[0], writer.txPacket(), 0)

    def relax(self) -> None:
        """Torque off on every servo; the first failure is raised after all were tried."""
        on_every(
            self._ids, self.address, "relaxing servo {}",
            lambda servo: self._write(servo, "write1ByteTxRx", _TORQUE_ENABLE, 0),
        )  # fmt: skip

    def check(self, joint: int, torque: bool) -> ServoHealth:
        """Voltage, temperature and torque of one servo."""
        servo = self._ids[joint]
        with wire_faults(self.address, f"asking servo {servo} how it is"):
            data, result, error = self._open_servo().readTxRx(servo, _VOLTAGE, 2)
            self._check("reading voltage", servo, result, error)
            # Asked twice before it counts: a late answer may belong to another question.
            on = self._torque(servo) or (torque and self._torque(servo))
        if torque and not on:
            raise BusError(
                self.address, f"servo {servo} lost its torque", fatal=True,
                hint="it restarted (brown-out) or protected itself: check supply and load",
            )  # fmt: skip
        return ServoHealth(0.1 * data[0], float(data[1]), on)

    def _torque(self, servo: int) -> bool:
        on, result, error = self._servo.read1ByteTxRx(servo, _TORQUE_ENABLE)
        self._check("reading torque", servo, result, error)
        return bool(on)

    def _forget_answers(self) -> None:
        """Empty the SDK's table, which otherwise keeps the last answer of a silent servo."""
        for servo in self._ids:
            self._reader.data_dict[servo] = []

    def _find(self, joint: JointCalibration) -> None:
        model, result, _ = self._servo.ping(joint.id)
        self._check("ping", joint.id, result, 0)
        check_model(self.address, joint, model)
        mode, result, _ = self._servo.read1ByteTxRx(joint.id, _MODE)
        self._check("reading its mode", joint.id, result, 0)
        check_mode(self.address, joint, mode, _POSITION_MODE)

    def _write(self, servo: int, method: str, register: int, value: int) -> None:
        result = getattr(self._open_servo(), method)(servo, register, value)
        # The SDK's write returns (result, error); its answer holds no data.
        self._check(f"writing register {register}", servo, *result)

    def _check(self, doing: str, servo: int, result: int, error: int) -> None:
        if result in (self._sdk.COMM_RX_TIMEOUT, self._sdk.COMM_RX_CORRUPT):
            raise self._silent(servo, torn=result == self._sdk.COMM_RX_CORRUPT)
        if result != self._sdk.COMM_SUCCESS:
            text = self._servo.getTxRxResult(result).replace("[TxRxResult] ", "")
            raise BusError(self.address, f"{doing}, servo {servo}: {text}", fatal=True)
        faults = [name for bit, name in _ERRORS.items() if error & bit]
        if faults:
            raise BusError(
                self.address, f"servo {servo} reports {' and '.join(faults)}", fatal=True,
                hint="take the load off, let it cool, check the supply voltage",
            )  # fmt: skip

    def _silent(self, servo: int, torn: bool = False) -> BusError:
        answer = "answered with a damaged packet" if torn else "did not answer"
        return BusError(
            self.address, f"servo {servo} {answer}", hint="check its cable, power, id and baud"
        )

    def _open_servo(self) -> Any:
        if self._port is None:
            raise BusError(self.address, "the port is closed", fatal=True)
        return self._servo

    def _open_reader(self) -> Any:
        self._open_servo()
        return self._reader

    def _to_wire(self, ticks: int) -> int:
        return int(self._servo.scs_toscs(ticks, _SIGN_BIT)) & 0xFFFF


def _read_request(servo: int, register: int, length: int) -> bytes:
    body = [servo, 4, 2, register, length]
    return bytes([0xFF, 0xFF, *body, ~sum(body) & 0xFF])
