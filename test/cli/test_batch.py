"""``planar-arm batch``."""

import csv
import json

import numpy as np
import pytest

from arms import DEFAULT
from planar_arm_ik import solve_batch
from planar_arm_ik.cli import batch
from planar_arm_ik.cli.main import main
from planar_arm_ik.status import IkStatus


@pytest.fixture
def targets(tmp_path):
    made = np.random.default_rng(70).uniform(-0.9, 0.9, (200, 2))
    np.savetxt(tmp_path / "targets.csv", made, delimiter=",", header="x,y", comments="")
    np.save(tmp_path / "targets.npy", made)
    return made


@pytest.mark.parametrize("name", ["targets.csv", "targets.npy"])
def test_every_target_of_a_file_has_its_line(capsys, tmp_path, targets, name, monkeypatch):
    monkeypatch.setattr(batch, "CHUNK", 64)
    code = main(["batch", str(tmp_path / name), "--seed", "0.1", "-0.9", "--rule", "keep"])
    captured = capsys.readouterr()
    rows = list(csv.DictReader(captured.out.splitlines()))
    chosen = solve_batch(DEFAULT, targets, (0.1, -0.9), "keep").chosen
    failed = int((chosen.status < 0).sum())
    assert code == 1
    assert f"{failed} of 200 targets have no answer" in captured.err
    assert [int(row["index"]) for row in rows] == list(range(200))
    assert [IkStatus[row["status"]] for row in rows] == chosen.status.tolist()
    q = [[float(row[n] or "nan") for n in ("q1_rad", "q2_rad")] for row in rows]
    np.testing.assert_allclose(q, chosen.q, atol=1e-12)


def test_json_is_one_object_a_line_and_goes_to_a_file(capsys, tmp_path):
    path, output = tmp_path / "targets.json", tmp_path / "answers.jsonl"
    path.write_text("[[0.6, 0.0], [0.6, 0.1]]")
    assert main(["batch", str(path), "--json", "--degrees", "--output", str(output)]) == 0
    assert capsys.readouterr().out == ""
    first, second = map(json.loads, output.read_text().splitlines())
    assert first["status"] == second["status"] == "OK"
    np.testing.assert_allclose(first["q"], (-41.40962, 97.18076), atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such.npy"], "cannot read"),
        (["no-such.csv"], "cannot read"),
        (["wide.npy"], "(N, 2)"),
        (["text.npy"], "cannot read"),
        (["fine.npy", "--output", "no/such/folder"], "cannot write"),
        (["fine.npy", "--seed", "nan", "0"], "finite"),
    ],
)
def test_a_mistake_is_one_sentence(capsys, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    np.save("wide.npy", np.zeros((2, 3)))
    np.save("fine.npy", np.full((2, 2), 0.4))
    (tmp_path / "text.npy").write_text("no")
    assert main(["batch", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1


def test_a_seed_in_degrees_gets_a_hint(capsys):
    assert main(["solve", "0.6", "0", "--seed", "45", "-90"]) == 0
    assert "is it in degrees?" in capsys.readouterr().err
    assert main(["solve", "0.6", "0", "--seed", "45", "-90", "--degrees"]) == 0
    assert capsys.readouterr().err == ""


def test_a_refusal_shows_the_nearest_reachable_point(capsys):
    assert main(["solve", "3", "0"]) == 1
    assert "nearest reachable point: x 0.9 m, y 0 m" in capsys.readouterr().out
