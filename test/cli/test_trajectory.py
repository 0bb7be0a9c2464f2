"""``planar-arm trajectory``."""

import json

import numpy as np
import pytest

from places import DATA, ROOT
from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.cli.main import main

GOLDEN = json.loads((DATA / "rr_trajectory.json").read_text())


def document(capsys, *arguments):
    assert main(["trajectory", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_without_options_it_is_the_worked_example(capsys):
    answer = document(capsys)
    assert answer["link_lengths"] == GOLDEN["link_lengths"]
    for name in ("t", "q", "tip"):
        expected = [sample[name] for sample in GOLDEN["samples"]]
        np.testing.assert_allclose(answer[name], expected, atol=1e-15)


def test_laws_links_and_times_of_ones_own(capsys):
    options = ["--q1", "0.5*t", "--q2", "-pi/3", "--l1", "0.2", "--end", "2", "--samples", "5"]
    answer = document(capsys, *options)
    assert answer["t"] == [0.0, 0.5, 1.0, 1.5, 2.0]
    q = np.stack((0.5 * np.array(answer["t"]), np.full(5, -np.pi / 3)), axis=-1)
    np.testing.assert_allclose(answer["tip"], PlanarArm(0.2, 0.35).forward(q), atol=1e-15)


def test_degrees_are_read_and_printed(capsys):
    answer = document(
        capsys, "--q1", "90*t", "--q2", "-90", "--end", "1", "--samples", "2", "--degrees"
    )
    np.testing.assert_allclose(answer["q"], [[0, -90], [90, -90]], atol=1e-12)
    np.testing.assert_allclose(answer["tip"], [[0.35, -0.35], [0.35, 0.35]], atol=1e-15)


def test_links_of_a_described_arm(capsys, tmp_path):
    text = (ROOT / "config" / "arm.yaml").read_text()
    path = tmp_path / "arm.yaml"
    path.write_text(text.replace("l1: 0.5", "l1: 0.75"))
    assert document(capsys, "--config", str(path))["link_lengths"] == [0.75, 0.4]
    assert document(capsys, "--config", str(path), "--l2", "1")["link_lengths"] == [0.75, 1.0]


def test_the_table_has_one_line_for_each_time(capsys):
    assert main(["trajectory", "--samples", "20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 21
    assert lines[0].split() == ["t", "[s]", "q1", "[rad]", "q2", "[rad]", "x", "[m]", "y", "[m]"]
    assert [float(value) for value in lines[1].split()][:3] == [0.0, 1.0, 0.0]


def test_the_path_is_drawn_into_a_file(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "path.svg"
    assert document(capsys, "--q1", "2*t", "--plot", str(path))["plot"] == str(path)
    assert "<svg" in path.read_text()
