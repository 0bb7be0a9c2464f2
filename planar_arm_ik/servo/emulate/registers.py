"""One emulated servo on a bus: registers over a motor.

What differs from family to family stands in a :class:`Layout`. The layouts are written from the
makers' manuals and not taken from the driver's tables: a wrong address there must show here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from planar_arm_ik.servo.buses.motor import Motor

_MEMORY = 100_000


@dataclass(frozen=True)
class Layout:
    """Where a family keeps what; every address is that of the first byte.

    Args:
        size: number of registers.
        model: model number, 2 bytes.
        id: id on the bus.
        torque: 1 to hold.
        speed: speed limit.
        speed_bytes: its width.
        speed_unit: ticks/s of one count of it.
        goal: goal position.
        position: present position.
        position_bytes: width of both.
        health: supply voltage and temperature.
        at_rest: bytes that stand there.
        working: first of the registers that a restart forgets, and the one after the last.
        power_on: registers among them that are not 0 at power-on.
        overload: error byte of an answer when the servo is overloaded.
    """

    size: int
    model: int
    id: int
    torque: int
    speed: int
    speed_bytes: int
    speed_unit: float
    goal: int
    position: int
    position_bytes: int
    health: int
    at_rest: bytes
    working: tuple[int, int]
    power_on: Mapping[int, int]
    overload: int


class RegisterServo(ABC):
    """One servo.

    Args:
        servo: id on the bus.
        position: where the shaft is at power-on [ticks].
        stale_goal: goal left in the servo from before [ticks].
        model: model number.
    """

    layout: Layout

    def __init__(self, servo: int, position: int, stale_goal: int, model: int) -> None:
        place = self.layout
        self.motor = Motor(position)
        self.registers = bytearray(place.size)
        self.written: deque[tuple[int, bytes]] = deque(maxlen=_MEMORY)
        self._put(place.model, model.to_bytes(2, "little"))
        self._put(place.id, bytes([servo]))
        self._put(place.goal, self._encode(stale_goal))
        self._put(place.health, place.at_rest)
        self._power_on()

    @property
    def id(self) -> int:
        """Id on the bus."""
        return self.registers[self.layout.id]

    @property
    def alert(self) -> int:
        """What the servo adds to the error byte of every answer."""
        return 0

    def advance(self, dt: float) -> None:
        """Turn the shaft for `dt` seconds."""
        self.motor.advance(dt)

    def restart(self) -> None:
        """Brown-out: the working registers are forgotten, the shaft stays."""
        first, end = self.layout.working
        self._put(first, bytes(end - first))
        self._power_on()

    def read(self, address: int, length: int) -> bytes:
        """Registers as the bus sees them."""
        self._put(self.layout.position, self._encode(round(self.motor.output)))
        return bytes(self.registers[address : address + length])

    def write(self, address: int, data: bytes) -> int:
        """Registers from the bus; returns the error number, 0 for none."""
        self.written.append((address, bytes(data)))
        error = self._store(address, data)
        if not error:
            self._apply()
        return error

    def release(self) -> None:
        """Let go, as on overload."""
        self.registers[self.layout.torque] = 0
        self._apply()

    @abstractmethod
    def _encode(self, position: int) -> bytes:
        """Return a position as it stands in the registers."""

    @abstractmethod
    def _decode(self, goal: bytes) -> int:
        """Return the goal [ticks] that stands in the registers."""

    @abstractmethod
    def _store(self, address: int, data: bytes) -> int:
        """Take what may be written; returns the error number, 0 for none."""

    def _power_on(self) -> None:
        for address, value in self.layout.power_on.items():
            self.registers[address] = value
        self._apply()

    def _apply(self) -> None:
        """Let the motor do what the registers say."""
        place = self.layout
        self.motor.goal = self._decode(self._get(place.goal, place.position_bytes))
        speed = int.from_bytes(self._get(place.speed, place.speed_bytes), "little")
        self.motor.speed = place.speed_unit * speed
        self.motor.torque = self.registers[place.torque] == 1

    def _get(self, address: int, length: int) -> bytes:
        return bytes(self.registers[address : address + length])

    def _put(self, address: int, data: bytes) -> None:
        self.registers[address : address + len(data)] = data
