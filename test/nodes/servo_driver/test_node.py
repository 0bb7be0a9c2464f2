"""The driver over real DDS: emulated servos, a stand-in for ros2_control, faults, ends."""

import json
import math
import signal
import subprocess
import sys
import time
from itertools import pairwise

import pytest

pytest.importorskip("rclpy")
pytest.importorskip("serial")
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from sensor_msgs.msg import JointState
from servo_support import PLACES, SPEED, emulated, joint_blocks
from std_srvs.srv import SetBool, Trigger
from topic_system import TopicSystem
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from ros_support import DEADLINE, nodes, peer, start

HARDWARE = {"sts": "feetech", "dxl": "dynamixel", "pca9685": "pca9685"}
COUNTS = 651.8986
REACH = 2.0 * SPEED * 0.02 * COUNTS + 1.0


def options(arm, folder, **bus):
    """Arguments of a driver on an emulated arm."""
    file = folder / "servo.yaml"
    file.write_text(
        json.dumps(
            {"bus": {**arm.bus_block, "watchdog": 2.0, **bus}, "joints": joint_blocks(arm.family)}
        )
    )
    return ["-p", f"hardware:={HARDWARE[arm.family]}", "-p", f"calibration:={file}"]


def enable(client, on=True):
    """Ask for torque; again when a busy machine let an emulated servo answer too late."""
    for _ in range(8):
        answer = client.call(SetBool, "servo_driver/enable", SetBool.Request(data=on))
        if answer.success or not ("not answer" in answer.message and on):
            break
        end = time.monotonic() + 1.2
        client.until(lambda end=end: time.monotonic() > end, "the bus to be opened again")
    return answer


def point(q, seconds, names=("joint1", "joint2")):
    message = JointTrajectory(joint_names=list(names))
    ahead = JointTrajectoryPoint(positions=list(q))
    ahead.time_from_start.sec = int(seconds)
    ahead.time_from_start.nanosec = int(1e9 * (seconds - int(seconds)))
    message.points = [ahead]
    return message


def goals(arm):
    """Goals that reached each servo [ticks], in order."""
    address, size = (42, 2) if arm.family == "sts" else (116, 4)
    return [
        [int.from_bytes(data, "little") for place, data in list(servo.written)
         if place == address and len(data) == size]
        for servo in arm.servos
    ]  # fmt: skip


def largest_step(arm, first):
    """Largest difference between consecutive goals of any servo [ticks]."""
    steps = [0.0]
    for k, values in enumerate(goals(arm)):
        ordered = [first[k], *values]
        steps += [abs(b - a) for a, b in pairwise(ordered)]
    return max(steps)


@pytest.fixture
def client():
    with peer() as made:
        yield made


class Driven:
    """What the tests see of a driver."""

    def __init__(self, client, topic="joint_states"):
        self.client = client
        self.states = client.collect(JointState, topic)
        self.diagnostics = client.collect(DiagnosticArray, "/diagnostics")
        client.until(lambda: self.states, "joint_states")

    def settle(self, seconds=0.3):
        """Let it run for a while."""
        end = time.monotonic() + seconds
        self.client.until(lambda: time.monotonic() > end, "time")

    def status(self, level, words):
        """Wait for the newest diagnostic status to be of a level and hold some words."""
        self.diagnostics.clear()

        def seen():
            newest = [array.status[0] for array in self.diagnostics[-1:]]
            return any(status.level == level and words in status.message for status in newest)

        self.client.until(seen, f"diagnostics with {words!r}")
        return self.diagnostics[-1].status[0]


def long(*values):
    """A case for the long run only."""
    return pytest.param(*values, marks=pytest.mark.faults)


@pytest.mark.parametrize("family", ["sts", long("dxl")])
def test_cold_start_with_stale_goals_then_enable_trajectory_and_relax(family, client, tmp_path):
    with (
        emulated(family, tmp_path) as arm,
        nodes(["servo_driver"], *options(arm, tmp_path, misses=50)),
    ):
        driven = Driven(client)
        commands = client.node.create_publisher(JointTrajectory, "joint_trajectory", 10)
        client.connected(commands)
        commands.publish(point((0.0, 0.0), 2.0))
        driven.settle()
        assert not any(motor.torque for motor in arm.motors)
        assert not any(goals(arm))
        assert enable(client).success
        here = driven.states[-1].position
        assert here[0] == pytest.approx((2300 - 2048) / COUNTS, abs=1e-3)
        driven.settle()
        assert [set(values) for values in goals(arm)] == [{2300}, {1800}]
        commands.publish(point((-1.0, 0.5), 0.1))
        driven.settle()
        assert [set(values) for values in goals(arm)] == [{2300}, {1800}], "a leap was followed"
        commands.publish(point((0.8, 0.1), 1.0))
        client.until(lambda: abs(driven.states[-1].position[0] - 0.8) < 0.005, "the target")
        assert largest_step(arm, PLACES[family]) <= REACH
        names = {tuple(state.name) for state in driven.states}
        assert names == {("joint1", "joint2")}
        assert all(len(s.position) == 2 == len(s.velocity) for s in driven.states)
        assert client.call(Trigger, "servo_driver/relax", Trigger.Request()).success
        assert not any(motor.torque for motor in arm.motors)
        status = driven.status(DiagnosticStatus.WARN, "limp")
        values = {item.key: item.value for item in status.values}
        assert values["gate"] == "closed"
        assert "supply [V]" in " ".join(values)


def test_hobby_servos_start_dark_come_up_one_after_the_other_and_say_estimated(client, tmp_path):
    with (
        emulated("pca9685", tmp_path) as arm,
        nodes(["servo_driver"], *options(arm, tmp_path, misses=50)),
    ):
        driven = Driven(client)
        driven.settle()
        assert [arm.chip.pulse(k) for k in (1, 2)] == [0.0, 0.0]
        answer = enable(client)
        assert answer.success
        assert "leaps" in answer.message
        client.until(lambda: arm.chip.pulse(1) > 0.0, "the first pulse")
        assert arm.chip.pulse(2) == 0.0
        client.until(lambda: arm.chip.pulse(2) > 0.0, "the second pulse")
        driven.status(DiagnosticStatus.WARN, "holding")
        commands = client.node.create_publisher(JointTrajectory, "joint_trajectory", 10)
        client.connected(commands)
        commands.publish(point((0.3, -0.2), 0.5))
        wanted = 1500.0 + 636.6 * 0.3
        client.until(lambda: abs(arm.chip.pulse(1) - wanted) < 3.0, "the target pulse")
        status = driven.status(DiagnosticStatus.OK, "estimated")
        assert any("estimated" in item.value for item in status.values)


@pytest.mark.parametrize("head_start", [1.0, long(5.0)])
def test_a_driver_that_starts_after_the_controllers_moves_nothing(head_start, client, tmp_path):
    system = TopicSystem(client.node)
    end = time.monotonic() + head_start
    client.until(lambda: system.turn() or time.monotonic() > end, "NaN commands")
    with emulated("sts", tmp_path) as arm:
        extra = ["-p", "command_interface:=joint_commands", "-p", "enable_on_start:=true"]
        with nodes(["servo_driver"], *options(arm, tmp_path, misses=50), *extra):
            client.until(lambda: system.turn() or system.states, "the first state")
            client.until(lambda: system.turn() or arm.motors[1].torque, "torque")
            end = time.monotonic() + 0.5
            client.until(lambda: system.turn() or time.monotonic() > end, "more NaN")
            system.activate()
            driven = Driven(client, "servo_driver/joint_states")
            opened = []

            def open_gate():
                system.turn()
                opened[:] = [
                    item.value
                    for array in driven.diagnostics[-1:]
                    for item in array.status[0].values
                    if item.key == "gate"
                ]
                return opened == ["open"]

            client.until(open_gate, "the gate")
            assert [set(values) for values in goals(arm)] == [{2300}, {1800}]
            system.hold[0] += 0.3
            client.until(
                lambda: system.turn() or abs(system.state[0] - system.hold[0]) < 0.005, "motion"
            )
            assert largest_step(arm, PLACES["sts"]) <= REACH


def test_relaxed_moved_by_hand_and_enabled_again_nothing_moves(client, tmp_path):
    system = TopicSystem(client.node)
    with emulated("sts", tmp_path) as arm:
        extra = ["-p", "command_interface:=joint_commands"]
        with nodes(["servo_driver"], *options(arm, tmp_path, misses=50), *extra):
            client.until(lambda: system.turn() or system.states, "the first state")
            system.activate()
            assert enable(client).success
            assert enable(client, on=False).success
            old = list(system.hold)
            for motor, place in zip(arm.motors, (1700, 2400), strict=True):
                motor.place(place)
            client.until(
                lambda: system.turn() or abs(system.state[0] + 348 / COUNTS) < 0.002, "the hand"
            )
            for servo in arm.servos:
                servo.written.clear()
            system.trajectories.clear()
            assert enable(client).success
            client.until(lambda: system.turn() or system.trajectories, "the hold to come")
            assert math.dist(system.hold, old) > 0.5
            assert system.hold == pytest.approx(system.state, abs=0.01)
            end = time.monotonic() + 0.5
            client.until(lambda: system.turn() or time.monotonic() > end, "holding")
            assert [set(values) for values in goals(arm)] == [{1700}, {2400}]
            system.hold[1] -= 0.2
            client.until(
                lambda: system.turn() or abs(system.state[1] - system.hold[1]) < 0.005, "motion"
            )


def test_a_stream_that_never_comes_near_moves_nothing(client, tmp_path):
    system = TopicSystem(client.node)
    with emulated("sts", tmp_path) as arm:
        extra = ["-p", "command_interface:=joint_commands"]
        with nodes(["servo_driver"], *options(arm, tmp_path, misses=50), *extra):
            client.until(lambda: system.turn() or system.states, "the first state")
            assert enable(client).success
            for wild in ([0.0, 0.0], [math.nan, 0.3], [math.inf, 0.0], [], [0.1]):
                end = time.monotonic() + 0.3

                def send(wild=wild, end=end):
                    system.publisher.publish(JointState(name=["joint1", "joint2"], position=wild))
                    return time.monotonic() > end

                client.until(send, "wild commands")
            assert [set(values) for values in goals(arm)] == [{2300}, {1800}]


def test_a_silent_servo_is_a_fault_that_names_it_and_recovery_stays_limp(client, tmp_path):
    with (
        emulated("sts", tmp_path) as arm,
        nodes(["servo_driver"], *options(arm, tmp_path)),
    ):
        driven = Driven(client)
        commands = client.node.create_publisher(JointTrajectory, "joint_trajectory", 10)
        client.connected(commands)
        assert enable(client).success
        commands.publish(point((-1.0, 1.0), 3.0))
        client.until(lambda: driven.states[-1].position[0] < 0.3, "motion")
        arm.faults.silent = {2}
        driven.status(DiagnosticStatus.ERROR, "servo 2")
        assert not arm.motors[0].torque
        driven.settle(0.2)
        count = len(driven.states)
        driven.settle(0.3)
        assert len(driven.states) == count, "joint_states in a fault"
        arm.faults.clear()
        client.until(lambda: len(driven.states) > count, "states again")
        place = arm.motors[0].output
        commands.publish(point((-1.0, 1.0), 3.0))
        driven.settle(0.5)
        assert not any(motor.torque for motor in arm.motors)
        assert arm.motors[0].output == place
        assert enable(client).success


def test_unplugged_it_names_port_and_errno_and_comes_back(client, tmp_path):
    with (
        emulated("dxl", tmp_path) as arm,
        nodes(["servo_driver"], *options(arm, tmp_path)),
    ):
        driven = Driven(client)
        assert enable(client).success
        arm.wire.unplug()
        status = driven.status(DiagnosticStatus.ERROR, "errno")
        assert arm.wire.path in status.message
        assert not enable(client).success
        arm.wire.plug()
        driven.status(DiagnosticStatus.WARN, "limp")


@pytest.mark.parametrize("family", ["dxl", long("sts")])
def test_killed_in_motion_the_servos_stop_within_one_step(family, client, tmp_path):
    with emulated(family, tmp_path) as arm:
        process = start(["servo_driver"], *options(arm, tmp_path, misses=50))
        try:
            driven = Driven(client)
            commands = client.node.create_publisher(JointTrajectory, "joint_trajectory", 10)
            client.connected(commands)
            assert enable(client).success
            commands.publish(point((-1.2, 1.2), 2.0))
            client.until(lambda: driven.states[-1].position[0] < 0.2, "motion")
            process.kill()
            process.communicate()
            last = [values[-1] for values in goals(arm)]
            pairs = list(zip(arm.motors, last, strict=True))
            client.until(
                lambda: all(abs(motor.output - goal) < 3.0 for motor, goal in pairs), "the rest"
            )
            assert largest_step(arm, PLACES[family]) <= REACH, "a goal was far away"
            assert abs(driven.states[-1].position[0] + 1.2) > 0.5, "not killed in motion"
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()


@pytest.mark.parametrize(
    ("number", "how"),
    [
        (signal.SIGINT, "relax"),
        (signal.SIGTERM, "rest"),
        long(signal.SIGTERM, "relax"),
        long(signal.SIGINT, "rest"),
        long(signal.SIGINT, "hold"),
        long(signal.SIGTERM, "hold"),
    ],
)
def test_a_signal_twice_does_the_chosen_shutdown_once(number, how, client, tmp_path):
    with emulated("sts", tmp_path) as arm:
        process = start(["servo_driver"], *options(arm, tmp_path, misses=50, on_shutdown=how))
        try:
            driven = Driven(client)
            commands = client.node.create_publisher(JointTrajectory, "joint_trajectory", 10)
            client.connected(commands)
            assert enable(client).success
            commands.publish(point((-1.2, 1.2), 2.0))
            client.until(lambda: driven.states[-1].position[0] < 0.2, "motion")
            for servo in arm.servos:
                servo.written.clear()
            process.send_signal(number)
            process.send_signal(number)
            _, errors = process.communicate(timeout=DEADLINE)
        finally:
            if process.poll() is None:
                process.kill()
        assert process.returncode == 0, errors
        assert "Traceback" not in errors
        for servo in arm.servos:
            torque = [data for address, data in list(servo.written) if address == 40]
            assert torque == ([] if how == "hold" else [b"\x00"]), errors
        steps = [abs(b - a) for values in goals(arm) for a, b in pairwise(values)]
        assert max(steps, default=0.0) <= REACH
        assert [motor.torque for motor in arm.motors] == [how == "hold"] * 2


BROKEN = """
import sys
from planar_arm_ik.nodes.entry import run_nodes
from planar_arm_ik.servo.control.axes import Axes

real, calls = Axes.send, []

def send(self, *arguments):
    calls.append(None)
    if len(calls) == 100:
        raise ZeroDivisionError("a bug")
    return real(self, *arguments)

Axes.send = send
sys.exit(run_nodes(["servo_driver"]))
"""


@pytest.mark.faults
@pytest.mark.parametrize("how", ["relax", "hold", "rest"])
def test_an_exception_in_the_loop_ends_the_process_after_the_chosen_shutdown(
    how, client, tmp_path
):
    with emulated("sts", tmp_path) as arm:
        arguments = options(arm, tmp_path, misses=50, on_shutdown=how)
        process = subprocess.Popen(
            [sys.executable, "-c", BROKEN, "--ros-args", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            driven = Driven(client)
            commands = client.node.create_publisher(JointTrajectory, "joint_trajectory", 10)
            client.connected(commands)
            assert enable(client).success
            for servo in arm.servos:
                servo.written.clear()
            commands.publish(point((-1.2, 1.2), 2.0))
            client.until(lambda: driven.states[-1].position[0] < 0.2, "motion")
            _, errors = process.communicate(timeout=DEADLINE)
        finally:
            if process.poll() is None:
                process.kill()
        assert process.returncode == 1, errors
        assert "a bug" in errors
        for servo in arm.servos:
            torque = [data for address, data in list(servo.written) if address == 40]
            assert torque == ([] if how == "hold" else [b"\x00"]), errors


def test_no_port_is_one_line_and_a_failure(tmp_path):
    file = tmp_path / "servo.yaml"
    bus = {"backend": "feetech", "port": str(tmp_path / "none")}
    file.write_text(json.dumps({"bus": bus, "joints": joint_blocks()}))
    process = start(["servo_driver"], "-p", "hardware:=feetech", "-p", f"calibration:={file}")
    _, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 1
    assert len(errors.splitlines()) == 2, errors  # where the arm comes from, and the reason
    assert "plugged in" in errors


def test_real_hardware_needs_a_calibration():
    process = start(["servo_driver"], "-p", "hardware:=feetech")
    _, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 2
    assert "calibration" in errors
