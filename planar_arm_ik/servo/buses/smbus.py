"""An I2C bus for one program alone, through ``smbus2``: a real one, or an emulated one."""

from __future__ import annotations

import hashlib
import os
import socket
from typing import Any

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.buses.smbus_terminal import open_terminal

#: A bus that starts with this is the terminal of ``planar-arm emulate pca9685``.
EMULATED = "emulated:"


def open_smbus(bus: int | str, address: str) -> Any:
    """Return an open ``smbus2.SMBus``, on a real bus or an emulated one.

    Args:
        bus: number or path, or :data:`EMULATED` and the path of an emulated chip.
        address: name for messages.

    Raises:
        BusError: the bus cannot be opened.
        PlanarArmError: smbus2 is not installed.
    """
    try:
        import smbus2
    except ImportError:
        raise PlanarArmError(
            "the pca9685 backend needs smbus2: pip install 'planar_arm_ik[pca9685]' "
            "(or pip install smbus2)"
        ) from None
    try:
        if isinstance(bus, str) and bus.startswith(EMULATED):
            return open_terminal(bus[len(EMULATED) :])
        return smbus2.SMBus(bus)
    except OSError as error:
        hints = {2: "enable I2C (raspi-config, or load i2c-dev)", 13: "join the group i2c"}
        raise BusError(
            address, f"cannot open: {os.strerror(error.errno or 0)}", errno=error.errno,
            hint=hints.get(error.errno or 0, ""), fatal=True,
        ) from None  # fmt: skip


def lock(address: str) -> socket.socket:
    """Hold a name on this machine, so that a second program cannot drive the same chip.

    Args:
        address: name of the chip.

    Raises:
        BusError: another program holds it.
    """
    holder = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        # A digest: names of sockets are short, paths of buses need not be.
        holder.bind("\0planar_arm_ik " + hashlib.sha256(address.encode()).hexdigest())
    except OSError as error:
        holder.close()
        raise BusError(
            address, "another program drives this chip", errno=error.errno, fatal=True,
            hint="stop it first",
        ) from None  # fmt: skip
    return holder
