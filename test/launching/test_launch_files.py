"""Launch files where ``launch`` is installed: arguments, start, work, clean end, two arms."""

import importlib.util
import os
import signal
import subprocess
import sys
import threading

import pytest

pytest.importorskip("launch.actions")
pytest.importorskip("launch_ros.actions")
pytest.importorskip("rclpy")

import numpy as np
from launch import LaunchContext
from launch.actions import DeclareLaunchArgument
from page_support import free_port, wait_for_page
from sensor_msgs.msg import JointState

from places import ROOT, SUPPORT
from planar_arm_ik.config import installed_config, load_description
from planar_arm_ik.launching.arguments import _TABLE
from planar_arm_ik.nodes.views.page_robot import PageRobot
from planar_arm_ik.scene.strokes import line_between
from ros_support import DEADLINE, peer

FOLDER = ROOT / "launch"
RUNNER = SUPPORT / "run_launch.py"
FILES = sorted(FOLDER.glob("*.launch.py"))
DESCRIPTION = load_description(installed_config())


def description_of(path):
    spec = importlib.util.spec_from_file_location("launch_file", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.generate_launch_description()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_argument_is_described_and_has_a_default(path):
    declared = [e for e in description_of(path).entities if isinstance(e, DeclareLaunchArgument)]
    assert declared
    for argument in declared:
        assert argument.name in _TABLE
        assert len(argument.description) > 5
        assert argument.default_value is not None


def test_the_four_launch_files_are_there():
    names = [path.name.removesuffix(".launch.py") for path in FILES]
    assert names == ["bringup", "demo", "teleop", "view"]


def test_teleop_listens_to_cmd_vel_and_bringup_does_not():
    context = LaunchContext()
    values = {}
    for name in ("bringup", "teleop"):
        for entity in description_of(FOLDER / f"{name}.launch.py").entities:
            if isinstance(entity, DeclareLaunchArgument) and entity.name == "accept_cmd_vel":
                values[name] = "".join(part.perform(context) for part in entity.default_value)
    assert values == {"bringup": "false", "teleop": "true"}


class Launched:
    """A launch in a process group of its own; the end is a Ctrl-C to all of it."""

    def __init__(self, name, *arguments):
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, str(RUNNER), str(FOLDER / f"{name}.launch.py"), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            env=environment,
        )
        self.log = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.log.append(line)

    def __enter__(self):
        return self

    def wait(self):
        code = self.process.wait(timeout=DEADLINE)
        self._reader.join(timeout=DEADLINE)
        return code

    def __exit__(self, *_):
        try:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGINT)
                code = self.wait()
                text = "".join(self.log)
                assert code == 0, text
                assert "Traceback" not in text, text
                assert text.count("process has finished cleanly") == text.count(
                    "process started with pid"
                ), text
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)


def ready(client):
    """The page's robot of a launched arm, once it is measured and can be commanded."""
    robot = PageRobot(client.node, DESCRIPTION, 0.5)

    def up():
        report = robot.report()
        return report.q is not None and all(report.parts.values())

    client.until(up, "an arm", 60.0)
    return robot


def test_bringup_starts_works_and_ends_cleanly():
    port = free_port()
    with (
        Launched("bringup", "view:=true", f"view_port:={port}") as launched,
        peer() as client,
    ):
        robot = ready(client)
        path = line_between(DESCRIPTION.arm.forward(robot.report().q), np.array([0.7, 0.2]))
        assert robot.execute(path, "positive", "greedy") == ""
        client.until(lambda: not robot.report().moving, "the end of the path", 60.0)
        assert robot.report().task.title == "path done", "".join(launched.log)
        tip = DESCRIPTION.arm.forward(robot.report().q)
        np.testing.assert_allclose(tip, [0.7, 0.2], atol=2e-3)
        wait_for_page(port)


def test_two_arms_in_two_namespaces_do_not_disturb_each_other():
    with (
        Launched("bringup", "name:=left"),
        Launched("bringup", "name:=right"),
        peer("left") as left,
        peer("right") as right,
    ):
        states = {
            side: client.collect(JointState, "joint_states")
            for side, client in (("left", left), ("right", right))
        }
        left.until(lambda: states["left"], "the left arm", 60.0)
        right.until(lambda: states["right"], "the right arm", 60.0)
        assert list(states["left"][-1].name) == ["left_joint1", "left_joint2"]
        assert list(states["right"][-1].name) == ["right_joint1", "right_joint2"]
        assert {name for s in states["left"] for name in s.name} == {"left_joint1", "left_joint2"}
        both = {("servo_driver", "/left"), ("servo_driver", "/right")}
        left.until(lambda: both <= set(left.node.get_node_names_and_namespaces()), "both drivers")


def test_the_demo_traces_the_arc_and_its_page_shows_it():
    port = free_port()
    with Launched("demo", "name:=shown", "rviz:=false", f"view_port:={port}") as launched:
        wait_for_page(port)
        with peer("shown") as client:
            client.until(
                lambda: any("largest distance from the path" in line for line in launched.log),
                "a traced arc",
                90.0,
            )


def test_teleop_hears_cmd_vel():
    with Launched("teleop", "view:=false", "name:=driven"), peer("driven") as client:
        client.until(lambda: client.node.count_subscribers("cmd_vel") == 1, "a listener", 60.0)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("hardware:=mock",), "add control:=ros2_control"),
        (("control:=moveit",), "must be one of standalone, ros2_control"),
        (("name:=a/b",), "name:=a/b must be letters"),
        (("config:=/nowhere.yaml",), "config:=/nowhere.yaml is not a file"),
        (("view:=perhaps",), "view:=perhaps must be true or false"),
        (("view:=true", "view_port:=http"), "view_port:=http must be a port number"),
    ],
)
def test_what_is_not_accepted_ends_the_launch_with_a_sentence(arguments, sentence):
    with Launched("bringup", *arguments) as launched:
        assert launched.wait() == 1
        assert sentence in "".join(launched.log)
        assert "process started" not in "".join(launched.log)
