"""The arrow of imports: nodes import the core, never the other way."""

import ast
from pathlib import Path

import pytest

from places import ROOT

PACKAGE = ROOT / "planar_arm_ik"
CORE = sorted([*PACKAGE.glob("*.py"), *PACKAGE.glob("scene/*.py")])
OUTSIDE_NUMPY = {
    "config.py": {"yaml"},
    "dh_symbolic.py": {"sympy"},
    "dh_tables.py": {"yaml"},
    "toppra_timing.py": {"toppra"},
}
FORBIDDEN = {"time", "logging", "threading", "socket", "subprocess", "asyncio"}


def imports(path: Path) -> set[str]:
    """Full names of every module a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.add(node.module)
    return found


def stdlib(name: str) -> bool:
    import sys

    return name.split(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.name)
def test_core_imports_numpy_and_the_standard_library_only(path):
    own = {name for name in imports(path) if name.startswith("planar_arm_ik")}
    for name in own:
        assert not name.startswith(("planar_arm_ik.nodes", "planar_arm_ik.cli")), name
    allowed = {"numpy", *OUTSIDE_NUMPY.get(path.name, set())}
    others = {name for name in imports(path) - own if not stdlib(name)}
    assert {name.split(".")[0] for name in others} <= allowed
    assert not imports(path) & FORBIDDEN


def node_modules() -> set[str]:
    """Modules that hold a node: the ones entry.py starts."""
    tree = ast.parse((PACKAGE / "nodes" / "entry.py").read_text())
    table = next(
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "NODES"
    )
    return {module for module, _ in ast.literal_eval(table).values()}


def test_nodes_never_import_nodes():
    modules = node_modules()
    assert modules
    for module in modules:
        path = PACKAGE.parent / (module.replace(".", "/") + ".py")
        assert not imports(path) & modules, path


def test_the_core_has_no_mutable_module_state():
    for path in CORE:
        for node in ast.walk(ast.parse(path.read_text())):
            assert not isinstance(node, ast.Global), f"{path}: global statement"


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("viewer/*.py")), ids=lambda p: p.name)
def test_the_page_knows_no_ros(path):
    allowed = {"numpy", "viser", "trimesh", "websockets", "planar_arm_ik"}
    others = {name for name in imports(path) if not stdlib(name)}
    assert {name.split(".")[0] for name in others} <= allowed
    assert not any(name.startswith("planar_arm_ik.nodes") for name in others)


def test_scene_and_launch_plan_know_neither_viewer_nor_launch():
    plan = PACKAGE / "launching" / "plan.py"
    for path in (*PACKAGE.glob("scene/*.py"), plan):
        for name in imports(path):
            assert not name.startswith(("planar_arm_ik.viewer", "launch")), path
