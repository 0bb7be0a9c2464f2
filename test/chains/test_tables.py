"""Denavit-Hartenberg tables in files."""

import json
import math

import numpy as np
import pytest

from planar_arm_ik.chains.tables import load_table, shipped_tables
from planar_arm_ik.errors import ConfigError

YAML = """
name: two links
units: {length: mm, angle: deg}
rows:
  - {joint: R, a: 500, alpha: 90, d: 10, theta: 0}
  - {joint: P, a: 400, alpha: 0, d: 0, theta: 45, offset: 7}
"""
CSV = """# two links
joint, a_mm, alpha_deg, d_mm, theta_deg, offset
R, 500, 90, 10, 0, 0
"""


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(tmp_path, name, text):
    with pytest.raises(ConfigError) as caught:
        load_table(write(tmp_path, name, text))
    message = str(caught.value)
    assert name in message
    assert "\n" not in message
    return message


def test_the_shipped_tables_are_those_of_the_textbook():
    assert shipped_tables() == ["abb_irb_140", "pp", "rpp", "rr", "rrp", "rrr", "scara"]
    for name in shipped_tables():
        chain = load_table(name)
        joints = "".join(row.joint for row in chain.rows)
        assert name in ("abb_irb_140", "scara") or joints.lower() == name
        assert chain.name


def test_the_shipped_cylindrical_and_spherical_arms_by_hand():
    # Column turned by 90 degrees, lift 0.2 + 0.1, boom 0.1 + 0.4 along the turned y axis.
    np.testing.assert_allclose(
        load_table("rpp").forward([math.pi / 2, 0.1, 0.4])[:3, 3], [-0.5, 0.0, 0.3], atol=1e-15
    )
    # Boom of 0.2 + 0.3 straight up, shoulder 0.1 beside the column of height 0.4.
    np.testing.assert_allclose(
        load_table("rrp").forward([0.0, 0.0, 0.3])[:3, 3], [0.0, 0.1, 0.9], atol=1e-15
    )


def test_yaml_json_and_csv_of_one_table_give_one_chain(tmp_path):
    rows = [{"joint": "R", "a": 500, "alpha": 90, "d": 10, "theta": 0, "offset": 0.1}]
    table = {"units": {"length": "mm", "angle": "deg"}, "rows": rows}
    text = "joint,a_mm,alpha_deg,d_mm,theta_deg,offset_deg\nR,500,90,10,0,0.1\n"
    one = load_table(write(tmp_path, "arm.json", json.dumps(table)))
    two = load_table(write(tmp_path, "arm.csv", text))
    three = load_table(write(tmp_path, "arm.yml", json.dumps(table)))
    assert one == two == three
    assert one.length_unit == "mm"
    assert one.rows[0].alpha == pytest.approx(math.pi / 2)
    assert one.name == "arm"


def test_units_and_offsets_of_a_yaml_table(tmp_path):
    chain = load_table(write(tmp_path, "arm.yaml", YAML))
    assert chain.name == "two links"
    assert chain.rows[1].theta == pytest.approx(math.pi / 4)
    assert chain.rows[1].offset == 7.0


def test_a_list_of_rows_whose_keys_name_their_units(tmp_path):
    rows = [{"joint": "R", "a_cm": 50, "alpha_rad": 0.5, "d_mm": 20, "theta_deg": 90}]
    chain = load_table(write(tmp_path, "arm.json", json.dumps(rows)))
    assert chain.length_unit == "cm"
    assert chain.rows[0].d == pytest.approx(2.0)
    assert chain.rows[0].alpha == 0.5


def test_a_byte_order_mark_is_no_part_of_the_header(tmp_path):
    path = tmp_path / "arm.csv"
    path.write_text("joint,a_m,alpha_deg,d_m,theta_deg\nR,1,0,0,0\n", encoding="utf-8-sig")
    assert load_table(path).rows[0].a == 1.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "mapping with the key 'rows'"),
        ("3", "mapping with the key 'rows'"),
        ("rows: []", "at least one row"),
        ("rows: 3", "at least one row"),
        ("units: {length: m}", "at least one row"),
        (YAML.replace("mm", "ell"), "length unit 'ell' is unknown"),
        (YAML.replace("deg", "grad"), "angle unit 'grad' is unknown"),
        (YAML.replace("angle:", "time:"), "keys length and angle"),
        (YAML.replace("{length: mm, angle: deg}", "mm"), "keys length and angle"),
        (YAML.replace("{length: mm, angle: deg}", "{length: [mm]}"), "is unknown"),
        (YAML.replace("{length: mm, angle: deg}", "{length: mm}"), "names no angle unit"),
        (YAML.replace("{length: mm, angle: deg}", "{angle: deg}"), "names no length unit"),
        (YAML.replace("name", "nom"), "key 'nom' is unknown"),
        (YAML.replace("name", "convention"), "convention 'two links' is not understood"),
        (YAML.replace("theta: 45, ", ""), "row 2: 'theta' is missing"),
        (YAML.replace("joint: P", "joint: Q"), "row 2: joint 'Q' must be R"),
        (YAML.replace("400", ".nan"), "row 2: a = nan"),
        (YAML.replace("d: 0", "d: 0, d: 1"), "key 'd' stands there twice"),
        (YAML.replace("joint: P", "? [1] : 2"), "must be a word"),
        (YAML.replace("  - {joint: P", "  - [1]\n  - {joint: P"), "row 2: [1] must be a mapping"),
        ("rows: [{", "expected the node content"),
        ("rows: !!python/object:os.system {}", "could not determine a constructor"),
    ],
)
def test_a_bad_yaml_table_is_refused_in_one_sentence(tmp_path, text, words):
    assert words in refusal(tmp_path, "bad.yaml", text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at least one row"),
        ("joint,a_mm,alpha_deg,d_mm,theta_deg\n", "at least one row"),
        ("joint,a_mm,alpha_deg,d_mm,theta_deg\nR,1,2,3\n", "row 1 must have 5 fields"),
        ("joint,a_mm,alpha_deg,d_mm,theta_deg\nR,1,2,3,4,5\n", "row 1 must have 5 fields"),
        ("joint,a_mm,a_mm,d_mm,theta_deg\nR,1,2,3,4\n", "has a column twice"),
        ("joint,a,alpha_deg,d_mm,theta_deg\nR,1,2,3,4\n", "'a' names no length unit"),
        ("joint,a_mm,alpha,d_mm,theta_deg\nR,1,2,3,4\n", "'alpha' names no angle unit"),
        ("joint,a_mm,alpha_deg,d_mm,theta_deg\nR,one,2,3,4\n", "a = 'one' must be a number"),
        ("joint,b,alpha_deg,d_mm,theta_deg\nR,1,2,3,4\n", "'b' is no key of a row"),
        (CSV, "'offset' names no angle unit"),
    ],
)
def test_a_bad_csv_table_is_refused_in_one_sentence(tmp_path, text, words):
    assert words in refusal(tmp_path, "bad.csv", text)


def test_bad_json_is_refused_in_one_sentence(tmp_path):
    assert "Expecting" in refusal(tmp_path, "bad.json", '{"rows": [')
    assert "stands there twice" in refusal(tmp_path, "bad.json", '{"rows": [], "rows": []}')
    assert "too deeply" in refusal(tmp_path, "bad.json", "[" * 200_000)


def test_files_that_are_no_tables_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="none of the shipped tables"):
        load_table("no_such_arm")
    with pytest.raises(ConfigError, match="no such file"):
        load_table(tmp_path / "missing.yaml")
    with pytest.raises(ConfigError, match="no such file"):
        load_table(tmp_path)
    with pytest.raises(ConfigError, match=r"ends in \.yaml"):
        load_table(write(tmp_path, "arm.txt", YAML))
    latin = tmp_path / "arm.yaml"
    latin.write_bytes(b"name: \xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        load_table(latin)


@pytest.mark.parametrize("suffix", ["yaml", "json", "csv"])
def test_a_damaged_table_is_read_or_refused_and_nothing_else(tmp_path, suffix):
    rng = np.random.default_rng(11)
    rows = [{"joint": "R", "a": 0.5, "alpha_deg": 90, "d": 0.1, "theta_deg": 0}]
    good = {
        "yaml": YAML,
        "json": json.dumps({"units": {"length": "m"}, "rows": rows}),
        "csv": CSV.replace("offset", "offset_deg"),
    }[suffix].encode()
    path = tmp_path / f"arm.{suffix}"
    read, refused = 0, []
    for _ in range(300):
        damaged = bytearray(good)
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(len(damaged)))
            pool = b"{}[]:,-#&*!|>'\"%@`.0e9\n\t \x00\xff~?" + good
            damaged[place : place + int(rng.integers(0, 3))] = bytes(
                [pool[rng.integers(len(pool))]]
            )
        path.write_bytes(damaged)
        try:
            chain = load_table(path)
        except ConfigError as error:
            refused.append(str(error))
        else:
            read += 1
            assert np.isfinite(chain.forward(np.zeros(len(chain)))).all()
    assert read > 0
    assert refused
    assert not any("\n" in message for message in refused)
