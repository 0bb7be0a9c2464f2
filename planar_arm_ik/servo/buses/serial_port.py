"""A serial port for one program alone, and one kind of error for all the ways it can fail."""

from __future__ import annotations

import errno
import importlib
import os
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from planar_arm_ik.clocks import STEADY
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.calibration.calibration import JointCalibration

#: How long an echo may take to come back [s].
_ECHO_TIME = 0.1

_HINTS = {
    errno.ENOENT: "is the adapter plugged in, and is the path right (/dev/serial/by-id/...)?",
    errno.EACCES: "join the group dialout, or install the udev rule of docs/hardware.md",
    errno.EIO: "the adapter was unplugged or lost power",
    errno.ENXIO: "the adapter was unplugged",
    errno.ENODEV: "the adapter was unplugged",
}

#: Everything the SDKs let through when a wire breaks or a packet is torn: termios.error is
#: neither an OSError nor pyserial's own exception, the rest comes from indexing short packets.
_WIRE_FAULTS = (OSError, termios.error, IndexError)


@contextmanager
def wire_faults(address: str, doing: str) -> Iterator[None]:
    """Turn whatever a broken wire raises inside into a :class:`BusError`.

    The error is fatal when the port is gone: an SDK's port object then says busy for ever, so a
    new one has to be made.
    """
    try:
        yield
    except BusError:
        raise
    except _WIRE_FAULTS as error:
        number = _errno(error)
        torn = isinstance(error, IndexError)
        reason = "torn packet" if torn else os.strerror(number) if number else str(error)
        raise BusError(
            address, f"{reason} while {doing}", errno=number,
            hint=_HINTS.get(number or 0, ""), fatal=not torn,
        ) from error  # fmt: skip


def on_every(
    servos: Sequence[int], address: str, doing: str, act: Callable[[int], object]
) -> None:
    """Act on every servo although some fail, then raise the first failure.

    Args:
        servos: ids.
        address: name of the bus for messages.
        doing: what is done, with {} for the id.
        act: what to do with one id.

    Raises:
        BusError: it failed for at least one servo.
    """
    failures = []
    for servo in servos:
        try:
            with wire_faults(address, doing.format(servo)):
                act(servo)
        except BusError as error:
            failures.append(error)
    if failures:
        raise failures[0]


def open_exclusive(path: str, baudrate: int) -> Any:
    """Open a serial port that no second program may share (the SDKs do not lock it).

    Returns:
        A ``serial.Serial``.

    Raises:
        BusError: it cannot be opened, or another program has it.
    """
    import serial

    try:
        return serial.Serial(
            port=path, baudrate=baudrate, bytesize=8, timeout=0.001, exclusive=True
        )
    except (OSError, termios.error, ValueError) as error:
        number = _errno(error)
        if number in (errno.EAGAIN, errno.EBUSY) or "exclusively lock" in str(error):
            raise BusError(
                path, "another program uses this port", errno=number, fatal=True,
                hint="stop it first: two programs on one bus garble each other",
            ) from None  # fmt: skip
        reason = os.strerror(number) if number else str(error)
        hint = _HINTS.get(number or 0, "")
        raise BusError(
            path, f"cannot open: {reason}", errno=number, hint=hint, fatal=True
        ) from None


def import_sdk(module: str, backend: str, package: str) -> Any:
    """Return a maker's module.

    Raises:
        PlanarArmError: it is not installed; the sentence says how to.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise PlanarArmError(
            f"the {backend} backend needs its SDK: pip install 'planar_arm_ik[{backend}]' "
            f"(or pip install {package})"
        ) from None


def exclusive_port(sdk: Any, path: str, baud: int) -> Any:
    """Return an open port handler of a servo SDK, on a port of our own.

    Both makers' SDKs have the same handler. Its own ``setupPort`` neither locks the port nor
    sleeps while it waits for an answer.

    Raises:
        BusError: the port cannot be opened.
        PlanarArmError: the SDK does not know the bit rate.
    """

    class ExclusivePort(sdk.PortHandler):  # type: ignore[misc]
        def setupPort(self, cflag_baud: int) -> bool:  # noqa: N802 - the SDK's name
            self.ser = open_exclusive(self.port_name, self.baudrate)
            self.is_open = True
            self.ser.reset_input_buffer()
            self.tx_time_per_byte = 10_000.0 / self.baudrate
            return True

    port = ExclusivePort(path)
    if not port.setBaudRate(baud):
        raise PlanarArmError(f"baud {baud} is not one the SDK knows")
    return port


def close_port(port: Any) -> None:
    """Close an SDK port handler, also one whose wire is gone."""
    if port is not None and port.ser is not None:
        with suppress(*_WIRE_FAULTS):
            port.ser.close()


def check_model(address: str, joint: JointCalibration, model: int) -> None:
    """Refuse a servo that is not the one the calibration was made with.

    Raises:
        BusError: the model numbers differ.
    """
    if joint.model is not None and model != joint.model:
        raise BusError(
            address,
            f"servo {joint.id} of {joint.joint} is model {model}, the calibration was made with "
            f"model {joint.model}",
            fatal=True,
            hint="a swapped servo needs a new calibration",
        )


def check_mode(address: str, joint: JointCalibration, mode: int, wanted: int) -> None:
    """Refuse a servo that would not take goals as positions (wheel, current, several turns).

    Raises:
        BusError: it is in another mode.
    """
    if mode != wanted:
        raise BusError(
            address,
            f"servo {joint.id} of {joint.joint} is in mode {mode}, not in position mode {wanted}",
            fatal=True,
            hint="set its mode with the maker's tool",
        )


def refuse_echo(address: str, port: Any, probe: bytes) -> None:
    """Send a request to an id nobody has and refuse an adapter that sends it back.

    With an echoing adapter reads succeed with a wrong position, because the SDK takes our own
    request for the answer.

    Args:
        address: for the message.
        port: SDK port handler.
        probe: a whole request packet to an id nobody has.

    Raises:
        BusError: the request came back.
    """
    port.clearPort()
    port.writePort(probe)
    received = b""
    deadline = STEADY.now() + _ECHO_TIME
    while STEADY.now() < deadline and len(received) < len(probe):
        received += bytes(port.readPort(len(probe) - len(received)))
    if received == probe:
        raise BusError(
            address, "the adapter echoes what we send, so positions read from it are wrong",
            hint="switch its echo off, or join TX and RX by the adapter's own half-duplex driver",
            fatal=True,
        )  # fmt: skip
    port.clearPort()


def _errno(error: BaseException) -> int | None:
    number = getattr(error, "errno", None)
    if number is None and error.args and isinstance(error.args[0], int):
        number = error.args[0]
    return number if isinstance(number, int) else None
