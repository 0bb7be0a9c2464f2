"""The command line's way to the servos: emulated ones, spoken to for real."""

import json
import math

import pytest

pytest.importorskip("serial")

from servo_support import SERIAL, emulated, joint_blocks

from planar_arm_ik.cli import main
from planar_arm_ik.cli.emulate import command
from planar_arm_ik.cli.servo.guide import Interview, guide
from planar_arm_ik.config import installed_config, load_description
from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.servo.settings.settings import load_settings

pytestmark = pytest.mark.usefixtures("patience")


BACKEND = {"sts": "feetech", "dxl": "dynamixel"}
MODEL = {"sts": 777, "dxl": 1200}


def arm_file(folder, arm, **joint):
    file = folder / "servo.yaml"
    bus = {**arm.bus_block, "misses": 50}
    file.write_text(json.dumps({"bus": bus, "joints": joint_blocks(arm.family, **joint)}))
    return file


@pytest.mark.parametrize("family", SERIAL)
def test_scan_finds_every_servo_with_its_model(family, tmp_path, capsys):
    with emulated(family, tmp_path) as arm:
        options = ["--backend", BACKEND[family], "--port", arm.wire.path, "--baud", "1000000"]
        assert main(["servo", "scan", *options, "--last", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["servos"]
    assert found == [{"id": k, "model": MODEL[family]} for k in (1, 2)]


def test_scan_says_so_when_nobody_answers(tmp_path, capsys):
    with emulated("sts", tmp_path) as arm:
        options = ["--backend", "feetech", "--port", arm.wire.path]
        arm.faults.silent = {1, 2}
        assert main(["servo", "scan", *options, "--last", "1"]) == 1
    assert "nobody answered" in capsys.readouterr().out


@pytest.mark.parametrize("family", SERIAL)
def test_set_id_renames_a_servo_and_never_makes_two_of_one_name(family, tmp_path, capsys):
    with emulated(family, tmp_path) as arm:
        options = ["--backend", BACKEND[family], "--port", arm.wire.path, "--baud", "1000000"]
        assert main(["servo", "set-id", *options, "1", "2"]) == 1
        assert "already exists" in capsys.readouterr().err
        assert main(["servo", "set-id", *options, "1", "7"]) == 0
        assert [servo.id for servo in arm.servos] == [7, 2]
        assert main(["servo", "set-id", *options, "1", "8"]) == 1
        assert main(["servo", "set-id", *options, "2", "300"]) == 2
        if family == "sts":
            assert arm.servos[0].registers[55] == 1


def test_scan_of_i2c_finds_the_chip(tmp_path, capsys):
    with emulated("pca9685", tmp_path) as arm:
        port = arm.bus_block["i2c_bus"]
        assert main(["servo", "scan", "--backend", "pca9685", "--port", port]) == 0
    assert "0x40" in capsys.readouterr().out


def test_read_is_limp_and_relax_lets_go(tmp_path, capsys):
    with emulated("dxl", tmp_path) as arm:
        file = arm_file(tmp_path, arm)
        assert main(["servo", "read", str(file), "--json"]) == 0
        joints = json.loads(capsys.readouterr().out)["joints"]
        assert [round(row["raw"]) for row in joints] == [2300, 1800]
        assert [row["voltage"] for row in joints] == [5.0, 5.0]
        assert not any(motor.torque for motor in arm.motors)
        assert main(["servo", "relax", str(file)]) == 0


@pytest.mark.parametrize("family", ["sts", pytest.param("dxl", marks=pytest.mark.faults)])
def test_jog_moves_one_joint_and_ends_limp(family, tmp_path, capsys):
    with emulated(family, tmp_path) as arm:
        file = arm_file(tmp_path, arm)
        assert main(["servo", "jog", str(file), "joint2", "10", "--degrees"]) == 0
        assert arm.motors[0].output == pytest.approx(2300, abs=1)
        assert arm.motors[1].output == pytest.approx(1800 + 113.8, abs=2)
        assert not any(motor.torque for motor in arm.motors)
        assert main(["servo", "jog", str(file), "joint7", "1"]) == 2


@pytest.mark.faults
def test_the_test_tells_a_jammed_servo(tmp_path, capsys):
    with emulated("sts", tmp_path) as arm:
        file = arm_file(tmp_path, arm)
        assert main(["servo", "test", str(file)]) == 0
        arm.motors[1].jammed = True
        assert main(["servo", "test", str(file), "--json"]) == 1
        out = capsys.readouterr().out
        rows = json.loads(out[out.index("{") :])["joints"]
        assert rows[0]["left"] < 0.01 < rows[1]["left"]


def test_a_missing_port_is_one_sentence(tmp_path, capsys):
    options = ["--backend", "feetech", "--port", str(tmp_path / "none")]
    assert main(["servo", "scan", *options]) == 1
    error = capsys.readouterr().err
    assert "plugged in" in error
    assert error.count("\n") == 1


TRUE_ZERO, TRUE_SIGN = (2100.0, 1990.0), (1.0, -1.0)
SCALE = 4096.0 / (2.0 * math.pi)


def place(arm, q):
    for k, motor in enumerate(arm.motors):
        motor.place(round(TRUE_ZERO[k] + TRUE_SIGN[k] * SCALE * q[k]))


def test_a_calibration_step_by_step_finds_zero_and_sign_and_keeps_old_files(tmp_path, capsys):
    file = tmp_path / "servo.yaml"
    start = ["servo", "calibrate", str(file)]
    with emulated("sts", tmp_path) as arm:
        new = ["new", "--backend", "feetech", "--port", arm.wire.path]
        assert main([*start, *new]) == 0
        assert main([*start, "range", "joint1", "300", "3800"]) == 0
        for pose in ((0.0, 0.0), (math.pi / 2, math.pi / 2)):
            place(arm, pose)
            assert main([*start, "teach", *map(str, pose)]) == 0
        assert main([*start, "finish"]) == 0
        joints = load_settings(file).joints
        assert [joint.zero for joint in joints] == pytest.approx(TRUE_ZERO, abs=1.0)
        assert [joint.sign for joint in joints] == [1, -1]
        assert (joints[0].raw_min, joints[0].raw_max) == (300.0, 3800.0)
        description = load_description(installed_config())
        q = (0.4, 0.9)
        place(arm, q)
        tip = [str(value) for value in description.arm.forward(q)]
        assert main([*start, "verify", *tip]) == 0
        place(arm, (0.5, 0.9))
        assert main([*start, "verify", *tip]) == 1
    assert (tmp_path / "servo.yaml.1").exists()
    assert (tmp_path / "servo.yaml.2").exists()
    assert "tip_error" in capsys.readouterr().out


def test_calibration_refuses_what_contradicts_itself(tmp_path):
    file = tmp_path / "servo.yaml"
    start = ["servo", "calibrate", str(file)]
    assert main([*start, "new", "--backend", "feetech", "--port", "/dev/none"]) == 0
    assert main([*start, "finish"]) == 2
    assert main([*start, "teach", "0", "0", "--raw", "2048", "2048"]) == 0
    assert main([*start, "teach", "0.1", "0.1", "--raw", "2100", "2100"]) == 0
    assert main([*start, "finish"]) == 2
    assert main([*start, "range", "joint1", "4000", "4090"]) == 2
    assert main([*start, "measure", "joint9", "1", "1"]) == 2


def test_the_guide_leads_through_servos_with_feedback(tmp_path):
    description = load_description(installed_config())
    with emulated("sts", tmp_path) as arm:
        check = (0.4, 0.9)
        tip = " ".join(f"{value:.4f}" for value in description.arm.forward(check))
        turn = {"joint1 by hand to one": (-2.5, 0), "joint1 by hand to the": (2.4, 0),
                "joint2 by hand to one": (0, -2.2), "joint2 by hand to the": (0, 2.3),
                "0 and 0": (0, 0), "90 and 90": (math.pi / 2, math.pi / 2),
                "check": check}  # fmt: skip
        replies = {"backend": "feetech", "serial port": arm.wire.path, "ids": "1 2",
                   "x and y": tip}  # fmt: skip

        def ask(question):
            for words, q in turn.items():
                if words in question:
                    place(arm, q)
                    return ""
            return next(reply for words, reply in replies.items() if words in question)

        made = guide(tmp_path / "new.yaml", description, Interview(True, ask))
        assert [joint.zero for joint in made.joints] == pytest.approx(TRUE_ZERO, abs=1.0)
        assert [joint.sign for joint in made.joints] == [1, -1]
        low = TRUE_ZERO[0] - 2.5 * SCALE
        assert made.joints[0].raw_min == pytest.approx(low + 20, abs=2)
        replies["x and y"] = "0.1 0.1"
        with pytest.raises(PlanarArmError, match="mm off"):
            guide(tmp_path / "new.yaml", description, Interview(True, ask))


@pytest.mark.faults
def test_the_guide_leads_through_servos_without_feedback(tmp_path):
    description = load_description(installed_config())
    with emulated("pca9685", tmp_path) as arm:
        scale = (620.0, -650.0)

        def true_angle(k):
            return (arm.chip.pulse(arm.ids[k]) - 1500.0) / scale[k]

        def ask(question):
            if "measured angle" in question:
                return str(math.degrees(true_angle(0 if "joint1" in question else 1)))
            if "x and y" in question:
                return " ".join(map(str, tips[-1]))
            if "mark" in question:
                tips.append(description.arm.forward([true_angle(0), true_angle(1)]))
                return ""
            words = {"backend": "pca9685", "I2C": arm.bus_block["i2c_bus"], "channels": "1 2",
                     "smallest": "600 2400"}  # fmt: skip
            return next(reply for key, reply in words.items() if key in question)

        tips = []
        made = guide(tmp_path / "new.yaml", description, Interview(True, ask))
        for k, joint in enumerate(made.joints):
            assert len(joint.points) == 5
            assert joint.to_angle(2000.0) == pytest.approx(500.0 / scale[k], abs=0.01)


def test_emulator_commands_are_obeyed_or_refused(tmp_path):
    with emulated("sts", tmp_path) as arm:
        command(arm, ["place", "1", "1234"])
        assert arm.motors[0].output == 1234
        command(arm, ["fault", "silent", "2"])
        assert arm.faults.silent == {2}
        command(arm, ["clear"])
        assert not arm.faults.silent
        command(arm, ["unplug"])
        command(arm, ["replug"])
        assert command(arm, ["state"])["servos"][1]["id"] == 2
        for words in (["dance"], ["fault", "fire"], ["fault", "late", "soon"]):
            with pytest.raises(PlanarArmError):
                command(arm, words)
