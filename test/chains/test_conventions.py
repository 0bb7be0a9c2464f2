"""Standard and modified (Craig) tables against Robotics Toolbox.

test/data/dh_conventions.json was made once with roboticstoolbox: the product of link.A(q) over its
DH models, and over random tables where it has fewer than ten of a convention.
"""

import json
from dataclasses import replace

import numpy as np
import pytest

from places import DATA
from planar_arm_ik import ConfigError, DhChain
from planar_arm_ik.chains.rows import DhRow
from planar_arm_ik.chains.symbolic import forward_matrix
from planar_arm_ik.chains.tables import load_table

CASES = json.loads((DATA / "dh_conventions.json").read_text(encoding="utf-8"))["cases"]
IDS = [f"{case['convention']}-{case['name']}" for case in CASES]


def chain_of(case):
    modified = case["convention"] == "modified"
    return DhChain([DhRow(**row, modified=modified) for row in case["rows"]])


def test_there_are_ten_of_each_convention():
    conventions = [case["convention"] for case in CASES]
    assert conventions.count("standard") == conventions.count("modified") == 10
    assert "modified-Panda" in IDS


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_every_pose_is_that_of_robotics_toolbox(case):
    poses = chain_of(case).forward(case["q"])
    assert np.abs(poses - np.array(case["T"])).max() < 1e-12


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_jacobian_is_the_derivative_of_the_pose(case):
    chain, q = chain_of(case), np.array(case["q"][0])
    jacobian, h = chain.jacobian(q), 1e-6
    for i in range(len(chain)):
        step = h * np.eye(len(chain))[i]
        begin, end = chain.forward(q - step), chain.forward(q + step)
        turn = (end - begin)[:3, :3] / (2.0 * h) @ chain.forward(q)[:3, :3].T
        spin = np.array((turn[2, 1], turn[0, 2], turn[1, 0]))
        moved = (end - begin)[:3, 3] / (2.0 * h)
        assert jacobian[:, i] == pytest.approx(np.concatenate((moved, spin)), abs=1e-7)


def test_formulas_of_a_modified_table_give_its_pose():
    sympy = pytest.importorskip("sympy")
    case = next(case for case in CASES if case["name"] == "Panda")
    q = case["q"][0]
    named = {sympy.Symbol(f"q{i}", real=True): value for i, value in enumerate(q, 1)}
    formula = np.array(forward_matrix(chain_of(case)).subs(named), dtype=np.float64)
    assert np.abs(formula - np.array(case["T"][0])).max() < 1e-9


def test_a_table_names_its_convention(tmp_path):
    rows = [{"joint": "R", "a": 0.3, "alpha": 0.5, "d": 0.1, "theta": 0.0}] * 2
    path = tmp_path / "two.json"
    table = {"units": {"length": "m", "angle": "rad"}, "rows": rows}
    path.write_text(json.dumps({"convention": "modified", **table}), encoding="utf-8")
    assert all(row.modified for row in load_table(path).rows)
    for word in ("standard", "classic"):
        path.write_text(json.dumps({"convention": word, **table}), encoding="utf-8")
        assert not any(row.modified for row in load_table(path).rows)
    path.write_text(json.dumps({"convention": "proximal", **table}), encoding="utf-8")
    with pytest.raises(ConfigError, match="'proximal' is not understood; use standard, classic"):
        load_table(path)


def test_the_conventions_differ():
    case = next(case for case in CASES if case["name"] == "Panda")
    chain = chain_of(case)
    other = replace(chain, rows=[replace(row, modified=False) for row in chain.rows])
    assert np.abs(chain.forward(case["q"]) - other.forward(case["q"])).max() > 0.1
