"""Each guard of the eight traps is broken on purpose: its check must fail then."""

import pytest
import servo_traps as traps

from planar_arm_ik.servo.buses import dynamixel, feetech, pca9685, serial_port, serial_servos
from planar_arm_ik.servo.buses.dynamixel import DynamixelBus
from planar_arm_ik.servo.buses.feetech import FeetechBus
from planar_arm_ik.servo.buses.pca9685 import Pca9685Bus
from planar_arm_ik.servo.control.axes import Axes

pytest.importorskip("serial")
pytestmark = pytest.mark.faults


def nothing(*_, **__):
    return None


def without_writing(register, when=lambda value: True):
    real = DynamixelBus._write

    def write(self, servo, address, value, size=1):
        if address != register or not when(value):
            real(self, servo, address, value, size)

    return write


def one_port_for_ever():
    real, kept = serial_port.exclusive_port, {}

    def port(sdk, path, baud):
        if path not in kept:
            kept[path] = real(sdk, path, baud)
        return kept[path]

    return port


def wake_before_the_prescaler(self):
    self._write(0, [0x20])
    self._prescale = self._wanted
    self._write(254, [self._prescale])


def unsigned(data):
    return int.from_bytes(bytes(data), "little")


def shared(*arguments, **options):
    import serial

    options.pop("exclusive")
    return serial.Serial(*arguments, **options)


def unlocked(path, baudrate):
    return shared(port=path, baudrate=baudrate, bytesize=8, timeout=0.001, exclusive=True)


NOT_TERMIOS = (OSError, IndexError)

MUTATIONS = [
    ("1 codes, dxl", traps.silent_servo_is_an_error, "dxl", DynamixelBus, "_check", nothing),
    ("1 table, sts", traps.silent_servo_is_an_error, "sts", FeetechBus, "_forget_answers",
     nothing),
    ("2 errors, sts", traps.unplugging_is_a_bus_error_and_replugging_heals, "sts", serial_port,
     "_WIRE_FAULTS", NOT_TERMIOS),
    ("2 errors, dxl", traps.unplugging_is_a_bus_error_and_replugging_heals, "dxl", serial_port,
     "_WIRE_FAULTS", NOT_TERMIOS),
    ("2 new port, sts", traps.unplugging_is_a_bus_error_and_replugging_heals, "sts", serial_servos,
     "exclusive_port", one_port_for_ever),
    ("3 sign, dxl", traps.negative_positions_keep_their_sign, "dxl", dynamixel, "_signed",
     unsigned),
    ("3 sign, sts", traps.negative_positions_keep_their_sign, "sts", feetech, "_SIGN_BIT", 31),
    ("4 echo, sts", traps.an_echoing_adapter_is_refused, "sts", serial_servos, "refuse_echo",
     nothing),
    ("4 echo, dxl", traps.an_echoing_adapter_is_refused, "dxl", serial_servos, "refuse_echo",
     nothing),
    ("5 trip", traps.a_tripped_watchdog_is_cleared_and_the_speed_limit_written_again, None,
     DynamixelBus, "_write", without_writing(98, lambda value: value == 0)),
    ("5 limit", traps.a_tripped_watchdog_is_cleared_and_the_speed_limit_written_again, None,
     DynamixelBus, "_write", without_writing(112)),
    ("6 lock, sts", traps.a_second_program_is_refused, "sts", serial_port, "open_exclusive",
     unlocked),
    ("6 lock, dxl", traps.a_second_program_is_refused, "dxl", serial_port, "open_exclusive",
     unlocked),
    ("7 wrap, sts", traps.counts_that_wrap_are_small_steps, "sts", Axes, "_unwrap",
     lambda self, joint, ticks: ticks % 4096),
    ("7 wrap, dxl", traps.counts_that_wrap_are_small_steps, "dxl", Axes, "_unwrap",
     lambda self, joint, ticks: ticks % 4096),
    ("8 oscillator", traps.pulses_come_from_the_real_oscillator, None, Pca9685Bus, "resolution",
     property(lambda self: 1e6 * (self._prescale + 1) / 25.0e6)),
    ("8 rounding", traps.pulses_come_from_the_real_oscillator, None, Pca9685Bus, "resolution",
     property(lambda self: 1e6 / (50.0 * 4096))),
    ("8 asleep", traps.pulses_come_from_the_real_oscillator, None, Pca9685Bus, "_set_up",
     wake_before_the_prescaler),
    ("8 block", traps.pulses_come_from_the_real_oscillator, None, pca9685, "_AUTO_INCREMENT", 0),
    ("8 full off", traps.pulses_come_from_the_real_oscillator, None, Pca9685Bus, "relax", nothing),
    ("8 power", traps.pulses_come_from_the_real_oscillator, None, Pca9685Bus, "_require_awake",
     nothing),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "family", "place", "name", "broken"),
    [mutation[1:] for mutation in MUTATIONS],
    ids=[mutation[0] for mutation in MUTATIONS],
)
def test_a_broken_guard_is_caught(check, family, place, name, broken, tmp_path, monkeypatch):
    monkeypatch.setattr(place, name, broken() if broken is one_port_for_ever else broken)
    arguments = (tmp_path,) if family is None else (tmp_path, family)
    with pytest.raises((Exception, pytest.fail.Exception)) as caught:
        check(*arguments)
    print(f"{check.__name__}: {type(caught.value).__name__}: {str(caught.value)[:100]}")
