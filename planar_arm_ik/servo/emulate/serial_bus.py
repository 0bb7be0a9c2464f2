"""Emulated servos that share one wire: requests in, answers out.

Both makers' protocols know the same instructions; how a packet is framed and how wide an address
is differs, and is said by each family.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from planar_arm_ik.servo.buses.motor import Motor
from planar_arm_ik.servo.emulate.faults import Faults
from planar_arm_ik.servo.emulate.registers import RegisterServo

_PING, _READ, _WRITE, _SYNC_READ, _SYNC_WRITE = 1, 2, 3, 0x82, 0x83
BROADCAST = 254

Servo = TypeVar("Servo", bound=RegisterServo)


@dataclass(frozen=True)
class Request:
    """A whole packet with a right checksum.

    Args:
        target: id it is for, or :data:`BROADCAST`.
        instruction: what to do.
        body: its parameters.
    """

    target: int
    instruction: int
    body: bytes


class SerialBus(ABC, Generic[Servo]):
    """Servos of one family on one wire.

    Args:
        servos: the servos.
        faults: what goes wrong.
    """

    #: Bytes of an address and of a length in a request.
    address_bytes: int
    #: Whether servos answer what is sent to all of them.
    answers_broadcast: bool

    def __init__(self, servos: Sequence[Servo], faults: Faults) -> None:
        self.servos = list(servos)
        self._faults = faults

    @abstractmethod
    def _take(self, received: bytes) -> tuple[Request | None, bytes]:
        """Take the first whole request from received bytes; returns it, or None, and the rest."""

    @abstractmethod
    def _packet(self, servo: int, error: int, data: bytes) -> bytes:
        """Frame an answer."""

    def shafts(self) -> list[Motor]:
        """Return the motors, in the order of the servos."""
        return [servo.motor for servo in self.servos]

    def restart(self, index: int) -> None:
        """Brown-out of one servo."""
        self.servos[index].restart()

    def tick(self, dt: float) -> None:
        """Let the shafts turn."""
        for servo in self.servos:
            servo.advance(dt)

    def answer(self, received: bytes) -> tuple[bytes, list[bytes]]:
        """Work through received bytes; returns what is not yet whole, and the answers."""
        answers: list[bytes] = []
        while True:
            request, received = self._take(received)
            if request is None:
                return received, answers
            answers += self._execute(request)

    def _execute(self, request: Request) -> list[bytes]:
        width, body = self.address_bytes, request.body
        address = int.from_bytes(body[:width], "little")
        length = int.from_bytes(body[width : 2 * width], "little")
        each = body[2 * width :]
        if request.instruction == _SYNC_READ:
            found = [servo for wanted in each for servo in self._hearing(wanted)]
            return [self._status(servo, servo.read(address, length)) for servo in found]
        if request.instruction == _SYNC_WRITE:
            for k in range(0, len(each), length + 1):
                for servo in self._hearing(each[k]):
                    servo.write(address, each[k + 1 : k + 1 + length])
            return []
        answers = []
        for servo in self._hearing(request.target):
            if request.instruction == _READ:
                answers.append(self._status(servo, servo.read(address, length)))
            elif request.instruction == _WRITE:
                error = servo.write(address, body[width:])
                answers.append(self._status(servo, b"", error))
            elif request.instruction == _PING:
                answers.append(self._status(servo, self._greeting(servo)))
        return answers if self.answers_broadcast or request.target != BROADCAST else []

    def _greeting(self, servo: Servo) -> bytes:
        """Return what an answer to a ping carries."""
        return b""

    def _hearing(self, target: int) -> list[Servo]:
        return [
            servo for servo in self.servos
            if target in (servo.id, BROADCAST) and servo.id not in self._faults.silent
        ]  # fmt: skip

    def _status(self, servo: Servo, data: bytes, error: int = 0) -> bytes:
        if servo.id in self._faults.overload:
            servo.release()
            error |= servo.layout.overload
        name = servo.id + 100 if self._faults.wrong_id else servo.id
        return self._packet(name, error | servo.alert, data)
