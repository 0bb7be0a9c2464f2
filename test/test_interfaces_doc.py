"""The table of topics names what the nodes really create."""

import ast
from pathlib import Path

import pytest

from places import ROOT

TABLE = (ROOT / "docs" / "interfaces.md").read_text()
MAKERS = {
    "create_publisher",
    "create_subscription",
    "create_service",
    "create_client",
    "ActionServer",
    "ActionClient",
    "PolledSubscription",
    "PromptService",
    "OtherOwner",
}


def names(path: Path) -> set[str]:
    """Topic, service and action names given as text where something is created."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else function.id
            if name in MAKERS:
                texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
                found |= {text for text in texts if isinstance(text, str)}
    return found


@pytest.mark.parametrize(
    "path", sorted((ROOT / "planar_arm_ik" / "nodes").rglob("*.py")), ids=lambda path: path.stem
)
def test_every_name_a_node_creates_is_in_the_table(path):
    inner = {name for name in names(path) if "/_action/" in name}
    missing = {name for name in names(path) - inner if f"`{name}`" not in TABLE}
    assert not missing


def test_the_search_finds_names():
    everything = set().union(*map(names, (ROOT / "planar_arm_ik" / "nodes").rglob("*.py")))
    assert {"~/solve", "~/twist", "joint_states", "path_executor/execute_path"} <= everything
