"""The state machine: limp, enabled, fault, and the ways between, on a clock the test turns."""

import math
import random

import numpy as np
import pytest
from servo_support import SPEED, Rig, settings

from made_clock import MadeClock
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.buses.pca9685 import Pca9685Bus
from planar_arm_ik.servo.buses.sim import SimBus
from planar_arm_ik.servo.control.report import ArmState
from planar_arm_ik.servo.emulate.i2c import Pca9685Chip
from planar_arm_ik.trajectories.trajectory import Trajectory

START = (0.4, -0.3)


class DirectBus:
    """smbus2's calls straight into the emulated chip, without a wire between."""

    def __init__(self, chip):
        self._chip = chip

    def read_byte_data(self, chip, register):
        return self.read_i2c_block_data(chip, register, 1)[0]

    def read_i2c_block_data(self, chip, register, length):
        return list(self._chip.transfer(chip, True, register, bytes(length))[1])

    def write_byte_data(self, chip, register, value):
        self._chip.transfer(chip, False, register, bytes([value]))

    def write_i2c_block_data(self, chip, register, data):
        self._chip.transfer(chip, False, register, bytes(data))

    def close(self):
        pass


class BreakableBus(SimBus):
    """The simulated bus, with a list of errors to raise and a record of what is sent."""

    def __init__(self, joints, options, clock):
        super().__init__(joints, options, clock)
        self.errors = []
        self.calls = []

    def _note(self, *call):
        self.calls.append(call)
        if self.errors:
            error = self.errors.pop(0)
            if error is not None:
                raise error

    def open(self):
        self._note("open")

    def close(self):
        self.calls.append(("close",))

    def read(self):
        self._note("read")
        return super().read()

    def energise(self, joint, ticks, speed):
        self._note("energise", joint, ticks, speed)
        super().energise(joint, ticks, speed)

    def write(self, ticks):
        self._note("write", *ticks)
        super().write(ticks)

    def relax(self):
        self._note("relax")
        super().relax()

    def check(self, joint, torque):
        if self.calls and self.calls[-1] == ("close",):
            raise lost(fatal=True)
        return super().check(joint, torque)

    def sent(self, name):
        return [call[1:] for call in self.calls if call[0] == name]


def rig(bus=None, **joint):
    made = settings(bus={"sim": {"start": START}, **(bus or {})}, **joint)
    clock = MadeClock(0.0)
    return Rig(made, BreakableBus(made.joints, made.bus.sim, clock), clock)


def lost(fatal=False):
    return BusError("wire", "servo 2 did not answer", fatal=fatal)


def test_it_starts_limp_reads_and_sends_nothing():
    one = rig()
    one.arm.open()
    one.cycle(50)
    assert one.report.state is ArmState.LIMP
    assert one.report.fresh
    assert one.report.position == pytest.approx(START, abs=0.002)
    assert not one.bus.sent("write")
    assert not one.bus.sent("energise")
    assert not any(motor.torque for motor in one.bus.motors)


def test_commands_while_limp_are_ignored_and_do_not_act_after_enabling():
    one = rig()
    one.arm.open()
    one.cycle()
    assert not one.aim(*START).accepted
    one.arm.enable(one.now)
    one.cycle(20)
    assert not one.bus.sent("write")
    assert not one.report.gate_open


def test_the_first_goal_is_the_present_position_before_torque():
    one = rig().enabled()
    ticks = tuple(round(motor.output) for motor in one.bus.motors)
    assert [call[1] for call in one.bus.sent("energise")] == list(ticks)
    one.cycle(20)
    assert one.report.state is ArmState.ENABLED
    assert not one.bus.sent("write")
    assert tuple(round(motor.output) for motor in one.bus.motors) == ticks


def test_every_enable_writes_the_speed_limit_anew():
    one = rig().enabled()
    one.arm.relax(one.now)
    one.arm.enable(one.now)
    speeds = [speed for _, _, speed in one.bus.sent("energise")]
    assert len(speeds) == 4
    assert all(speed == pytest.approx(1.5 * SPEED * 651.8986, rel=1e-4) for speed in speeds)


def test_enabling_outside_the_limits_is_refused_with_the_angle():
    one = rig()
    one.bus.motors[1].place(2048 + 1200)
    one.arm.open()
    one.cycle()
    verdict = one.arm.enable(one.now)
    assert not verdict.accepted
    assert "joint2 is at 1.84" in verdict.message
    assert not one.bus.sent("energise")


def test_it_moves_no_faster_than_allowed_and_arrives():
    one = rig().enabled()
    one.aim(*START)
    one.aim(-1.0, 1.0)
    last = [round(motor.output) for motor in one.bus.motors]
    reach = SPEED * one.period * 651.8986
    for _ in range(300):
        one.cycle()
        for goals in one.bus.sent("write")[-1:]:
            for old, new in zip(last, goals, strict=True):
                assert abs(new - old) <= reach + 1.0
            last = list(goals)
    assert one.report.position == pytest.approx((-1.0, 1.0), abs=0.002)


def test_a_late_cycle_does_not_leap():
    one = rig().enabled()
    one.aim(*START)
    one.aim(-1.0, 1.0)
    one.cycle(5)
    before = one.report.setpoint
    one.cycle(1, dt=3.0)
    moved = max(abs(a - b) for a, b in zip(one.report.setpoint, before, strict=True))
    assert moved <= 2.0 * SPEED * one.period + 1e-9


def test_ticks_stay_inside_their_hard_range_whatever_comes_in():
    rng = random.Random(4)
    one = rig(raw_min=1000, raw_max=3100, hysteresis=40.0).enabled()
    one.aim(*START)
    for _ in range(800):
        kind = rng.random()
        wild = [rng.choice((rng.uniform(-99, 99), math.nan, math.inf, 1e308)) for _ in range(2)]
        if kind < 0.4:
            one.aim(*wild)
        elif kind < 0.5 and one.report.position:
            one.aim(*one.report.position)
        elif kind < 0.6:
            one.arm.relax(one.now)
        elif kind < 0.8:
            one.arm.enable(one.now)
        one.cycle(dt=rng.choice((0.0, 0.02, 0.5)))
    goals = [tick for goals in one.bus.sent("write") for tick in goals]
    assert goals
    assert all(1000 <= tick <= 3100 for tick in goals)


def test_nothing_is_written_while_the_change_is_under_a_count():
    one = rig().enabled()
    one.aim(*START)
    one.cycle(10)
    count = len(one.bus.sent("write"))
    one.aim(START[0] + 2e-4, START[1])
    one.cycle(50)
    assert len(one.bus.sent("write")) <= count + 1


def test_silence_is_not_loss():
    one = rig().enabled()
    one.aim(*START)
    one.cycle(1000)
    assert one.report.state is ArmState.ENABLED
    assert one.report.gate_open


def test_a_bad_command_is_said_once_per_enabling():
    one = rig().enabled()
    for _ in range(50):
        one.aim(math.nan, 0.0)
        one.aim(5.0, 5.0)
        one.cycle()
    assert len(one.said) == 2
    one.arm.relax(one.now)
    one.arm.enable(one.now)
    one.aim(math.nan, 0.0)
    assert len(one.said) == 3


def test_after_relaxing_by_hand_moved_arms_hold_until_a_command_comes_near():
    one = rig().enabled()
    one.aim(*START)
    one.cycle(5)
    one.arm.relax(one.now)
    for motor, place in zip(one.bus.motors, (1500, 2500), strict=True):
        motor.place(place)
    one.cycle(5)
    one.arm.enable(one.now)
    for _ in range(30):
        one.aim(*START)
        one.cycle()
    assert [round(motor.output) for motor in one.bus.motors] == [1500, 2500]
    one.aim(*one.report.position)
    one.aim(*START)
    one.cycle(300)
    assert one.report.position == pytest.approx(START, abs=0.002)


def test_one_bad_cycle_keeps_the_last_state_without_stamping_it_new():
    one = rig().enabled()
    before = one.report.position
    one.bus.errors = [lost()]
    one.cycle()
    assert one.report.state is ArmState.ENABLED
    assert one.report.position == before
    assert not one.report.fresh
    assert one.report.misses == 1
    one.cycle()
    assert one.report.fresh
    assert one.report.misses == 0
    assert one.report.total_misses == 1


def test_misses_in_a_row_are_a_fault_that_lets_go_and_closes():
    one = rig().enabled()
    one.aim(*START)
    one.bus.errors = [lost()] * 5
    one.cycle(5)
    assert one.report.state is ArmState.FAULT
    assert one.report.position is None
    assert not one.report.gate_open
    assert "servo 2" in one.report.reason
    assert one.bus.calls[-2:] == [("relax",), ("close",)]
    assert one.said[-1][0] == "error"
    assert not one.arm.enable(one.now).accepted


def test_a_lost_device_is_a_fault_at_once():
    one = rig().enabled()
    one.bus.errors = [lost(fatal=True)]
    one.cycle()
    assert one.report.state is ArmState.FAULT


def test_it_reopens_every_second_but_comes_back_limp():
    one = rig().enabled()
    one.aim(*START)
    one.bus.errors = [lost(fatal=True), None, lost(), lost(), lost()]
    one.cycle()
    one.cycle(230)
    assert one.report.state is ArmState.LIMP
    assert one.bus.sent("open") == [()] * 5
    assert not any(motor.torque for motor in one.bus.motors)
    assert not one.aim(*START).accepted
    one.arm.enable(one.now)
    assert not one.report.gate_open


def test_an_error_while_enabling_is_a_fault_with_its_reason():
    one = rig()
    one.arm.open()
    one.bus.errors = [None, lost(), lost(), lost()]
    verdict = one.arm.enable(one.now)
    assert not verdict.accepted
    assert "did not answer" in verdict.message
    assert one.report.state is ArmState.FAULT


def test_one_lost_answer_while_enabling_is_tried_again():
    one = rig()
    one.arm.open()
    one.bus.errors = [lost(), lost(), None, lost()]
    assert one.arm.enable(one.now).accepted
    assert one.arm.report.state is ArmState.ENABLED


def trajectory(q, times=(0.0, 1.0), velocity=True):
    q = np.array(q, dtype=float)
    return Trajectory(np.array(times), q, np.zeros_like(q) if velocity else None)


def play(one, *arguments, start=None):
    begin = one.now if start is None else start
    return one.arm.follow(lambda c: c.play(trajectory(*arguments), begin, one.now))


def test_a_trajectory_that_starts_at_the_arm_is_played():
    one = rig().enabled()
    assert play(one, [START, (0.7, 0.1)]).accepted
    one.cycle(25)
    middle = one.report.setpoint
    assert middle[0] == pytest.approx(0.55, abs=0.02)
    one.cycle(40)
    assert one.report.position == pytest.approx((0.7, 0.1), abs=0.002)


def test_a_trajectory_far_from_the_arm_is_refused_unless_it_leaves_time():
    one = rig().enabled()
    assert not play(one, [(-0.5, -0.3), (0.7, 0.1)]).accepted
    one.cycle(20)
    assert not one.bus.sent("write")
    assert play(one, [(1.0, -0.3)], (1.0,), False).accepted
    one.cycle(60)
    assert one.report.position == pytest.approx((1.0, -0.3), abs=0.002)


def test_a_stream_of_points_ahead_is_followed_smoothly():
    one = rig().enabled()
    speeds = []
    for k in range(100):
        q = START[0] + 0.5 * (one.now + 0.03 - 0.02)
        play(one, [(q, START[1])], (0.03,), False)
        before = one.report.setpoint
        one.cycle()
        if k > 10:
            speeds.append((one.report.setpoint[0] - before[0]) / one.period)
    assert np.ptp(speeds) < 0.1
    assert np.mean(speeds) == pytest.approx(0.5, rel=0.05)


def test_a_trajectory_in_the_future_waits_and_one_in_the_past_is_refused():
    one = rig().enabled()
    play(one, [START, (0.7, 0.1)], start=one.now + 0.5)
    one.cycle(20)
    assert not one.bus.sent("write")
    one.cycle(80)
    assert one.report.position == pytest.approx((0.7, 0.1), abs=0.002)
    late = play(one, [(0.7, 0.1), (0.4, 0.1)], start=one.now - 10.0)
    assert not late.accepted
    assert "9.000 s before" in late.message


@pytest.mark.parametrize("cycles", range(15, 29))
@pytest.mark.parametrize("how", ["relax", "hold", "rest"])
def test_the_chosen_shutdown_happens_once_and_in_time(how, cycles):
    one = rig(bus={"on_shutdown": how}, rest=0.2).enabled()
    one.aim(*START)
    one.aim(1.0, 1.0)
    one.cycle(cycles)
    begin, last = one.now, one.report.setpoint
    relaxed = len(one.bus.sent("relax"))
    one.arm.shut_down(one.now)
    one.arm.shut_down(one.now)
    while one.report.state is not ArmState.CLOSED:
        one.cycle()
        one.arm.shut_down(one.now)
        step = max(abs(a - b) for a, b in zip(one.report.setpoint, last, strict=True))
        assert step <= SPEED * one.period + 1e-9
        last = one.report.setpoint
    one.cycle(10)
    assert one.now - begin < 3.0
    assert len(one.bus.sent("relax")) - relaxed == (how != "hold")
    assert one.bus.sent("close") == [()]
    if how == "rest":
        assert last == pytest.approx((0.2, 0.2))


def test_shutting_down_a_limp_arm_closes_at_once():
    one = rig()
    one.arm.open()
    one.arm.shut_down(one.now)
    assert one.report.state is ArmState.CLOSED


def test_a_dark_arm_shut_down_while_it_comes_up_starts_no_further_pulse():
    made = settings("pca9685", {"backend": "pca9685"})
    chip = Pca9685Chip()
    chip.motors = {}
    one = Rig(made, Pca9685Bus(made.joints))
    one.bus.open = lambda: setattr(one.bus, "_smbus", DirectBus(chip)) or one.bus._set_up()
    one.enabled()
    one.cycle(2)
    assert [chip.pulse(channel) > 0.0 for channel in (1, 2)] == [True, False]
    one.arm.shut_down(one.now)
    assert one.report.state is ArmState.CLOSED
    assert [chip.pulse(channel) for channel in (1, 2)] == [0.0, 0.0]
    assert [data for register, data in chip.written if register == 14] == []


def test_a_warm_chip_is_adopted_as_it_is(tmp_path):
    made = settings("pca9685", {"backend": "pca9685"})
    chip = Pca9685Chip()
    chip.registers[0], chip.registers[254] = 0x20, 121
    for channel, counts in ((1, 330), (2, 290)):
        chip.registers[6 + 4 * channel : 10 + 4 * channel] = bytes([0, 0, counts % 256, 1])
    one = Rig(made, Pca9685Bus(made.joints))
    one.bus._smbus = DirectBus(chip)
    one.bus.open = lambda: setattr(one.bus, "_prescale", one.bus._read(254))
    before = [chip.pulse(channel) for channel in (1, 2)]
    one.enabled()
    one.cycle(10)
    assert one.report.state is ArmState.ENABLED
    assert [chip.pulse(channel) for channel in (1, 2)] == before
    assert chip.registers[254] == 121
    assert not one.report.measured


def test_a_reading_across_the_encoder_s_end_is_a_small_step():
    one = rig(zero=3000)
    one.bus.turn = 4096
    one.bus.motors[0].place(4090)
    one.bus.motors[1].place(3000)
    one.arm.open()
    before = one.report.position[0]
    one.bus.motors[0].place(5)
    one.cycle()
    assert one.report.position[0] - before == pytest.approx(11 / 651.8986, rel=1e-3)
