"""``planar-arm path``: reports, refusals and pictures; executed and canceled over real ROS."""

import json
import math
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from planar_arm_ik.cli.main import main
from planar_arm_ik.paths.waypoints import example_arc


@pytest.fixture
def arc(tmp_path):
    path = tmp_path / "arc.csv"
    rows = "\n".join(f"{x!r},{y!r}" for x, y in example_arc().tolist())
    path.write_text(f"x,y\n{rows}\n")
    return str(path)


def report(capsys, *arguments, code=0):
    assert main(["path", *arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_it_reports_on_a_path(arc, capsys):
    document = report(capsys, arc, "--degrees")
    assert document["status"] == "OK"
    assert document["branches"] == ["negative"] * 31
    assert document["largest_step"] == pytest.approx(0.573, abs=5e-4)
    assert document["jumps"] == []
    assert len(document["q"]) == document["rows"] == 31
    assert 0.3 < document["duration"] < 0.5


def test_text_names_elbows_and_steps(arc, capsys):
    assert main(["path", arc, "--degrees"]) == 0
    text = capsys.readouterr().out
    assert "elbow: negative 0 to 30" in text
    assert "largest joint step 0.572958 deg" in text


def test_a_jump_is_refused_and_shown_when_allowed(arc, capsys):
    refused = report(capsys, arc, "--rule", "min_shoulder", code=1)
    assert (refused["status"], refused["failed_index"]) == ("BRANCH_SWITCH", 15)
    assert main(["path", arc, "--rule", "min_shoulder"]) == 1
    assert "good up to 46.67 %" in capsys.readouterr().out
    options = ["--rule", "min_shoulder", "--allow-branch-switch", "--line-tolerance", "0"]
    jump = report(capsys, arc, *options)
    assert math.degrees(jump["largest_step"]) == pytest.approx(194.362, abs=1e-3)
    assert jump["jumps"] == [15]


def test_options_reach_the_planner(arc, capsys):
    slow = report(capsys, arc, "--tip-speed", "0.1", "--search", "global")
    assert slow["duration"] > 1.8
    start = report(capsys, arc, "--start", "-50", "95", "--degrees", "--rule", "keep")
    assert start["branches"][0] == "positive"
    step = report(capsys, arc, "--max-joint-step", "0.5", "--degrees", code=1)
    assert step["status"] == "JOINT_STEP"


def test_a_picture_is_drawn_of_accepted_and_refused_paths(arc, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    for name, options in (("good.png", []), ("bad.svg", ["--rule", "min_shoulder"])):
        file = tmp_path / name
        main(["path", arc, "--plot", str(file), *options])
        assert file.stat().st_size > 5000
    assert "wrote" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["missing.csv"], "cannot read missing.csv"),
        (["ARC", "--scaling", "1.5"], "velocity_scaling 1.5"),
        (["ARC", "--line-tolerance", "-1"], "line_tolerance -1"),
        (["ARC", "--max-joint-step", "nan"], "finite"),
    ],
)
def test_bad_input_is_one_sentence_and_code_2(arc, options, words, capsys):
    assert main(["path", *(arc if item == "ARC" else item for item in options)]) == 2
    errors = capsys.readouterr().err
    assert words in errors
    assert "Traceback" not in errors


@pytest.fixture
def arm():
    pytest.importorskip("rclpy")
    from std_srvs.srv import SetBool

    from ros_support import PATIENT, nodes, peer

    with nodes(["servo_driver", "path_executor"], *PATIENT), peer() as client:
        client.call(SetBool, "servo_driver/enable", SetBool.Request(data=True))
        yield client


def command(arc, *options):
    code = "import sys; from planar_arm_ik.cli.main import main; sys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", code, "path", arc, "--execute", "--json", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )


@pytest.mark.node
def test_it_executes_and_ctrl_c_cancels(arm, arc):
    from sensor_msgs.msg import JointState

    from arms import DEFAULT

    run = command(arc)
    out, errors = run.communicate(timeout=60.0)
    assert run.returncode == 0, errors
    document = json.loads(out)
    assert document["execution"]["status"] == "OK"
    assert document["execution"]["fraction"] == 1.0

    states = arm.collect(JointState, "joint_states")
    run = command(arc, "--tip-speed", "0.02")
    arm.until(
        lambda: any(max(map(abs, state.velocity), default=0.0) > 0.01 for state in states),
        "motion",
    )
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60.0)
    assert run.returncode == 1
    assert "canceled; the arm has stopped" in errors
    assert "Traceback" not in errors
    del states[:]
    arm.until(lambda: len(states) > 5, "joint_states")
    rest = [DEFAULT.forward(np.array(state.position)) for state in states]
    np.testing.assert_allclose(rest[-1], rest[0], atol=1e-3)


def test_corners_are_rounded_unless_told_otherwise_and_kept_ones_are_named(tmp_path, capsys):
    pytest.importorskip("toppra")
    file = tmp_path / "back.csv"
    file.write_text("0.45,0.1\n0.5,0.1\n0.5,0.15\n0.5,0.1\n")
    options = [str(file), "--tip-speed", "0.2"]
    found = report(capsys, *options)
    exact = report(capsys, *options, "--blend-tolerance", "0")
    assert (found["rounded"], exact["rounded"]) == (True, False)
    assert (found["stops"], exact["stops"]) == (1, 2)
    assert found["duration"] < exact["duration"]
    assert found["kept_corners"] == [{"waypoint": 2, "reason": "the path turns back"}]
    assert main(["path", *options]) == 0
    text = capsys.readouterr().out
    assert "corner at waypoint 2 is not rounded: the path turns back" in text
    assert "tip speed not kept" in text
    assert main(["path", *options, "--blend-tolerance", "-1"]) == 2
