"""The eight traps of the servo SDKs and chips: one check each, run against emulated servos.

``test/servo/buses/test_traps.py`` runs every check, ``test_mutations.py`` breaks the guard each of
them needs and demands that the check fails.
"""

from __future__ import annotations

import pytest
from servo_support import Rig, bus_for, emulated, patient, settings, until

from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.control.report import ArmState
from planar_arm_ik.servo.settings.backends import make_bus


def fails_naming(bus, servo):
    """Every read must fail; on a busy machine the other servo may be late at first."""
    for _ in range(10):
        with pytest.raises(BusError) as caught:
            bus.read()
        if f"servo {servo} " in str(caught.value):
            return
    pytest.fail(f"no error names servo {servo}")


def silent_servo_is_an_error(folder, family):
    """1: a failed read gives position 0 beside its code, or the last answer again."""
    with emulated(family, folder) as arm:
        bus = bus_for(arm)
        patient(bus.open)
        assert patient(bus.read) == [2300, 1800]
        for silent in (1, 2):
            arm.faults.silent = {silent}
            fails_naming(bus, silent)
        arm.faults.silent = {1, 2}
        fails_naming(bus, 1)
        arm.faults.clear()
        assert patient(bus.read) == [2300, 1800]
        bus.close()


def unplugging_is_a_bus_error_and_replugging_heals(folder, family):
    """2: termios.error is no OSError, and the old port object says busy for ever."""
    with emulated(family, folder) as arm:
        bus = bus_for(arm)
        patient(bus.open)
        arm.wire.unplug()
        with pytest.raises(BusError) as caught:
            bus.read()
        assert caught.value.fatal
        assert caught.value.address == arm.wire.path
        with pytest.raises(BusError, match="cannot open"):
            bus.open()
        arm.wire.plug()
        patient(bus.open)
        assert patient(bus.read) == [2300, 1800]
        bus.close()


def negative_positions_keep_their_sign(folder, family):
    """3: unsigned in the one SDK, sign and magnitude in the other protocol."""
    with emulated(family, folder, positions=(-500, 1800)) as arm:
        bus = bus_for(arm)
        patient(bus.open)
        assert patient(bus.read) == [-500, 1800]
        bus.close()


def an_echoing_adapter_is_refused(folder, family):
    """4: with an echo, reads succeed with a wrong position."""
    with emulated(family, folder) as arm:
        arm.faults.echo = True
        bus = bus_for(arm)
        with pytest.raises(BusError, match="echoes"):
            bus.open()
        arm.faults.echo = False
        patient(bus.open)
        bus.close()


def a_tripped_watchdog_is_cleared_and_the_speed_limit_written_again(folder):
    """5: after a trip goals are refused, and the speed limit is 0, which means none."""
    with emulated("dxl", folder) as arm:
        one = Rig(settings("dxl", {**arm.bus_block, "watchdog": 0.06}), bus_for(arm))
        one.enabled()
        until(lambda: all(servo.tripped for servo in arm.servos), "the watchdogs")
        one.cycle(1, dt=0.5)
        assert one.report.state is ArmState.FAULT
        assert "watchdog" in one.report.reason
        one.cycle(1, dt=1.1)
        assert one.arm.enable(one.now).accepted
        for servo in arm.servos:
            assert not servo.tripped
            assert servo.motor.speed > 0.0
            assert servo.motor.torque
        one.bus.close()


def a_second_program_is_refused(folder, family):
    """6: the SDKs do not lock the port."""
    with emulated(family, folder) as arm:
        first, second = bus_for(arm), bus_for(arm)
        first.open()
        with pytest.raises(BusError, match="another program"):
            second.open()
        assert first.read() == [2300, 1800] or family == "pca9685"
        first.close()
        second.open()
        second.close()


def counts_that_wrap_are_small_steps(folder, family):
    """7: 4090 to 5 is 11 counts; and no offset is written into the servo's memory."""
    with emulated(family, folder, positions=(4090, 3000)) as arm:
        made = settings(family, arm.bus_block, zero=3000, upper=1.675)
        one = Rig(made, make_bus(made))
        one.enabled()
        before = one.report.position[0]
        arm.motors[0].place(4096 + 5)
        arm.motors[0].torque = False
        patient(one.arm._measure)
        step = one.report.position[0] - before
        assert step == pytest.approx(11.0 / 651.8986, rel=1e-3)
        one.arm.shut_down(one.now)
        one.cycle(20)
        lowest = 40 if family == "sts" else 64
        assert all(address >= lowest for servo in arm.servos for address, _ in servo.written)


def pulses_come_from_the_real_oscillator(folder):
    """8: 24 to 27 MHz instead of 25; the prescaler is rounded; it is written only asleep."""
    for real in (26.075e6, 24.06e6):
        with emulated("pca9685", folder, oscillator_hz=real) as arm:
            assert arm.chip is not None
            made = settings("pca9685", {**arm.bus_block, "oscillator_hz": real})
            one = Rig(made, make_bus(made))
            one.enabled()
            assert arm.chip.refused == 0
            for _ in range(5):
                one.cycle(1, dt=1.1)
            one.aim(0.0, 0.0)
            for target in (0.0, 0.5, -0.7):
                one.aim(target, target)
                one.cycle(100)
                wanted = 1500.0 + 636.6 * target
                for channel in (1, 2):
                    assert arm.chip.pulse(channel) == pytest.approx(wanted, abs=2.5)
            one.arm.relax(one.now)
            for channel in (1, 2):
                assert arm.chip.registers[9 + 4 * channel] & 0x10
            arm.chip.restart()
            one.cycle(1)
            assert one.report.state is ArmState.FAULT
            assert "lost its power" in one.report.reason
            one.bus.close()
