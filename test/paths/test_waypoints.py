"""Tip paths from files."""

import numpy as np
import pytest

from planar_arm_ik import ConfigError
from planar_arm_ik.paths.waypoints import load_waypoints


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "x,y\n0.5,0.1\n0.6,0.2\n"),
        ("a.csv", "# metres\n0.5, 0.1\n\n0.6, 0.2\n"),
        ("a.json", "[[0.5, 0.1], [0.6, 0.2]]"),
        ("a.json", '{"points": [{"x": 0.5, "y": 0.1}, {"x": 0.6, "y": 0.2}]}'),
    ],
)
def test_every_form_is_read(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    np.testing.assert_array_equal(load_waypoints(file), [[0.5, 0.1], [0.6, 0.2]])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "", "no waypoints"),
        ("a.csv", "0.5,0.1\n0.6\n", "waypoint 1"),
        ("a.csv", "0.5,nan\n", "finite"),
        ("a.json", "[[1, 2], [3, null]]", "waypoint 1"),
        ("a.json", "{", "not readable"),
        ("a.json", '{"point": []}', "no waypoints"),
    ],
)
def test_bad_files_are_refused_by_row(tmp_path, name, text, words):
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ConfigError, match=words):
        load_waypoints(file)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot read"):
        load_waypoints(tmp_path / "none.csv")
