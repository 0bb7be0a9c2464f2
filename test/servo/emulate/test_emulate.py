"""The emulated servos against rubbish, and their faults by name."""

import random

import pytest

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.motor import Motor
from planar_arm_ik.servo.emulate.arm import EmulatedArm
from planar_arm_ik.servo.emulate.dxl import DxlBus, DxlServo, crc16
from planar_arm_ik.servo.emulate.faults import Faults
from planar_arm_ik.servo.emulate.i2c import Pca9685Chip
from planar_arm_ik.servo.emulate.sts import StsBus, StsServo


def sts_packet(*body):
    whole = [body[0], len(body), *body[1:]]
    return bytes([0xFF, 0xFF, *whole, ~sum(whole) & 0xFF])


def test_a_ping_packet_of_the_manual_is_answered_as_printed_there():
    bus = StsBus([StsServo(1)], Faults())
    rest, answers = bus.answer(bytes.fromhex("ffff010201fb"))
    assert answers == [bytes.fromhex("ffff010200fc")]
    assert rest[:2] != b"\xff\xff"


def test_the_crc_is_the_one_of_the_maker_s_example():
    packet = bytes.fromhex("fffffd0001030001")
    assert crc16(packet) == 0x4E19


@pytest.mark.parametrize("seed", range(20))
def test_rubbish_neither_crashes_the_servos_nor_moves_them(seed):
    rng = random.Random(seed)
    sts, dxl = StsServo(1), DxlServo(1)
    for bus in (StsBus([sts], Faults()), DxlBus([dxl], Faults())):
        rest = b""
        for _ in range(200):
            noise = bytes(rng.choice((0xFF, 0xFD, 0, 1, rng.randrange(256))) for _ in range(9))
            rest, _ = bus.answer((rest + noise)[-300:])
    assert not sts.motor.torque
    assert not dxl.motor.torque


def test_a_request_in_pieces_is_answered_once_it_is_whole():
    bus = StsBus([StsServo(1, position=1234)], Faults())
    rest = b""
    answers = []
    for byte in sts_packet(1, 2, 56, 2):
        rest, some = bus.answer(rest + bytes([byte]))
        answers += some
    assert len(answers) == 1
    assert int.from_bytes(answers[0][5:7], "little") == 1234


def test_locked_memory_keeps_its_id_until_it_is_unlocked():
    servo = StsServo(1)
    servo.write(5, b"\x09")
    assert (servo.id, servo.refused) == (1, 1)
    servo.write(55, b"\x00")
    servo.write(5, b"\x09")
    assert servo.id == 9


def test_a_tripped_watchdog_stops_refuses_goals_and_forgets_the_speed():
    servo = DxlServo(1, position=2000)
    servo.write(112, (100).to_bytes(4, "little"))
    servo.write(116, (3000).to_bytes(4, "little"))
    servo.write(64, b"\x01")
    servo.write(98, b"\x03")
    servo.advance(0.05)
    assert servo.motor.position > 2000
    servo.advance(0.05)
    assert servo.tripped
    place = servo.motor.position
    assert servo.write(116, (1000).to_bytes(4, "little")) != 0
    servo.advance(0.5)
    assert servo.motor.position == place
    assert servo.read(112, 4) == bytes(4)


def test_the_chip_takes_a_prescaler_only_asleep_and_increments_only_when_told():
    chip = Pca9685Chip()
    chip.transfer(0x40, False, 254, bytes([121]))
    assert chip.registers[254] == 121
    chip.transfer(0x40, False, 0, bytes([0x20]))
    chip.transfer(0x40, False, 254, bytes([30]))
    assert (chip.registers[254], chip.refused) == (121, 1)
    chip.transfer(0x40, False, 6, bytes([0, 0, 51, 1]))
    assert chip.pulse(0) == pytest.approx(307 * 4.88)
    assert chip.transfer(0x41, True, 0, bytes(1)) == (121, b"")


def test_a_motor_lags_plays_and_stays_when_limp_or_jammed():
    motor = Motor(0.0, top_speed=100.0, lag=0.1, backlash=4.0)
    motor.goal = 50.0
    motor.advance(1.0)
    assert motor.output == 0.0
    motor.torque = True
    motor.advance(0.1)
    assert 0.0 < motor.position <= 10.0
    for _ in range(100):
        motor.advance(0.1)
    assert motor.position == pytest.approx(50.0)
    assert motor.output == pytest.approx(48.0)
    motor.jammed, motor.goal = True, 0.0
    motor.advance(1.0)
    assert motor.position == pytest.approx(50.0)


def test_faults_and_families_are_refused_by_name(tmp_path):
    with pytest.raises(PlanarArmError, match="fire"):
        Faults().set("fire")
    with pytest.raises(PlanarArmError, match="number"):
        Faults().set("silent", "all")
    with pytest.raises(PlanarArmError, match="lego"):
        EmulatedArm("lego", tmp_path / "arm")
