"""What each bus does at the level of the wire, and what it says when a package is missing."""

import sys
import types

import pytest

pytest.importorskip("serial")

from servo_support import SERIAL, bus_for, emulated, patient, settings

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses import dynamixel, feetech, smbus
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.buses.pca9685 import Pca9685Bus, prescale_for
from planar_arm_ik.servo.settings.backends import make_bus

pytestmark = pytest.mark.usefixtures("patience")


@pytest.mark.parametrize("family", SERIAL)
def test_speed_and_goal_come_before_torque(family, tmp_path):
    with emulated(family, tmp_path) as arm:
        bus = bus_for(arm)
        patient(bus.open)
        bus.energise(0, 2300, 500.0)
        order = [address for address, _ in arm.servos[0].written]
        assert order == ([46, 42, 40] if family == "sts" else [98, 112, 116, 64])
        assert arm.motors[0].goal == 2300
        assert arm.motors[0].torque
        assert not arm.motors[1].torque
        assert arm.motors[0].speed == pytest.approx(500.0, rel=0.02)
        bus.close()


@pytest.mark.parametrize("family", SERIAL)
def test_goals_and_positions_keep_their_order_and_sign(family, tmp_path):
    with emulated(family, tmp_path, positions=(1000, 3000)) as arm:
        bus = bus_for(arm)
        patient(bus.open)
        for k, place in enumerate((1000, 3000)):
            bus.energise(k, place, 1e6)
        bus.write([1100, 2900])
        assert patient(bus.read) is not None
        assert [motor.goal for motor in arm.motors] == [1100, 2900]
        bus.relax()
        assert not any(motor.torque for motor in arm.motors)
        bus.close()


@pytest.mark.parametrize("family", SERIAL)
def test_a_swapped_servo_is_refused_with_both_models(family, tmp_path):
    with emulated(family, tmp_path) as arm:
        with pytest.raises(BusError, match="made with model 4711"):
            bus_for(arm, model=4711).open()
        bus = bus_for(arm, model=777 if family == "sts" else 1200)
        patient(bus.open)
        bus.close()


@pytest.mark.parametrize("family", SERIAL)
def test_a_servo_in_wheel_mode_is_refused(family, tmp_path):
    with emulated(family, tmp_path) as arm:
        if family == "sts":
            arm.servos[1].registers[33] = 1
        else:
            arm.servos[1].registers[11] = 1
        with pytest.raises(BusError, match="servo 2 of joint2 is in mode 1"):
            bus_for(arm).open()


@pytest.mark.parametrize("family", SERIAL)
def test_every_act_on_a_closed_port_is_a_bus_error(family, tmp_path):
    with emulated(family, tmp_path) as arm:
        bus = bus_for(arm)
        bus.close()
        for act in (bus.read, bus.relax, lambda: bus.write([1, 1]), lambda: bus.check(0, True),
                    lambda: bus.energise(0, 1, 1.0)):  # fmt: skip
            with pytest.raises(BusError, match="closed"):
                act()


def test_health_says_voltage_temperature_and_torque(tmp_path):
    with emulated("sts", tmp_path) as arm:
        bus = bus_for(arm)
        patient(bus.open)
        health = bus.check(0, torque=False)
        assert (round(health.voltage, 1), health.temperature, health.torque) == (12.1, 31.0, False)
        with pytest.raises(BusError, match="lost its torque"):
            bus.check(0, torque=True)
        bus.close()


def test_an_unknown_baud_is_refused(tmp_path):
    with emulated("sts", tmp_path) as arm:
        made = settings("sts", {**arm.bus_block, "baud": 12345})
        with pytest.raises(PlanarArmError, match="12345"):
            make_bus(made).open()


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [(feetech, "scservo_sdk", "feetech"), (dynamixel, "dynamixel_sdk", "dynamixel")],
)
def test_a_missing_sdk_is_answered_with_the_line_to_install_it(module, name, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PlanarArmError, match=rf"pip install 'planar_arm_ik\[{extra}\]'"):
        module.load_sdk()


def test_the_older_feetech_package_is_recognised(monkeypatch):
    monkeypatch.setitem(sys.modules, "scservo_sdk", types.ModuleType("scservo_sdk"))
    with pytest.raises(PlanarArmError, match="pip uninstall feetech-servo-sdk"):
        feetech.load_sdk()


def test_missing_smbus_is_answered_with_the_line_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "smbus2", None)
    with pytest.raises(PlanarArmError, match="pca9685"):
        smbus.open_smbus(1, "bus")


def test_the_prescaler_is_rounded_and_the_real_frequency_used():
    assert prescale_for(25.0e6, 50.0) == 121
    bus = Pca9685Bus(settings("pca9685").joints)
    assert 1e6 / (4096 * bus.resolution) == pytest.approx(50.03, abs=0.01)
    assert bus.resolution == pytest.approx(4.88)
    with pytest.raises(PlanarArmError, match="prescale"):
        prescale_for(25.0e6, 2000.0)


def test_a_missing_i2c_bus_is_one_sentence():
    with pytest.raises(BusError, match="errno 2") as caught:
        Pca9685Bus(settings("pca9685").joints, bus="/dev/i2c-none").open()
    assert "raspi-config" in caught.value.hint


def test_a_chip_that_is_awake_keeps_prescaler_sleep_and_pulses(tmp_path):
    with emulated("pca9685", tmp_path) as arm:
        bus = bus_for(arm)
        bus.open()
        assert bus.read() is None
        bus.energise(0, 310, 1.0)
        bus.energise(1, 320, 1.0)
        bus.close()
        arm.chip.written.clear()
        again = bus_for(arm)
        again.open()
        assert again.read() == [310, 320]
        assert not arm.chip.written
        again.close()


def test_neighbouring_channels_change_in_one_write_and_others_are_left_alone(tmp_path):
    with emulated("pca9685", tmp_path) as arm:
        bus = bus_for(arm)
        bus.open()
        arm.chip.registers[6:10] = bytes([0, 0, 9, 1])
        arm.chip.written.clear()
        bus.write([300, 310])
        assert [register for register, _ in arm.chip.written] == [10]
        bus.relax()
        assert len(arm.chip.written) == 2
        assert bytes(arm.chip.registers[6:10]) == bytes([0, 0, 9, 1])
        bus.close()


def test_channels_apart_are_written_apart(tmp_path):
    with emulated("pca9685", tmp_path, ids=(1, 5)) as arm:
        made = settings("pca9685", arm.bus_block)
        joints = [made.joints[0], type(made.joints[1])(**{**vars(made.joints[1]), "id": 5})]
        bus = Pca9685Bus(joints, arm.bus_block["i2c_bus"])
        bus.open()
        bus.write([300, 310])
        assert [arm.chip.pulse(k) > 0 for k in (1, 2, 3, 4, 5)] == [True] + [False] * 3 + [True]
        bus.close()


def test_a_transfer_that_fails_twice_succeeds_the_third_time(tmp_path):
    with emulated("pca9685", tmp_path) as arm:
        bus = bus_for(arm)
        bus.open()
        arm.faults.burst, arm.faults.silent = 2, {0x40}
        bus.write([300, 310])
        assert arm.chip.pulse(1) > 0
        arm.faults.silent = {0x40}
        with pytest.raises(BusError, match="errno 121"):
            bus.write([300, 310])
        arm.faults.clear()
        bus.close()


def test_a_bus_with_a_long_path_is_not_taken_for_a_busy_one(tmp_path):
    with emulated("pca9685", tmp_path) as arm:
        bus = bus_for(arm)
        joints = settings(arm.family, arm.bus_block).joints
    far = Pca9685Bus(joints, f"/nowhere/{'x' * 200}")
    with pytest.raises(BusError) as caught:
        far.open()
    assert "another program" not in str(caught.value)
    assert bus.address != far.address
