"""The bus loop at 50 Hz with two emulated servos, beside a busy core; a cycle beside the bare SDK.

Run with ``python benchmarks/servo_loop.py``. The emulated servos and the busy loop are
processes of their own. Rates and shares depend on the machine; the ratio of a cycle to the bare
SDK's does so less: both are measured in one run, interleaved.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.buses.dynamixel import DynamixelBus
from planar_arm_ik.servo.buses.feetech import FeetechBus
from planar_arm_ik.servo.control.loop import ServoLoop
from planar_arm_ik.servo.control.machine import ServoArm
from planar_arm_ik.servo.emulate.arm import EmulatedArm
from planar_arm_ik.servo.settings.backends import make_bus
from planar_arm_ik.servo.settings.settings import ServoSettings, parse_settings

GOALS = (2300, 1800)
RATE = 50.0


def serve(family: str, link: str, stop: multiprocessing.synchronize.Event) -> None:
    """Emulate servos until stopped."""
    with EmulatedArm(family, link, GOALS):
        stop.wait()


def spin(stop: multiprocessing.synchronize.Event) -> None:
    """Keep a core busy until stopped."""
    while not stop.is_set():
        sum(range(10_000))


def settings_for(family: str, link: str) -> ServoSettings:
    """Two servos of a family at 50 Hz."""
    backend = {"sts": "feetech", "dxl": "dynamixel"}[family]
    bus = {"backend": backend, "port": link, "baud": 1_000_000, "rate": RATE, "misses": 1000}
    joint = {"lower": -1.5, "upper": 1.5, "raw_min": 0, "raw_max": 4095, "max_speed": 1.0}
    joints = [{**joint, "joint": f"joint{k}", "id": k} for k in (1, 2)]
    return parse_settings({"bus": bus, "joints": joints})


def bare_cycle(bus: FeetechBus | DynamixelBus) -> Callable[[], None]:
    """The SDK's own sync write and sync read on the same open port, without a check."""
    if isinstance(bus, FeetechBus):
        reader = bus._sdk.GroupSyncRead(bus._packets, 56, 2)
        writer = bus._sdk.GroupSyncWrite(bus._packets, 42, 2)
        size = 2
    else:
        reader = bus._sdk.GroupSyncRead(bus._port, bus._packets, 132, 4)
        writer = bus._sdk.GroupSyncWrite(bus._port, bus._packets, 116, 4)
        size = 4
    for servo, goal in zip((1, 2), GOALS, strict=True):
        reader.addParam(servo)
        writer.addParam(servo, list(goal.to_bytes(size, "little")))

    def cycle() -> None:
        writer.txPacket()
        reader.txRxPacket()

    return cycle


def cycle_times(bus: FeetechBus | DynamixelBus, count: int) -> tuple[list[float], list[float]]:
    """Times of our cycle and of the bare SDK's [s], interleaved."""
    bare, ours = bare_cycle(bus), []
    theirs = []
    for _ in range(count):
        start = time.perf_counter()
        bus.write(GOALS)
        try:
            bus.read()
        except BusError:
            continue
        middle = time.perf_counter()
        bare()
        theirs.append(time.perf_counter() - middle)
        ours.append(middle - start)
    return ours, theirs


def loop_figures(settings: ServoSettings, seconds: float) -> dict[str, float]:
    """Rate, p99 of the period and CPU share of this process, following a moving target."""
    arm = ServoArm(make_bus(settings), settings, lambda level, text: None)
    arm.open()
    loop = ServoLoop(arm, RATE, lambda report: None)
    loop.start()
    loop.enable().result(5.0)
    loop.command(arm.report.position or ())
    time.sleep(0.5)
    cpu, begin, cycles = time.process_time(), time.perf_counter(), len(loop.periods())
    while time.perf_counter() - begin < seconds:
        phase = time.perf_counter() - begin
        loop.command((0.3 * np.sin(phase), -0.3 * np.sin(phase)))
        time.sleep(0.02)
    took = time.perf_counter() - begin
    periods = loop.periods()[cycles:]
    share = (time.process_time() - cpu) / took
    misses = arm.report.total_misses
    loop.stop()
    return {
        "rate": 1.0 / statistics.mean(periods),
        "p50": 1e3 * statistics.median(periods),
        "p99": 1e3 * float(np.percentile(periods, 99)),
        "cpu": 100.0 * share,
        "misses": misses,
    }


def measure(family: str, seconds: float, cycles: int) -> tuple[float, float]:
    """Print the loop's figures of one family; returns medians of our and the bare cycle [s]."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        link, stop = str(Path(folder, "arm")), context.Event()
        server = context.Process(target=serve, args=(family, link, stop))
        server.start()
        while not Path(link).exists():
            time.sleep(0.01)
        settings = settings_for(family, link)
        for busy in (False, True):
            row = beside(busy, context, lambda: loop_figures(settings, seconds))
            print(
                f"{family:6}  {'yes' if busy else 'no':4}  {row['rate']:9.2f}  "
                f"{row['p50']:15.2f}  {row['p99']:8.2f}  {row['cpu']:7.1f}  "
                f"{row['misses']:13.0f}"
            )
        bus = make_bus(settings)
        bus.open()
        ours, theirs = cycle_times(bus, cycles)  # type: ignore[arg-type]
        bus.close()
        stop.set()
        server.join()
    return statistics.median(ours), statistics.median(theirs)


def beside(busy: bool, context: Any, run: Callable[[], dict[str, float]]) -> dict[str, float]:
    """Run, if wanted beside a process that keeps a core busy."""
    stop = context.Event()
    spinner = context.Process(target=spin, args=(stop,))
    if busy:
        spinner.start()
    row = run()
    stop.set()
    if busy:
        spinner.join()
    return row


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each loop run")
    parser.add_argument("--cycles", type=int, default=300, help="timed against the bare SDK")
    arguments = parser.parse_args()
    print("family  busy  rate [Hz]  period p50 [ms]  p99 [ms]  CPU [%]  missed cycles")
    medians = {
        family: measure(family, arguments.seconds, arguments.cycles) for family in ("sts", "dxl")
    }
    print("\nfamily  our cycle [ms]  bare SDK [ms]  ratio of medians")
    for family, (ours, bare) in medians.items():
        print(f"{family:6}  {1e3 * ours:14.3f}  {1e3 * bare:13.3f}  {ours / bare:8.2f}")


if __name__ == "__main__":
    main()
