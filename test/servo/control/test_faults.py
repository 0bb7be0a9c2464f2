"""Every fault of the wire during motion: the arm stops, says why, and comes back limp."""

import random

import pytest

pytest.importorskip("serial")

from servo_support import SPEED, emulated, patient, settings, until

from planar_arm_ik.servo.control.loop import ServoLoop
from planar_arm_ik.servo.control.machine import ServoArm
from planar_arm_ik.servo.control.report import ArmState
from planar_arm_ik.servo.settings.backends import make_bus

COUNTS = 651.8986


class Driven:
    """A loop over an emulated arm, in motion."""

    def __init__(self, arm, **bus):
        self.arm = arm
        self.said = []
        made = settings(arm.family, {**arm.bus_block, **bus})
        self.servo_arm = ServoArm(make_bus(made), made, lambda level, text: self.said.append(text))
        patient(self.servo_arm.open)
        self.loop = ServoLoop(self.servo_arm, made.bus.rate, lambda report: None)
        self.loop.start()

    def __enter__(self):
        until(lambda: self.loop.enable().result(5.0).accepted, "enabling")
        until(lambda: self.loop.report.state is ArmState.ENABLED, "enabled")
        self.loop.command(self.loop.report.position)
        until(lambda: self.loop.report.gate_open, "the gate")
        self.begin = self.loop.report.setpoint
        self.loop.command((-1.4, 1.4))
        until(lambda: self.loop.report.setpoint[0] < self.begin[0] - 0.05, "motion")
        return self

    def __exit__(self, *_):
        assert self.loop.stop()

    @property
    def report(self):
        return self.loop.report


def start(arm, name):
    """Make something go wrong."""
    if name == "unplug":
        arm.wire.unplug()
    elif name == "restart":
        arm.restart(1)
    elif name in ("silent", "overload"):
        arm.faults.set(name, "64" if arm.family == "pca9685" else "2")
    elif name == "late":
        arm.faults.set("late", "0.2")
    else:
        arm.faults.set(name)


def mend(arm, name):
    """Take it away again."""
    if name == "unplug":
        arm.wire.plug()
    for servo in arm.servos:
        if name == "overload" and arm.family == "dxl":
            servo.registers[70] = 0
    arm.faults.clear()


SERIAL_FAULTS = {
    "silent": "servo 2",
    "bad_checksum": "servo",
    "partial": "servo",
    "late": "servo",
    "wrong_id": "servo",
    "overload": "servo 2 reports overload",
    "restart": "servo 2 lost its torque",
    "unplug": "errno",
}
ORDINARY = {("sts", "overload"), ("dxl", "restart")}
CASES = [
    pytest.param(family, name, words, id=f"{family}-{name}",
                 marks=() if (family, name) in ORDINARY else pytest.mark.faults)
    for family in ("sts", "dxl")
    for name, words in SERIAL_FAULTS.items()
]  # fmt: skip


@pytest.mark.parametrize(("family", "name", "words"), CASES)
def test_a_lasting_fault_in_motion_stops_names_its_cause_and_comes_back_limp(
    family, name, words, tmp_path, request
):
    if name != "late":  # which is about an SDK's own patience
        request.getfixturevalue("patience")
    with emulated(family, tmp_path) as arm, Driven(arm) as driven:
        start(arm, name)
        until(lambda: driven.report.state is ArmState.FAULT, f"a fault by {name}")
        assert words in driven.report.reason, driven.report.reason
        assert arm.wire.path in driven.report.reason
        assert driven.report.position is None
        assert not driven.loop.enable().result(5.0).accepted
        mend(arm, name)
        until(lambda: driven.report.state is ArmState.LIMP, "limp again")
        until(lambda: driven.report.fresh, "a reading")
        place = [motor.output for motor in arm.motors]
        driven.loop.command((-1.4, 1.4))
        count = len(driven.loop.periods())
        until(lambda: len(driven.loop.periods()) > min(count + 20, 490), "cycles")
        assert [motor.output for motor in arm.motors] == place
        assert not any(motor.torque for motor in arm.motors)
        until(lambda: driven.loop.enable().result(5.0).accepted, "enabling")
        assert not driven.report.gate_open


@pytest.mark.parametrize("name", [pytest.param("silent", marks=pytest.mark.faults), "restart"])
def test_a_pulse_chip_that_dies_in_motion_is_a_fault_with_address(name, tmp_path):
    with emulated("pca9685", tmp_path) as arm, Driven(arm) as driven:
        start(arm, name)
        until(lambda: driven.report.state is ArmState.FAULT, f"a fault by {name}")
        assert "chip 0x40" in driven.report.reason
        if name == "silent":
            assert "errno 121" in driven.report.reason
        mend(arm, name)
        until(lambda: driven.report.state is ArmState.LIMP, "limp again")
        assert [arm.chip.pulse(k) for k in arm.ids] == [0.0, 0.0]


def driven_by_a_made_clock(folder, failing):
    """Pulses an emulated chip got in 8 s of motion, every hundredth transfer failing or none."""
    with emulated("pca9685", folder) as arm:
        made = settings("pca9685", arm.bus_block)
        servo_arm = ServoArm(make_bus(made), made, lambda level, text: None)
        patient(servo_arm.open)
        assert servo_arm.enable(0.0).accepted
        for cycle in range(1, 400):
            goal = (-1.4, 1.4) if servo_arm.report.gate_open else servo_arm.report.setpoint
            servo_arm.follow(lambda commands, goal=goal: commands.aim(goal))
            if failing and cycle % 33 == 0:  # a cycle makes three transfers
                arm.faults.burst = 1
                arm.faults.silent = {0x40}
            report = servo_arm.cycle(0.02 * cycle)
            assert not arm.faults.silent
            assert report.total_misses == 0
        assert report.state is ArmState.ENABLED
        written = list(arm.chip.written)
        servo_arm.shut_down(8.0)
        return written


def test_every_hundredth_i2c_transfer_may_fail_and_no_pulse_is_missed(tmp_path):
    (tmp_path / "fine").mkdir()
    undisturbed = driven_by_a_made_clock(tmp_path / "fine", failing=False)
    assert len(set(undisturbed)) > 30
    assert driven_by_a_made_clock(tmp_path, failing=True) == undisturbed


@pytest.mark.parametrize("family", ["sts", pytest.param("dxl", marks=pytest.mark.faults)])
def test_a_short_burst_is_counted_and_ridden_out(family, tmp_path):
    # A busy machine may be silent for longer than the servos' own watchdog has patience.
    with emulated(family, tmp_path) as arm, Driven(arm, misses=20, watchdog=2.0) as driven:
        for name in ("bad_checksum", "partial"):
            before = driven.report.total_misses
            arm.faults.burst = 2
            arm.faults.set(name)
            until(lambda before=before: driven.report.total_misses > before, name)
            until(lambda: driven.report.misses == 0, "recovery")
        assert driven.report.state is ArmState.ENABLED
        until(lambda: abs(driven.report.position[0] + 1.4) < 0.01, "the target")


@pytest.mark.faults
@pytest.mark.parametrize("family", ["sts", "dxl"])
@pytest.mark.parametrize("seed", range(3))
def test_faults_in_any_order_never_make_a_leap(family, seed, tmp_path):
    rng = random.Random(seed)
    reach = 2.0 * SPEED * 0.02 * COUNTS + 1.0
    address, size = (42, 2) if family == "sts" else (116, 4)
    with emulated(family, tmp_path) as arm, Driven(arm, misses=3) as driven:
        for _ in range(8):
            name = rng.choice([*SERIAL_FAULTS, "noise", "echo"])
            start(arm, name)
            end = rng.uniform(0.05, 0.6)
            count = [0]

            def later(count=count, end=end):
                count[0] += 1
                return count[0] * 0.002 > end

            until(later, "time")
            mend(arm, name)
            until(
                lambda: (
                    driven.report.state in (ArmState.LIMP, ArmState.ENABLED)
                    and driven.report.fresh
                ),
                f"recovery from {name}",
            )
            driven.loop.enable().result(5.0)
            if driven.report.state is ArmState.ENABLED and driven.report.position:
                driven.loop.command(driven.report.position)
            driven.loop.command((rng.uniform(-1.4, 1.4), rng.uniform(-1.4, 1.4)))
        for servo in arm.servos:
            low_high = [
                (place, int.from_bytes(data[:size], "little"))
                for place, data in list(servo.written)
                if place in (address, 40 if family == "sts" else 64)
            ]
            last = None
            for place, value in low_high:
                if place != address:
                    last = None  # torque switched: the next goal starts from a reading
                    continue
                assert 0 <= value <= 4095
                assert last is None or abs(value - last) <= reach
                last = value
