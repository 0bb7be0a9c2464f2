"""Serial chains from Denavit-Hartenberg rows."""

import json
import math
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from urdf_chain import chain

from places import DATA, ROOT
from planar_arm_ik.arm.planar_arm import PlanarArm
from planar_arm_ik.chains.chain import DhChain
from planar_arm_ik.chains.rows import DhRow
from planar_arm_ik.chains.tables import load_table, shipped_tables
from planar_arm_ik.config import load_description
from planar_arm_ik.errors import PlanarArmError

GOLDEN = json.loads((DATA / "dh_cases.json").read_text())
CASES = GOLDEN["cases"]
CASE_IDS = [f"{case['chain']}-{i}" for i, case in enumerate(CASES)]


def golden_chain(name):
    unit = "mm" if name.endswith("_mm") else "m"
    return DhChain.from_table(GOLDEN["tables"][name], length_unit=unit, name=name)


def row_product(chain, q):
    """T as the plain product of 4x4 matrices, one for each elementary motion."""
    transform = np.eye(4)
    for row, value in zip(chain.rows, q, strict=True):
        theta = row.theta + ((row.offset + value) if row.joint == "R" else 0.0)
        d = row.d + ((row.offset + value) if row.joint == "P" else 0.0)
        turn, twist, shift_z, shift_x = np.eye(4), np.eye(4), np.eye(4), np.eye(4)
        turn[:2, :2] = [[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]]
        twist[1:3, 1:3] = [
            [np.cos(row.alpha), -np.sin(row.alpha)],
            [np.sin(row.alpha), np.cos(row.alpha)],
        ]
        shift_z[2, 3], shift_x[0, 3] = d, row.a
        transform = transform @ turn @ shift_z @ shift_x @ twist
    return transform


def random_chain(rng, joints):
    """Rows of every kind: any twist, right angles, zeros, offsets."""
    rows = []
    for _ in range(joints):
        alpha = rng.choice([0.0, math.pi / 2, -math.pi / 2, math.pi, rng.uniform(-3, 3)])
        numbers = rng.uniform(-1, 1, 4) * rng.integers(0, 2, 4)
        a, d, theta, offset = (float(number) for number in numbers)
        rows.append(DhRow(str(rng.choice(["R", "P"])), a, float(alpha), d, theta, offset))
    return DhChain(rows)


@pytest.mark.parametrize("case", CASES, ids=CASE_IDS)
def test_golden_pose_to_1e_12_of_its_largest_entry(case):
    expected = np.array(case["T"])
    pose = golden_chain(case["chain"]).forward(case["q"])
    assert np.abs(pose - expected).max() <= 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize(
    ("shipped", "golden"),
    [
        ("rr", "RR"),
        ("rrr", "RRR"),
        ("abb_irb_140", "ABB_IRB_140_mm"),
        ("pp", "PP"),
        ("scara", "SCARA_RRP"),
    ],
)
def test_shipped_table_reproduces_the_golden_poses(shipped, golden):
    chain = load_table(shipped)
    assert chain.rows == golden_chain(golden).rows
    for case in CASES:
        if case["chain"] == golden:
            expected = np.array(case["T"])
            error = np.abs(chain.forward(case["q"]) - expected).max()
            assert error <= 1e-12 * np.abs(expected).max()


def test_pose_equals_the_plain_product_of_matrices_for_any_rows():
    rng = np.random.default_rng(1)
    for _ in range(200):
        chain = random_chain(rng, int(rng.integers(1, 8)))
        q = rng.uniform(-3, 3, len(chain))
        np.testing.assert_allclose(chain.forward(q), row_product(chain, q), atol=1e-13)


def test_every_frame_is_the_tip_of_the_chain_cut_there():
    chain = load_table("abb_irb_140")
    q = np.random.default_rng(2).uniform(-3, 3, (5, 6))
    frames = chain.frames(q)
    assert frames.shape == (5, 7, 4, 4)
    np.testing.assert_array_equal(frames[:, 0], np.broadcast_to(np.eye(4), (5, 4, 4)))
    for i in range(1, 7):
        cut = DhChain(chain.rows[:i], chain.length_unit)
        np.testing.assert_array_equal(frames[:, i], cut.forward(q[:, :i]))


@pytest.mark.parametrize("name", shipped_tables())
def test_rotation_part_is_orthonormal_and_right_handed(name):
    chain = load_table(name)
    q = np.random.default_rng(3).uniform(-3, 3, (500, len(chain)))
    rotations = chain.forward(q)[:, :3, :3]
    identities = rotations @ rotations.swapaxes(-1, -2)
    np.testing.assert_allclose(identities, np.broadcast_to(np.eye(3), (500, 3, 3)), atol=1e-14)
    np.testing.assert_allclose(np.linalg.det(rotations), 1.0, atol=1e-14)


@pytest.mark.parametrize(("l1", "l2"), [(0.5, 0.4), (0.25, 0.6), (0.35, 0.35)])
def test_two_revolute_rows_equal_the_planar_arm(l1, l2):
    arm = PlanarArm(l1, l2)
    q = np.random.default_rng(4).uniform(-7, 7, (300, 2))
    chain = DhChain.from_arm(arm)
    frames = chain.frames(q)
    np.testing.assert_allclose(frames[:, 2, :2, 3], arm.forward(q), atol=1e-15)
    np.testing.assert_allclose(frames[:, 1, :2, 3], arm.elbow(q), atol=1e-15)
    np.testing.assert_allclose(chain.jacobian(q)[:, :2], arm.jacobian(q), atol=1e-15)
    assert not frames[:, :, 2, 3].any()


def test_the_chain_of_the_description_is_the_dh_chain():
    xacro = pytest.importorskip("xacro")
    known = load_description(ROOT / "config" / "arm.yaml")
    robot = ElementTree.fromstring(
        xacro.process_file(str(ROOT / "urdf" / "planar_arm.urdf.xacro")).toxml()
    )
    dh = load_table("rr")
    assert dh == DhChain.from_arm(known.arm, dh.name)
    for q in np.random.default_rng(10).uniform(-3, 3, (100, 2)):
        positions = dict(zip(known.joint_names, q, strict=True))
        pose = chain(robot, known.base_frame, known.tip_frame, positions)
        np.testing.assert_allclose(dh.forward(q), pose, atol=1e-12)


def test_batches_of_any_shape_equal_single_poses():
    chain = load_table("scara")
    q = np.random.default_rng(5).uniform(-2, 2, (3, 4, 5, 3))
    poses = chain.forward(q)
    assert poses.shape == (3, 4, 5, 4, 4)
    for index in np.ndindex(3, 4, 5):
        np.testing.assert_array_equal(poses[index], chain.forward(q[index]))
    assert chain.forward(np.zeros((0, 3))).shape == (0, 4, 4)
    assert chain.frames(np.zeros((2, 0, 3))).shape == (2, 0, 4, 4, 4)


def test_a_batch_longer_than_one_block_has_no_seam():
    chain = load_table("rrp")
    q = np.random.default_rng(6).uniform(-2, 2, (9001, 3))
    poses = chain.forward(q)
    for i in (0, 4095, 4096, 8191, 8192, 9000):
        np.testing.assert_array_equal(poses[i], chain.forward(q[i]))


def test_jacobian_equals_finite_differences_of_pose():
    rng = np.random.default_rng(7)
    h = 1e-6
    for _ in range(40):
        chain = random_chain(rng, int(rng.integers(1, 7)))
        q = rng.uniform(-2, 2, len(chain))
        jacobian = chain.jacobian(q)
        rotation = chain.forward(q)[:3, :3]
        for i in range(len(chain)):
            step = h * np.eye(len(chain))[i]
            change = (chain.forward(q + step) - chain.forward(q - step)) / (2 * h)
            spin = change[:3, :3] @ rotation.T
            angular = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
            np.testing.assert_allclose(jacobian[:3, i], change[:3, 3], atol=1e-8)
            np.testing.assert_allclose(jacobian[3:, i], angular, atol=1e-8)


def test_jacobian_broadcasts():
    chain = load_table("abb_irb_140")
    q = np.random.default_rng(8).uniform(-2, 2, (2, 3, 6))
    jacobians = chain.jacobian(q)
    assert jacobians.shape == (2, 3, 6, 6)
    np.testing.assert_array_equal(jacobians[1, 2], chain.jacobian(q[1, 2]))


def test_offset_moves_the_zero_of_the_joint():
    turned = DhChain([DhRow("R", a=1.0, offset=0.3)])
    np.testing.assert_allclose(turned.forward([0.2])[:2, 3], [math.cos(0.5), math.sin(0.5)])
    slid = DhChain([DhRow("P", offset=0.3)])
    assert slid.forward([0.2])[2, 3] == pytest.approx(0.5)


def test_right_angles_leave_no_rounding_in_the_pose():
    pose = load_table("pp").forward([0.25, 0.5])
    np.testing.assert_array_equal(
        pose, [[0, 0, 1, 0.5], [-1, 0, 0, 0], [0, -1, 0, 0.25], [0, 0, 0, 1]]
    )


def test_another_unit_scales_lengths_and_nothing_else():
    chain = load_table("abb_irb_140")
    q = np.random.default_rng(9).uniform(-3, 3, 6)
    pose, in_metres = chain.forward(q), chain.in_unit("m").forward(q)
    np.testing.assert_allclose(in_metres[:3, 3], pose[:3, 3] / 1000.0, rtol=1e-12)
    np.testing.assert_array_equal(in_metres[:3, :3], pose[:3, :3])
    slide = DhChain([DhRow("P", d=20.0, offset=5.0)], "mm").in_unit("cm")
    assert slide.forward([1.0])[2, 3] == pytest.approx(3.5)


@pytest.mark.parametrize(
    ("q", "words"),
    [
        ([0.1], r"shape \(1,\).*2 joint variables"),
        ([0.1, 0.2, 0.3], "2 joint variables"),
        (0.1, "2 joint variables"),
        ([], "2 joint variables"),
        ([0.1, math.nan], "q2 = nan"),
        ([[0.0, 0.0], [math.inf, 0.0]], "q1 = inf"),
        ([1e300, 0.0], r"q1 = 1e\+300"),
        (["a", "b"], "numbers"),
        ([[0.1], [0.1, 0.2]], "numbers"),
    ],
)
def test_wrong_joint_variables_are_refused_with_value_and_rule(q, words):
    for method in ("forward", "frames", "jacobian"):
        with pytest.raises(PlanarArmError, match=words):
            getattr(load_table("rr"), method)(q)


GOOD = {"joint": "R", "a": 0.1, "alpha": 0.0, "d": 0.0, "theta": 0.0}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"joint": "X"}, "joint 'X' must be R"),
        ({"joint": None}, "joint 'None' must be R"),
        ({"a": math.nan}, "a = nan"),
        ({"alpha": math.inf}, "alpha = inf"),
        ({"d": "long"}, "d = 'long' must be a number"),
        ({"theta": None}, "theta = None must be a number"),
        ({"a": 1e12}, "at most 1e"),
        ({"a": 10**400}, "must be a number"),
        ({"a": True}, "a = True"),
        ({"length": 1.0}, "'length' is no key of a row"),
        ({"alpha_grad": 1.0}, "'alpha' stands there twice"),
        ({"offset_grad": 1.0}, "angle unit 'grad' is unknown"),
        ({"offset_mm": 1.0}, "angle unit 'mm' is unknown"),
    ],
)
def test_a_malformed_row_is_refused_by_number_key_and_rule(change, words):
    with pytest.raises(PlanarArmError, match="row 2: .*" + words):
        DhChain.from_table([GOOD, GOOD | change])


@pytest.mark.parametrize("key", GOOD)
def test_a_missing_key_is_named(key):
    row = {name: value for name, value in GOOD.items() if name != key}
    with pytest.raises(PlanarArmError, match=f"row 1: '{key}' is missing"):
        DhChain.from_table([row])


def test_a_chain_needs_rows_and_a_known_unit():
    with pytest.raises(PlanarArmError, match="at least one row"):
        DhChain([])
    with pytest.raises(PlanarArmError, match=r"row 1: .*mapping"):
        DhChain.from_table([3.0])
    with pytest.raises(PlanarArmError, match=re.escape("row 1: (1, 2) is no DhRow")):
        DhChain([(1, 2)])
    with pytest.raises(PlanarArmError, match="length unit 'ell' is unknown"):
        DhChain([DhRow("R")], "ell")
