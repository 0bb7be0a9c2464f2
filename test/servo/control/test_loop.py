"""The bus thread: paced, answering, and always ended in order."""

import threading

import numpy as np
import pytest
from servo_support import settings, until

from planar_arm_ik.servo.buses.sim import SimBus
from planar_arm_ik.servo.control.loop import SHUTDOWN_TIME, ServoLoop
from planar_arm_ik.servo.control.machine import ServoArm
from planar_arm_ik.servo.control.report import ArmState
from planar_arm_ik.trajectories.trajectory import Trajectory


class CountingBus(SimBus):
    """A simulated bus that counts its last acts, and breaks when told to."""

    def __init__(self, joints, options):
        super().__init__(joints, options)
        self.relaxed = self.closed = 0
        self.break_with = None
        self.block = threading.Event()
        self.block.set()

    def read(self):
        self.block.wait()
        if self.break_with is not None:
            error, self.break_with = self.break_with, None
            raise error
        return super().read()

    def relax(self):
        self.relaxed += 1
        super().relax()

    def close(self):
        self.closed += 1


class Running:
    """A loop over a simulated arm."""

    def __init__(self, **bus):
        made = settings(bus={"rate": 200.0, "sim": {"start": (0.4, -0.3)}, **bus})
        self.bus = CountingBus(made.joints, made.bus.sim)
        self.arm = ServoArm(self.bus, made, lambda level, text: None)
        self.arm.open()
        self.bus.relaxed = 0
        self.reports, self.ended = [], []
        self.loop = ServoLoop(self.arm, 200.0, self.reports.append, self.ended.append)
        self.loop.start()

    def moving(self):
        """Enable and start a long motion."""
        assert self.loop.enable().result(5.0).accepted
        self.loop.command((0.4, -0.3))
        until(lambda: self.loop.report.gate_open, "the gate")
        self.loop.command((-1.4, 1.4))
        until(lambda: self.loop.report.setpoint[0] < 0.35, "motion")
        return self


def test_it_cycles_and_answers_requests_from_its_own_thread():
    one = Running()
    until(lambda: len(one.reports) > 20, "cycles")
    assert one.loop.relax().result(5.0).accepted
    assert one.loop.enable().result(5.0).accepted
    assert one.loop.stop()
    assert one.ended == [None]
    assert all(period > 0.0 for period in one.loop.periods())


def test_a_trajectory_shorter_than_a_cycle_arrives():
    one = Running()
    assert one.loop.enable().result(5.0).accepted
    short = Trajectory(np.array([0.0, 1e-6]), np.array([[0.4, -0.3], [0.401, -0.3]]), None)
    one.loop.play(short)
    until(lambda: one.loop.report.setpoint == (0.401, -0.3), "the end of the trajectory")
    assert one.loop.stop()


def test_the_newest_command_wins():
    one = Running()
    one.loop.enable().result(5.0)
    one.bus.block.clear()
    for k in range(50):
        one.loop.command((0.4 - 0.001 * k, -0.3))
    one.bus.block.set()
    until(lambda: one.loop.report.setpoint and one.loop.report.setpoint[0] < 0.352, "the last")
    one.loop.stop()


@pytest.mark.parametrize("how", ["relax", "hold", "rest"])
def test_stopping_twice_does_the_chosen_act_once(how):
    one = Running(on_shutdown=how).moving()
    assert one.loop.stop()
    assert one.loop.stop()
    assert one.bus.relaxed == (how != "hold")
    assert one.bus.closed == 1
    assert one.loop.report.state is ArmState.CLOSED
    assert [motor.torque for motor in one.bus.motors] == [how == "hold"] * 2


def test_stops_from_several_threads_do_it_once_too():
    one = Running().moving()
    threads = [threading.Thread(target=one.loop.stop) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert one.bus.relaxed == one.bus.closed == 1


def test_an_exception_in_the_loop_still_shuts_down_once():
    one = Running().moving()
    one.bus.break_with = ZeroDivisionError("a bug")
    until(lambda: one.ended, "the end")
    assert isinstance(one.ended[0], ZeroDivisionError)
    assert one.bus.relaxed == one.bus.closed == 1
    assert not any(motor.torque for motor in one.bus.motors)
    verdict = one.loop.enable().result(5.0)
    assert not verdict.accepted
    assert one.loop.stop()


@pytest.mark.faults
def test_a_bus_that_never_answers_does_not_hold_up_the_end():
    one = Running().moving()
    one.bus.block.clear()
    assert not one.loop.stop()
    one.bus.block.set()
    until(lambda: one.ended, "the end", SHUTDOWN_TIME)
