"""The page on new makers: its code is a whole backend, and the arm runs on it."""

import re
import sys
import types

import pytest
import yaml

pytest.importorskip("serial")

import servo_support
import servo_traps
from servo_support import bus_for, until

from places import ROOT
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.buses.bus import BusError
from planar_arm_ik.servo.control.report import ArmState
from planar_arm_ik.servo.control.session import ServoSession
from planar_arm_ik.servo.emulate import arm as emulated_arms
from planar_arm_ik.servo.settings import makers
from planar_arm_ik.servo.settings.settings import parse_settings

PAGE = (ROOT / "docs" / "new_servo.md").read_text(encoding="utf-8")
BUS, ROW, BOARD, FAMILY = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(FILE,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
PLACES = (2300, 1800)


def run(code, module):
    """Run a block of the page as the module that it would be."""
    exec(compile(code, f"docs/new_servo.md ({module.__name__})", "exec"), vars(module))


@pytest.fixture
def maker(monkeypatch):
    """The maker of the page, in every table."""
    monkeypatch.setitem(servo_support.PLACES, "demo", PLACES)
    monkeypatch.setitem(makers.MAKERS, "demo", None)
    monkeypatch.setitem(emulated_arms.FAMILIES, "demo", None)
    for room, code, row in (("buses", BUS, ROW), ("emulate", BOARD, FAMILY)):
        module = types.ModuleType(f"planar_arm_ik.servo.{room}.demo")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        run(code, module)
        run(row, types.ModuleType("row"))


@pytest.fixture
def demo(maker, tmp_path):
    """An emulated arm of the maker that runs."""
    with emulated_arms.EmulatedArm("demo", tmp_path / "arm", PLACES) as arm:
        yield arm


def page_settings(arm, **bus):
    """The settings file of the page, on the port of the emulated arm."""
    document = yaml.safe_load(FILE)
    document["bus"] |= {"port": arm.wire.path, **bus}
    return parse_settings(document)


def opened(arm):
    """A bus of the page's class that found both servos."""
    bus = bus_for(arm)
    bus.open()
    return bus


def test_the_whole_backend_has_less_than_100_lines():
    assert sum(1 for line in (BUS + ROW + BOARD + FAMILY).splitlines() if line.strip()) < 100


def test_the_arm_is_enabled_moved_and_relaxed(demo):
    made = page_settings(demo, misses=50)
    with ServoSession(made, lambda level, text: None) as session:
        assert not any(motor.torque for motor in demo.motors)
        session.enable()
        assert all(motor.torque for motor in demo.motors)
        assert [motor.goal for motor in demo.motors] == list(PLACES)
        session.move((0.3, -0.2))
        wanted = [joint.to_raw(q) for joint, q in zip(made.joints, (0.3, -0.2), strict=True)]
        assert [motor.goal for motor in demo.motors] == [round(raw) for raw in wanted]
        assert [motor.output for motor in demo.motors] == pytest.approx(wanted, abs=20.0)
        session.relax()
        assert not any(motor.torque for motor in demo.motors)


def test_an_arm_that_is_unplugged_is_a_fault_and_comes_back_limp(demo):
    said = []
    with ServoSession(page_settings(demo, misses=50), lambda *text: said.append(text)) as session:
        session.enable()
        demo.wire.unplug()
        until(lambda: session._loop.report.state is ArmState.FAULT, "the fault")
        demo.wire.plug()
        until(lambda: session._loop.report.state is ArmState.LIMP, "the bus")
    assert [level for level, _ in said] == ["error", "warning"]


@pytest.mark.usefixtures("maker")
@pytest.mark.parametrize(
    "check",
    [
        servo_traps.silent_servo_is_an_error,
        servo_traps.unplugging_is_a_bus_error_and_replugging_heals,
        servo_traps.negative_positions_keep_their_sign,
        servo_traps.a_second_program_is_refused,
    ],
    ids=lambda check: check.__name__,
)
def test_it_falls_into_no_trap_of_the_other_makers(check, tmp_path):
    check(tmp_path, "demo")


def test_opening_finds_every_servo_or_names_the_missing_one(demo):
    demo.faults.silent = {2}
    with pytest.raises(BusError, match="servo 2 answered ''"):
        opened(demo)
    demo.faults.clear()
    bus = opened(demo)
    assert bus.read() == list(PLACES)
    bus.close()


def test_half_an_answer_is_no_position(demo):
    bus = opened(demo)
    demo.faults.partial = True
    with pytest.raises(BusError, match="servo 1 answered"):
        bus.read()
    bus.close()


def test_a_servo_that_lost_its_torque_is_a_fatal_error(demo):
    bus = opened(demo)
    bus.energise(1, 1800, 500.0)
    assert bus.check(1, torque=True).torque
    demo.restart(1)
    with pytest.raises(BusError, match="servo 2 lost its torque") as caught:
        bus.check(1, torque=True)
    assert caught.value.fatal
    bus.close()


def test_every_act_on_a_closed_port_is_a_bus_error(demo):
    bus = opened(demo)
    bus.close()
    for act in (bus.read, bus.relax, lambda: bus.write([1, 1]), lambda: bus.check(0, True),
                lambda: bus.energise(0, 1, 1.0)):  # fmt: skip
        with pytest.raises(BusError, match="closed"):
            act()


def test_its_row_has_the_file_checked_for_a_port_and_for_one_turn(demo):
    with pytest.raises(PlanarArmError, match="the demo backend needs one"):
        page_settings(demo, port="")
    document = yaml.safe_load(FILE)
    document["joints"][0]["raw_max"] = 5000
    with pytest.raises(PlanarArmError, match="one turn of 0 to 4095"):
        parse_settings(document)
