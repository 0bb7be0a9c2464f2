"""The documents: generated parts up to date, code that runs, tests and files that exist."""

import ast
import importlib.util
import re
import sys

import pytest

from places import ROOT

DOCS = sorted((ROOT / "docs").glob("*.md"))
WITH_PARTS = [path for path in DOCS if "<!-- end -->" in path.read_text(encoding="utf-8")]
NAMED_TEST = re.compile(r"`test/([\w/]*test_\w+\.py)::(\w+)`")
LINK = re.compile(r"\]\(([^)#\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")


def names(paths):
    return [path.name for path in paths]


@pytest.fixture(scope="module")
def numbers():
    spec = importlib.util.spec_from_file_location("make_numbers", ROOT / "docs/make_numbers.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", WITH_PARTS, ids=names(WITH_PARTS))
def test_generated_parts_are_what_the_code_gives_today(path, numbers, monkeypatch):
    pytest.importorskip("sympy")
    pytest.importorskip("toppra")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    text = path.read_text(encoding="utf-8")
    assert numbers.filled(text) == text, "run: python docs/make_numbers.py"


def test_every_test_that_a_document_names_exists():
    named = {pair for path in DOCS for pair in NAMED_TEST.findall(path.read_text("utf-8"))}
    assert len(named) > 30
    for file in sorted({file for file, _ in named}):
        tree = ast.parse((ROOT / "test" / file).read_text(encoding="utf-8"))
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert {test for other, test in named if other == file} <= defined, file


@pytest.mark.parametrize("path", DOCS, ids=names(DOCS))
def test_every_link_and_picture_is_there(path):
    for groups in LINK.findall(path.read_text(encoding="utf-8")):
        target = "".join(groups)
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_the_code_of_the_tutorial_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        exec(compile(block, "docs/tutorial.md", "exec"), {})
    assert "POSITIVE" in capsys.readouterr().out


def test_the_files_that_a_task_needs_are_there():
    text = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    table = text[text.index("## I want to") : text.index("## Every room")]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 15
    for path in re.findall(r"`([\w/]+/[\w.]*)`", table):
        assert any((base / path).exists() for base in (ROOT, ROOT / "planar_arm_ik")), path
