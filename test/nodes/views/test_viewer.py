"""viewer over real DDS: its page, its hands, and what it says when other nodes are absent."""

import dataclasses
import socket
import time

import numpy as np
import pytest

pytest.importorskip("rclpy")
pytest.importorskip("viser")

from page_support import answer, free_port, wait_for_page

from planar_arm_ik.config import installed_config, load_description
from planar_arm_ik.keep_out.obstacles import Obstacles
from planar_arm_ik.keep_out.shapes import Circle
from planar_arm_ik.nodes.views.page_robot import PageRobot
from planar_arm_ik.scene.strokes import line_between
from ros_support import PATIENT, nodes, peer, start

DESCRIPTION = load_description(installed_config())
ARM = DESCRIPTION.arm


class Hands:
    """A page's robot on the test's node, spun while the test waits."""

    def __init__(self, client):
        self.peer = client
        self.robot = PageRobot(client.node, DESCRIPTION, 0.5)

    def until(self, done, what):
        self.peer.until(lambda: done(self.robot.report()), what)
        return self.robot.report()

    def title(self, text):
        return self.until(lambda r: r.task is not None and text in r.task.title, text)

    def tip(self):
        return ARM.forward(self.until(lambda r: r.q is not None, "a state").q)


@pytest.fixture(scope="module")
def hands():
    arguments = ("-p", "enable_on_start:=true", "-p", "initial_position:=[0.3, 1.2]")
    with nodes(["servo_driver"], *arguments), nodes(["path_executor"], *PATIENT), peer() as client:
        made = Hands(client)
        made.until(
            lambda r: r.q is not None and r.parts["path executor"] and r.parts["servo driver"],
            "the nodes",
        )
        yield made


def test_presence_is_told_node_by_node(hands):
    parts = hands.robot.report().parts
    assert parts == {"path executor": True, "follower": False, "servo driver": True}


def test_a_path_is_executed_and_its_end_told(hands):
    path = line_between(hands.tip(), np.array([0.4, 0.5]))
    assert hands.robot.execute(path, "nearest", "greedy") == ""
    hands.title("executing")
    report = hands.title("path done")
    assert not report.moving
    assert hands.tip() == pytest.approx([0.4, 0.5], abs=1e-3)


def test_a_path_out_of_the_ring_is_refused_with_the_point_and_nothing_moves(hands):
    before = hands.tip()
    path = line_between(before, np.array([0.4, 1.5]))
    assert hands.robot.execute(path, "nearest", "greedy") == ""
    report = hands.title("path refused at point")
    assert "too far" in report.task.title
    assert hands.tip() == pytest.approx(before, abs=1e-3)


def test_stop_ends_a_path_in_execution(hands):
    far = line_between(hands.tip(), np.array([0.55, -0.2]))
    hands.robot.execute(far, "nearest", "greedy")
    hands.title("executing")
    hands.robot.stop()
    hands.title("path canceled")
    rest = hands.tip()
    assert np.hypot(*(rest - far[-1])) > 0.05
    end = time.monotonic() + 0.3
    hands.peer.until(lambda: time.monotonic() > end, "a moment of watching")
    assert hands.tip() == pytest.approx(rest, abs=1e-3)


def test_joints_move_to_the_other_elbow_and_a_stop_brakes_them(hands):
    q = hands.until(lambda r: r.q is not None, "a state").q
    goal = np.array([q[0] + 0.5, -1.0])
    assert hands.robot.move_joints(goal) == ""
    hands.until(lambda r: np.abs(r.q - goal).max() < 1e-3, "the pose")
    assert hands.robot.move_joints(np.array([goal[0], 1.0])) == ""
    hands.until(lambda r: r.q[1] > -0.8, "some motion")
    hands.robot.stop()
    end = time.monotonic() + 0.6
    hands.peer.until(lambda: time.monotonic() > end, "the ramp")
    rest = hands.robot.report().q
    assert rest[1] < 0.9
    end = time.monotonic() + 0.3
    hands.peer.until(lambda: time.monotonic() > end, "a moment of watching")
    assert hands.robot.report().q == pytest.approx(rest, abs=1e-6)


def test_joints_are_not_moved_through_a_keep_out_shape(hands):
    q = hands.until(lambda r: r.q is not None, "a state").q
    goal = q + np.array([1.0, 0.0])
    x, y = ARM.forward(q + np.array([0.5, 0.0]))
    post = Obstacles((Circle("post", float(x), float(y), 0.05),))
    guarded = PageRobot(hands.peer.node, dataclasses.replace(DESCRIPTION, obstacles=post), 0.5)
    said = ["fresh"]

    def asked():
        guarded.report()
        said.append(guarded.move_joints(goal))
        return "fresh" not in said[-1] and "nobody" not in said[-1]

    hands.peer.until(asked, "an answer")
    assert "link 2 would touch 'post'" in said[-1]
    assert hands.robot.report().q == pytest.approx(q, abs=1e-6)


def test_what_needs_an_absent_node_says_which(hands):
    assert "cartesian_follower" in hands.robot.jog((0.1, 0.0))
    assert "cartesian_follower" in hands.robot.pause(True)


def test_servos_are_switched_and_their_state_is_told_in_words(hands):
    def told(words):
        return lambda r: r.servos is not None and r.servos.title == words

    assert hands.robot.enable(False) == ""
    report = hands.until(told("servos limp"), "limp")
    assert "Drive" in report.servos.detail
    assert hands.robot.enable(True) == ""
    hands.until(told("servos holding at the gate"), "the gate")


def test_the_pad_moves_the_tip_through_the_follower_and_stop_pauses_it():
    space = ("-r", "__ns:=/driven")
    arguments = ("-p", "enable_on_start:=true", "-p", "initial_position:=[0.3, 1.2]")
    with (
        nodes(["servo_driver"], *space, *arguments),
        nodes(["cartesian_follower"], *space, "-p", "state_timeout:=2.0"),
        peer("/driven") as client,
    ):
        hands = Hands(client)
        hands.until(lambda r: r.q is not None and r.parts["follower"], "the follower")
        begin = hands.tip()

        def pushed(report):
            assert hands.robot.jog((0.2, 0.0)) == ""
            return report.q is not None and ARM.forward(report.q)[0] > begin[0] + 0.03

        report = hands.until(pushed, "a motion along x")
        assert abs(hands.tip()[1] - begin[1]) < 0.01
        assert report.twist.sigma_min > 0.0
        assert report.paused is False
        hands.robot.stop()
        hands.until(lambda r: r.paused, "the pause")
        hands.robot.jog((0.2, 0.0))
        report = hands.until(lambda r: r.twist and r.twist.text.title == "paused", "its words")
        assert hands.robot.pause(False) == ""
        hands.until(lambda r: r.paused is False, "the end of the pause")


def test_without_any_node_everything_is_refused_in_words():
    with peer("/empty") as client:
        robot = PageRobot(client.node, DESCRIPTION, 0.5)
        assert robot.report().q is None
        assert "path_executor" in robot.execute(np.array([[0.5, 0.0]]), "nearest", "greedy")
        assert "joint_states" in robot.move_joints(np.zeros(2))
        assert "path_executor" in robot.cancel()
        assert "servo_driver" in robot.enable(True)
        assert robot.stop() == ""


def test_the_node_serves_its_page_to_this_machine_only_and_leaves_cleanly():
    port = free_port()
    with nodes(["viewer"], "-r", "__ns:=/alone", "-p", f"port:={port}"):
        wait_for_page(port)
        assert answer(port) == 200
        assert answer(port, Host="evil.example") == 403
        assert answer(port, Origin="http://evil.example") == 403
        with socket.socket() as probe:
            probe.bind(("0.0.0.0", 0))
            own = socket.gethostbyname(socket.gethostname())
        if not own.startswith("127."):
            assert answer(port, own) is None


def test_a_taken_port_is_told_and_the_next_one_used():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = start(["viewer"], "-r", "__ns:=/second", "-p", f"port:={port}")
        log = []
        for line in process.stderr:
            log.append(line)
            if "the page is at" in line:
                break
        process.terminate()
        assert process.wait(timeout=30) == 0
    assert any(f"port {port} is taken" in line for line in log)
    assert f":{port}" not in log[-1].split("the page is at")[1]


def test_an_address_of_another_machine_is_refused_with_exit_code_2():
    process = start(["viewer"], "-r", "__ns:=/third", "-p", "host:=203.0.113.7")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "203.0.113.7" in errors
    assert "Traceback" not in errors
