"""``planar-arm figures``."""

import json
import os
import pty
import subprocess
import sys

import pytest

from planar_arm_ik.cli.main import main
from planar_arm_ik.cli.progress import progress

pytest.importorskip("matplotlib")


def test_files_of_the_named_figures_are_written_and_listed(capsys, tmp_path):
    out = tmp_path / "new" / "place"
    options = ["--out", str(out), "--formats", "svg", "png", "--json"]
    assert main(["figures", "pp_sketch", "rr_sketch", *options]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert len(files) == 8
    assert sorted(str(path) for path in out.iterdir()) == sorted(files)


def test_a_place_that_cannot_be_written_is_one_sentence(capsys, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert main(["figures", "pp_sketch", "--out", str(blocked)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("planar-arm: cannot write")
    assert error.count("\n") == 1


def test_progress_passes_every_item_and_says_nothing_into_a_file(capsys):
    assert list(progress(range(3), 3, "work")) == [0, 1, 2]
    assert capsys.readouterr().err == ""


def test_a_terminal_sees_how_far_the_figures_are(tmp_path):
    pytest.importorskip("rich")
    controller, terminal = pty.openpty()
    code = "import sys; from planar_arm_ik.cli import main; sys.exit(main())"
    words = ["figures", "pp_sketch", "--out", str(tmp_path), "--formats", "svg", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=terminal,
        timeout=60,
        check=True,
        env=os.environ | {"TERM": "xterm"},
    )
    os.close(terminal)
    assert len(json.loads(done.stdout)["files"]) == 2
    assert b"figures" in os.read(controller, 10_000)
    os.close(controller)
