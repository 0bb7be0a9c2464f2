"""I2C over a terminal: the real smbus2 runs, only its ``ioctl`` is answered here.

So a chip can be served by another process. A request is 6 bytes (chip, read or write, register,
size, data length, 0) and the data; the answer is an errno byte, a length byte and the data.
"""

from __future__ import annotations

import errno
import os
import select
import termios
import threading
from typing import Any

_SLAVE, _SMBUS = 0x0703, 0x0720
_READ = 1
_BYTE_DATA, _BLOCK_DATA = 2, 8
_TIMEOUT = 1.0


def open_terminal(path: str) -> Any:
    """Return a real ``smbus2.SMBus`` that speaks over a terminal.

    Raises:
        OSError: there is no terminal at this path.
    """
    import smbus2.smbus2

    module = smbus2.smbus2
    if not isinstance(module.ioctl, _Ioctl):
        module.ioctl = _Ioctl(module.ioctl)
    bus = smbus2.SMBus()
    bus.fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
    attributes = termios.tcgetattr(bus.fd)
    attributes[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG)
    termios.tcsetattr(bus.fd, termios.TCSANOW, attributes)
    return bus


class _Ioctl:
    """Answers smbus2's ioctl on terminals, and hands every other descriptor on."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self._chips: dict[int, int] = {}
        self._lock = threading.Lock()

    def __call__(self, descriptor: int, request: int, argument: Any = 0) -> Any:
        if not os.isatty(descriptor):
            return self._real(descriptor, request, argument)
        with self._lock:
            if request == _SLAVE:
                self._chips[descriptor] = int(argument)
            elif request == _SMBUS:
                self._transfer(descriptor, argument)
            else:
                raise OSError(errno.EIO, f"emulated I2C knows no request 0x{request:04x}")
        return 0

    def _transfer(self, descriptor: int, message: Any) -> None:
        content = message.data.contents
        if message.size == _BYTE_DATA:
            data = bytes([content.byte])
        elif message.size == _BLOCK_DATA:
            data = bytes(content.block[1 : 1 + content.block[0]])
        else:
            raise OSError(errno.EIO, f"emulated I2C knows no transfer of size {message.size}")
        head = [self._chips[descriptor], message.read_write, message.command, message.size]
        termios.tcflush(descriptor, termios.TCIFLUSH)  # an answer that came too late is not ours
        os.write(descriptor, bytes([*head, len(data), 0]) + data)
        number, length = _receive(descriptor, 2)
        result = _receive(descriptor, length)
        if number:
            raise OSError(number, os.strerror(number))
        if message.read_write == _READ and message.size == _BYTE_DATA:
            content.byte = result[0]
        elif message.read_write == _READ:
            content.block[1 : 1 + length] = list(result)


def _receive(descriptor: int, length: int) -> bytes:
    data = b""
    while len(data) < length:
        ready, _, _ = select.select([descriptor], [], [], _TIMEOUT)
        if not ready:
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        part = os.read(descriptor, length - len(data))
        if not part:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        data += part
    return data
