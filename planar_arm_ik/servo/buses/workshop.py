"""Finding servos on a bus and giving them their ids, before there is an arm to drive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.buses.dynamixel import DynamixelBus
from planar_arm_ik.servo.buses.feetech import FeetechBus
from planar_arm_ik.servo.buses.serial_port import close_port, exclusive_port, wire_faults
from planar_arm_ik.servo.buses.serial_servos import SerialServos
from planar_arm_ik.servo.buses.smbus import open_smbus

#: Families whose servos have registers of their own.
_FAMILIES: dict[str, type[SerialServos]] = {"feetech": FeetechBus, "dynamixel": DynamixelBus}
#: Addresses that a PCA9685 can have.
_CHIPS = range(0x40, 0x78)


def scan_serial(backend: str, port: str, baud: int, ids: Iterable[int]) -> list[tuple[int, int]]:
    """Ask every id on a serial bus.

    Args:
        backend: ``feetech`` or ``dynamixel``.
        port: serial port.
        baud: bit rate.
        ids: ids to ask.

    Returns:
        (id, model number) of every servo that answered.

    Raises:
        BusError: the port cannot be used.
    """
    found = []
    with _bus(backend, port, baud) as (sdk, ping, _):
        for servo in ids:
            model, result, _error = ping(servo)
            if result == sdk.COMM_SUCCESS:
                found.append((servo, model))
    return found


def set_id(backend: str, port: str, baud: int, old: int, new: int) -> None:
    """Give a servo another id; its memory is locked again afterwards.

    Raises:
        PlanarArmError: the ids break their rule.
        BusError: nobody is called `old`, somebody is called `new`, or a write failed.
    """
    for name, value in (("old", old), ("new", new)):
        if not 0 <= value <= 252:
            raise PlanarArmError(f"{name} id {value} must be in [0, 252]")
    with _bus(backend, port, baud) as (sdk, ping, write):
        if _answers(sdk, ping, new):
            raise BusError(port, f"servo {new} already exists", hint="connect one servo at a time")
        if not _answers(sdk, ping, old):
            raise BusError(port, f"servo {old} did not answer", hint="check cable, power and baud")
        registers = _FAMILIES[backend].registers
        write(old, *registers.unlock)
        write(old, registers.id, new, sure=False)
        if registers.lock is not None:
            write(new, *registers.lock)
        if not _answers(sdk, ping, new):
            raise BusError(port, f"servo {old} was renamed, but {new} does not answer")


def scan_i2c(bus: int | str) -> list[int]:
    """Addresses of an I2C bus at which a PCA9685 may be.

    Raises:
        BusError: the bus cannot be opened.
    """
    found = []
    with closing(open_smbus(bus, str(bus))) as smbus:
        for chip in _CHIPS:
            try:
                smbus.read_byte_data(chip, 0)
            except OSError:
                continue
            found.append(chip)
    return found


def _answers(sdk: Any, ping: Callable[[int], Any], servo: int) -> bool:
    """Whether a servo answers one of three pings: one lost answer must not hide a servo."""
    return any(ping(servo)[1] == sdk.COMM_SUCCESS for _ in range(3))


@contextmanager
def _bus(backend: str, port: str, baud: int) -> Iterator[tuple[Any, Callable[[int], Any], Any]]:
    """Yield the SDK, a ping and a one-byte write on an open port."""
    if backend not in _FAMILIES:
        raise PlanarArmError(f"{backend} servos cannot be asked one by one; use the maker's tool")
    family = _FAMILIES[backend]
    sdk = family.load_sdk()
    with wire_faults(port, "opening"):
        handler = exclusive_port(sdk, port, baud)
    packets = family.packets_of(sdk, handler)
    lead = (handler,) if family.names_port else ()

    def write(servo: int, register: int, value: int, sure: bool = True) -> None:
        # A renamed servo answers under either name: not sure, the ping afterwards tells.
        result, error = packets.write1ByteTxRx(*lead, servo, register, value)
        if sure and (result != sdk.COMM_SUCCESS or error):
            raise BusError(port, f"servo {servo} refused to write register {register}")

    try:
        with wire_faults(port, "talking to the servos"):
            yield sdk, lambda servo: packets.ping(*lead, servo), write
    finally:
        close_port(handler)
