"""What can go wrong on the wire of an emulated servo, switched on and off while it runs."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from planar_arm_ik.errors import PlanarArmError


@dataclass
class Faults:
    """Faults of the answers; every one acts until it is cleared.

    Args:
        silent: servo ids that do not answer (and hear nothing).
        bad_checksum: whether checksums are wrong.
        partial: whether answers are cut in half.
        late: delay of every answer [s].
        noise: whether rubbish precedes every answer.
        echo: whether the adapter sends back what it receives.
        wrong_id: whether answers carry another servo's id.
        overload: servo ids that report overload and let go.
        burst: number of answers the faults still spoil; 0 for no end.
    """

    silent: set[int] = field(default_factory=set)
    bad_checksum: bool = False
    partial: bool = False
    late: float = 0.0
    noise: bool = False
    echo: bool = False
    wrong_id: bool = False
    overload: set[int] = field(default_factory=set)
    burst: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(0)

    def clear(self) -> None:
        """Everything works again."""
        self.__init__()  # type: ignore[misc]

    def set(self, name: str, value: str = "") -> None:
        """Switch one fault on by name, as a person types it.

        Raises:
            PlanarArmError: there is no such fault, or the value does not fit.
        """
        try:
            if name in ("silent", "overload"):
                getattr(self, name).add(int(value))
            elif name == "late":
                self.late = float(value)
            elif name == "burst":
                self.burst = int(value)
            elif name in ("bad_checksum", "partial", "noise", "echo", "wrong_id"):
                setattr(self, name, True)
            else:
                raise PlanarArmError(f"fault {name!r} is not one of {sorted(vars(type(self)()))}")
        except ValueError:
            raise PlanarArmError(f"fault {name} needs a number, got {value!r}") from None

    def spoil(self, packet: bytes) -> bytes:
        """Return the packet as it comes out of a bad wire."""
        if not (self.bad_checksum or self.partial or self.noise):
            return packet
        if self.bad_checksum:
            packet = packet[:-1] + bytes([packet[-1] ^ 0x55])
        if self.partial:
            packet = packet[: len(packet) // 2]
        if self.noise:
            packet = bytes(self._random.randrange(1, 250) for _ in range(7)) + packet
        if self.burst:
            self.burst -= 1
            if self.burst == 0:
                self.bad_checksum = self.partial = self.noise = False
        return packet
