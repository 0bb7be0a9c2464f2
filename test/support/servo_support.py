"""Servo arms to test: emulated ones on a wire, and simulated ones on a clock that tests turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from made_clock import MadeClock
from planar_arm_ik.servo.buses.bus import BusError, ServoBus
from planar_arm_ik.servo.buses.sim import SimBus
from planar_arm_ik.servo.control.machine import ServoArm
from planar_arm_ik.servo.emulate.arm import EmulatedArm
from planar_arm_ik.servo.settings.backends import make_bus
from planar_arm_ik.servo.settings.settings import ServoSettings, parse_settings

SERIAL = ("sts", "dxl")
DEADLINE = 30.0
#: Where the emulated shafts are at first [ticks or us], and the speed limit [rad/s].
PLACES = {"sts": (2300, 1800), "dxl": (2300, 1800), "pca9685": (1600, 1450)}
SPEED = 1.0


def joint_blocks(family: str = "sts", **changes: Any) -> list[dict[str, Any]]:
    """Two ``joints`` entries of a settings file."""
    block: dict[str, Any] = {"lower": -1.5, "upper": 1.5, "max_speed": SPEED}
    if family == "pca9685":
        block |= {"raw_min": 500, "raw_max": 2500, "zero": 1500, "scale": 636.6}
        block |= {"feedback": False}
    else:
        block |= {"raw_min": 0, "raw_max": 4095}
    block |= changes
    return [{**block, "joint": f"joint{k}", "id": k} for k in (1, 2)]


def settings(
    family: str = "sts", bus: dict[str, Any] | None = None, **joint: Any
) -> ServoSettings:
    """Settings with the same limits for every family."""
    return parse_settings({"bus": bus or {}, "joints": joint_blocks(family, **joint)})


@contextmanager
def emulated(family: str, folder: Path, **options: Any) -> Iterator[EmulatedArm]:
    """An emulated arm that runs."""
    options.setdefault("positions", PLACES[family])
    with EmulatedArm(family, folder / "arm", **options) as arm:
        yield arm


def bus_for(arm: EmulatedArm, **joint: Any) -> ServoBus:
    """The bus that talks to an emulated arm, not yet open."""
    return make_bus(settings(arm.family, arm.bus_block, **joint))


def until(done: Callable[[], Any], what: str, deadline: float = DEADLINE) -> None:
    """Poll until `done`, or fail naming `what`."""
    end = time.monotonic() + deadline
    while not done():
        assert time.monotonic() < end, f"waited {deadline} s in vain for {what}"
        time.sleep(0.002)


def patient_sdks(monkeypatch: Any) -> None:
    """Let the SDKs wait longer: on a busy machine an emulated servo may answer late."""
    for sdk in ("scservo_sdk", "dynamixel_sdk"):
        monkeypatch.setattr(f"{sdk}.port_handler.LATENCY_TIMER", 300)


def patient(action: Callable[[], Any]) -> Any:
    """Call it until it succeeds: on a busy machine an emulated servo may answer too late."""
    for _ in range(20):
        try:
            return action()
        except BusError as error:
            if error.fatal:
                raise
            last = error
    raise last


class Rig:
    """A servo arm and a clock that moves only when a test says so."""

    def __init__(
        self, made: ServoSettings, bus: ServoBus | None = None, clock: MadeClock | None = None
    ) -> None:
        self.clock = clock or MadeClock(0.0)
        self.said: list[tuple[str, str]] = []
        self.settings = made
        self.bus: Any = bus or SimBus(made.joints, made.bus.sim, clock=self.clock)
        self.arm = ServoArm(self.bus, made, lambda level, text: self.said.append((level, text)))
        self.period = 1.0 / made.bus.rate

    def cycle(self, count: int = 1, dt: float | None = None) -> None:
        """Turn the clock and the arm."""
        for _ in range(count):
            self.clock.wait(self.period if dt is None else dt)
            self.arm.cycle(self.now)

    def enabled(self) -> Rig:
        """Open and enable."""
        patient(self.arm.open)
        self.cycle()
        verdict = self.arm.enable(self.now)
        assert verdict.accepted, verdict
        return self

    def aim(self, *target: float) -> Any:
        """Command joint angles."""
        return self.arm.follow(lambda commands: commands.aim(target))

    @property
    def now(self) -> float:
        """What the clock says [s]."""
        return self.clock.now()

    @property
    def report(self) -> Any:
        """The arm's last report."""
        return self.arm.report
