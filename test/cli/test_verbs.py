"""The command line, in this process and as the demo."""

import json

import numpy as np
import pytest

from planar_arm_ik.cli import main


def run(capsys, *arguments):
    code = main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_solve_prints_both_elbows_in_degrees(capsys):
    code, out, _ = run(capsys, "solve", "0.6", "0", "--degrees", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["status"] == "OK"
    angles = [candidate["q"] for candidate in document["candidates"]]
    np.testing.assert_allclose(angles, [[-41.40962, 97.18076], [41.40962, -97.18076]], atol=5e-6)


def test_solve_takes_its_seed_in_degrees(capsys):
    _, out, _ = run(capsys, "solve", "0.6", "0", "--degrees", "--seed", "40", "-90")
    assert "-> negative" in out


def test_a_refusal_has_exit_code_1(capsys):
    code, out, _ = run(capsys, "solve", "1.0", "0.0")
    assert code == 1
    assert out.startswith("TOO_FAR")


def test_fk_of_thirty_and_sixty_degrees(capsys):
    code, out, _ = run(capsys, "fk", "30", "60", "--degrees", "--json")
    assert code == 0
    np.testing.assert_allclose(json.loads(out)["tip"], [0.4330127, 0.65], atol=1e-7)


def test_degrees_given_as_radians_are_noticed(capsys):
    code, _, err = run(capsys, "fk", "90", "0")
    assert code == 0
    assert "--degrees" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("fk", "nan", "0"),
        ("solve", "0.5", "0", "--config", "/nowhere/arm.yaml"),
        ("solve", "0.5", "0", "--max-joint-step", "-1"),
        ("demo", "--once", "--path", "/nowhere/path.csv"),
    ],
)
def test_bad_input_has_exit_code_2_and_one_sentence(capsys, arguments):
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err.startswith("planar-arm: ")
    assert len(err.splitlines()) == 1
