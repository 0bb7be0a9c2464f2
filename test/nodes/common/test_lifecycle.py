"""Starting and stopping: bad parameters, integers, signals, alone and together."""

import signal
import subprocess
import sys

import pytest

pytest.importorskip("rclpy")
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool

from planar_arm_ik.nodes.entry import NODES
from ros_support import DEADLINE, nodes, peer, start


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", sorted(NODES))
def test_a_node_leaves_with_zero_though_signalled_twice(name, number):
    process = start([name])
    with peer() as client:
        client.until(lambda: name in client.node.get_node_names(), name)
    process.send_signal(number)
    process.send_signal(number)
    _, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors


STUCK = """
import ctypes, sys
from planar_arm_ik.nodes.common.runtime import ArmNode, run
from planar_arm_ik.nodes.common.stop_event import StopEvent

class Stuck(ArmNode):
    def destroy_node(self):
        ctypes.PyDLL(None).sleep(600)  # with the interpreter locked, as a middleware may do it

stop = StopEvent()
stop.set()
sys.exit(run([lambda: Stuck("stuck")], [], stop))
"""


def test_a_middleware_that_never_lets_go_does_not_keep_the_process():
    process = subprocess.run(
        [sys.executable, "-c", STUCK], capture_output=True, text=True, timeout=DEADLINE
    )
    assert process.returncode == 1
    assert "_take_down" in process.stderr


def test_any_set_of_nodes_runs_in_one_process():
    names = set(NODES) - {"wait_for_state"}  # which ends the process when the driver speaks
    with nodes(sorted(names)), peer() as client:
        client.until(lambda: names <= set(client.node.get_node_names()), "all nodes")


def test_a_node_stopped_while_it_starts_leaves_without_a_traceback():
    process = start(["ik_server"])
    line = process.args
    assert line
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode in (0, -signal.SIGTERM), errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("metric:=l7", "metric"),
        ("state_timeout:=-1.0", "state_timeout"),
        ("state_timeout:=text", "state_timeout"),
        ("arm.l1:=300.0", "millimetres"),
        ("arm.l3:=0.3", "unknown keys"),
    ],
)
def test_a_bad_parameter_ends_the_start_with_one_line(override, words):
    process = start(["ik_server"], "-p", override)
    _, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 2
    assert words in errors
    assert "Traceback" not in errors


def test_integers_are_taken_for_doubles_at_start(tmp_path):
    file = tmp_path / "arm.yaml"
    joint = "{continuous: true, velocity: 1, acceleration: 2}"
    file.write_text(
        "/**:\n  ros__parameters:\n    rate: 50\n    initial_position: [1, 2]\n    arm:\n"
        f"      l1: 1\n      l2: 1\n      joint1: {joint}\n      joint2: {joint}\n"
    )
    with nodes(["servo_driver"], "--params-file", str(file)), peer() as client:
        states = client.collect(JointState, "joint_states")
        client.until(lambda: states, "joint_states")
        assert list(states[0].position) == [1.0, 2.0]


def test_millimetres_are_refused_with_a_hint(tmp_path):
    file = tmp_path / "arm.yaml"
    joint = "{continuous: true, velocity: 1.0, acceleration: 2.0}"
    file.write_text(
        "/**:\n  ros__parameters:\n    arm:\n"
        f"      l1: 300.0\n      l2: 250.0\n      joint1: {joint}\n      joint2: {joint}\n"
    )
    process = start(["ik_server"], "--params-file", str(file))
    _, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 2
    assert "millimetres" in errors


def test_names_are_relative_so_two_arms_live_side_by_side():
    left = ["-r", "__ns:=/left", "-p", "prefix:=left_", "-p", "initial_position:=[0.1, 0.2]"]
    right = ["-r", "__ns:=/right", "-p", "prefix:=right_", "-p", "initial_position:=[0.3, 0.4]"]
    with nodes(["servo_driver"], *left), nodes(["servo_driver"], *right), peer() as client:
        lefts = client.collect(JointState, "/left/joint_states")
        rights = client.collect(JointState, "/right/joint_states")
        client.until(lambda: lefts and rights, "both arms")
        assert list(lefts[0].name) == ["left_joint1", "left_joint2"]
        assert list(rights[0].position) == [0.3, 0.4]
        enabled = client.call(SetBool, "/left/servo_driver/enable", SetBool.Request(data=True))
        assert enabled.success
