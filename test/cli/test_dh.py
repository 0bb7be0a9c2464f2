"""``planar-arm dh``."""

import json

import numpy as np
import pytest

from planar_arm_ik.chains.tables import load_table
from planar_arm_ik.cli.main import main


def document(capsys, *arguments):
    assert main(["dh", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_json_holds_table_pose_frames_and_jacobian(capsys):
    chain = load_table("scara")
    q = [0.513, -0.281, 0.155]
    answer = document(capsys, "scara", *map(str, q))
    assert [row["joint"] for row in answer["rows"]] == ["R", "R", "P"]
    assert answer["q"] == q
    np.testing.assert_array_equal(answer["pose"], chain.forward(q))
    np.testing.assert_array_equal(answer["frames"], chain.frames(q))
    np.testing.assert_array_equal(answer["jacobian"], chain.jacobian(q))


def test_degrees_concern_turning_joints_only(capsys):
    in_degrees = document(capsys, "scara", "90", "0", "0.1", "--degrees")
    np.testing.assert_allclose(
        in_degrees["pose"], load_table("scara").forward([np.pi / 2, 0.0, 0.1]), atol=1e-15
    )
    assert in_degrees["rows"][1]["alpha"] == 180.0
    assert in_degrees["angle_unit"] == "deg"


def test_lengths_come_in_the_unit_asked_for(capsys):
    answer = document(capsys, "abb_irb_140", *"000000", "--unit", "m")
    assert answer["length_unit"] == "m"
    assert answer["rows"][1]["a"] == pytest.approx(0.36)
    assert answer["pose"][2][3] == pytest.approx(-0.093)


def test_a_table_of_ones_own(capsys, tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("joint,a_mm,alpha_deg,d_mm,theta_deg\nR,100,0,0,0\nP,0,0,0,0\n")
    answer = document(capsys, str(path), "0", "25")
    assert answer["pose"][0][3] == 100.0
    assert answer["pose"][2][3] == 25.0
    assert answer["name"] == "own"


def test_text_shows_table_pose_frames_and_jacobian(capsys):
    assert main(["dh", "rr"]) == 0
    assert "joint           a       alpha" in capsys.readouterr().out
    assert main(["dh", "rr", "0", "0", "--frames", "--jacobian"]) == 0
    text = capsys.readouterr().out
    assert "lengths in m" in text
    assert [name for name in ("T0 =", "T1 =", "T2 =", "J =") if name not in text] == []
    assert "0.900000" in text
    assert "-0.000000" not in text


def test_formulas_as_text_and_json(capsys):
    pytest.importorskip("sympy")
    assert main(["dh", "rr", "--symbolic"]) == 0
    assert "0.5⋅c₁ + 0.4⋅c₁₂" in capsys.readouterr().out
    formulas = document(capsys, "pp", "--symbolic")["formulas"]
    assert formulas["T"][0] == ["0", "0", "1", "q2"]
    assert sorted(formulas) == ["A1", "A2", "T"]


def test_the_skeleton_is_drawn_into_a_file(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "arm.png"
    answer = document(capsys, "rrp", "0.3", "0.4", "0.2", "--plot", str(path), "--dark")
    assert answer["plot"] == str(path)
    assert path.read_bytes().startswith(b"\x89PNG")
