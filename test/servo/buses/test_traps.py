"""Every trap of the SDKs and of the pulse chip, against emulated servos."""

import pytest
import servo_traps
from servo_support import SERIAL

pytest.importorskip("serial")

pytestmark = pytest.mark.usefixtures("patience")

ON_SERIAL = [
    servo_traps.silent_servo_is_an_error,
    servo_traps.unplugging_is_a_bus_error_and_replugging_heals,
    servo_traps.negative_positions_keep_their_sign,
    servo_traps.an_echoing_adapter_is_refused,
    servo_traps.a_second_program_is_refused,
    servo_traps.counts_that_wrap_are_small_steps,
]


@pytest.mark.parametrize("family", SERIAL)
@pytest.mark.parametrize("check", ON_SERIAL, ids=lambda check: check.__name__)
def test_trap_of_a_serial_bus(check, family, tmp_path):
    check(tmp_path, family)


def test_trap_of_the_bus_watchdog(tmp_path):
    servo_traps.a_tripped_watchdog_is_cleared_and_the_speed_limit_written_again(tmp_path)


def test_trap_of_the_pulse_chip(tmp_path):
    servo_traps.pulses_come_from_the_real_oscillator(tmp_path)


def test_a_second_program_may_not_drive_the_same_chip(tmp_path):
    servo_traps.a_second_program_is_refused(tmp_path, "pca9685")
