"""What the contract of imports (pyproject.toml, `make lint`) cannot say about the rooms."""

import ast
import subprocess
import sys

import pytest

import planar_arm_ik
from places import ROOT

PACKAGE = ROOT / "planar_arm_ik"
CORE_ROOMS = [
    "arm",
    "batch",
    "chains",
    "following",
    "inverse",
    "keep_out",
    "paths",
    "scene",
    "trajectories",
]
CORE = [
    *(PACKAGE / f"{module}.py" for module in ("errors", "status", "fields", "config")),
    *sorted(path for room in CORE_ROOMS for path in (PACKAGE / room).rglob("*.py")),
]
EVERY = sorted(PACKAGE.rglob("*.py"))
ROOMS = sorted(path.parent for path in PACKAGE.rglob("__init__.py") if path.parent != PACKAGE)
FORBIDDEN = {"time", "logging", "threading", "socket", "subprocess", "asyncio"}


def name(path):
    return path.relative_to(PACKAGE).as_posix()


def imports(path):
    """Give (module, names, level) of every import of a file, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, (), 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", tuple(alias.name for alias in node.names), node.level


def room(module):
    """Give the room of a module: the longest one that it lies in."""
    folders = {".".join(path.relative_to(ROOT).parts) for path in ROOMS}
    return max((f for f in folders if f"{module}.".startswith(f"{f}.")), key=len, default="")


@pytest.mark.parametrize("path", CORE, ids=name)
def test_the_core_has_no_clock_no_log_and_no_thread(path):
    assert not {module.split(".")[0] for module, _, _ in imports(path)} & FORBIDDEN


def test_only_the_clocks_ask_the_machine_for_the_time():
    below = [path for path in EVERY if name(path).split("/")[0] not in ("cli", "launching")]
    asking = {name(path) for path in below if "time" in {m for m, _, _ in imports(path)}}
    assert asking == {"clocks.py", "nodes/common/clocks.py"}


@pytest.mark.parametrize("path", CORE, ids=name)
def test_the_core_has_no_mutable_module_state(path):
    assert not any(isinstance(node, ast.Global) for node in ast.walk(ast.parse(path.read_text())))


def test_imports_are_absolute():
    assert not [name(path) for path in EVERY if any(level for _, _, level in imports(path))]


def test_no_room_takes_a_private_name_of_another():
    taken = [
        (name(path), module, private)
        for path in EVERY
        for module, names, _ in imports(path)
        for private in names
        if private.startswith("_") and not private.startswith("__")
        if module.startswith("planar_arm_ik") and module != "planar_arm_ik._version"
        if room(module) != room(".".join(path.relative_to(ROOT).with_suffix("").parts))
    ]
    assert not taken


@pytest.mark.parametrize("folder", ROOMS, ids=name)
def test_every_room_says_what_it_is_for_and_what_to_open_first(folder):
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))
    assert text
    assert len(text.splitlines()) <= 5
    assert "May import: " in text
    assert "first" in text


def test_the_package_alone_loads_no_room_and_no_numpy():
    code = (
        "import sys, planar_arm_ik; "
        "print([m for m in sys.modules if m == 'numpy' or m.startswith('planar_arm_ik.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_solving_loads_neither_paths_nor_timing_nor_files():
    code = "import sys; from planar_arm_ik import solve; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "planar_arm_ik.inverse.solver" in loaded
    assert not loaded & {"planar_arm_ik.paths", "planar_arm_ik.trajectories", "yaml", "toppra"}


def test_every_public_name_is_there_and_its_types_are_seen():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    typed = {
        alias.name
        for block in tree.body
        if isinstance(block, ast.If)
        for line in block.body
        for alias in line.names
    }
    assert typed == set(planar_arm_ik.__all__) <= set(dir(planar_arm_ik))
    assert all(getattr(planar_arm_ik, public) is not None for public in planar_arm_ik.__all__)
    with pytest.raises(AttributeError, match="no attribute 'solv'"):
        planar_arm_ik.solv  # noqa: B018
