"""The RViz file: only displays that exist, only topics that the nodes publish or hear."""

import pytest
import yaml

from places import ROOT
from planar_arm_ik.config import load_description

MANAGER = yaml.safe_load((ROOT / "config" / "planar_arm.rviz").read_text())[
    "Visualization Manager"
]

#: Display classes of rviz_default_plugins (plugins_description.xml), with their message.
DISPLAYS = {
    "rviz_default_plugins/Grid": None,
    "rviz_default_plugins/TF": None,
    "rviz_default_plugins/RobotModel": "std_msgs/msg/String",
    "rviz_default_plugins/MarkerArray": "visualization_msgs/msg/MarkerArray",
    "rviz_default_plugins/Path": "nav_msgs/msg/Path",
}
TOOLS = {
    "rviz_default_plugins/PublishPoint",
    "rviz_default_plugins/MoveCamera",
    "rviz_default_plugins/FocusCamera",
    "rviz_default_plugins/Measure",
}


def topics():
    """Topic and message of each display that has one."""
    found = {}
    for display in MANAGER["Displays"]:
        topic = display.get("Topic", display.get("Description Topic"))
        if topic is not None:
            found[topic["Value"]] = DISPLAYS[display["Class"]]
    return found


def clicked():
    (tool,) = [t for t in MANAGER["Tools"] if t["Class"].endswith("PublishPoint")]
    return tool["Topic"]["Value"]


def test_displays_and_tools_exist_in_rviz():
    assert {display["Class"] for display in MANAGER["Displays"]} <= set(DISPLAYS)
    assert {tool["Class"] for tool in MANAGER["Tools"]} <= TOOLS
    names = [display["Name"] for display in MANAGER["Displays"]]
    assert len(set(names)) == len(names)


def test_the_fixed_frame_is_the_arms_base():
    known = load_description(ROOT / "config" / "arm.yaml")
    assert MANAGER["Global Options"]["Fixed Frame"] == known.base_frame


def test_topics_are_relative_so_that_namespaces_work():
    assert not any(topic.startswith("/") for topic in (*topics(), clicked()))


@pytest.mark.node
def test_every_topic_is_published_and_the_click_is_heard():
    pytest.importorskip("rclpy")
    from ros_support import nodes, peer

    from_elsewhere = {"robot_description": "std_msgs/msg/String"}  # robot_state_publisher
    with nodes(["ik_server", "markers"]), peer() as client:

        def heard():
            return client.node.count_subscribers(clicked()) > 0

        client.until(heard, "a listener to clicks")

        def published():
            return {
                name.lstrip("/"): kinds[0]
                for name, kinds in client.node.get_topic_names_and_types()
                if client.node.count_publishers(name)
            } | from_elsewhere

        client.until(lambda: set(topics()) <= set(published()), "the topics of the displays")
        for topic, message in topics().items():
            assert published()[topic] == message
