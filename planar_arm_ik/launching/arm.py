"""One arm of a launch: its names, its description, and its nodes as actions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch.actions import ExecuteProcess, LogInfo
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import ExecutableInPackage

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.launching.plan import namespace_and_prefix, truth

_PACKAGE = "planar_arm_ik"


class LaunchedArm:
    """Values of the arguments, and what is made of them.

    Args:
        values: argument values by name.

    Raises:
        PlanarArmError: a value breaks its rule.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = values
        self.namespace, self.prefix = namespace_and_prefix(values["name"])
        share = Path(get_package_share_directory(_PACKAGE))
        self.config = Path(values["config"] or share / "config" / "arm.yaml").absolute()
        if not self.config.is_file():
            raise PlanarArmError(f"config:={self.config} is not a file")
        self.share = share

    def flag(self, name: str) -> bool:
        """Value of a true-or-false argument."""
        return truth(name, self.values[name])

    def node(
        self,
        executable: str,
        remappings: Mapping[str, str] | None = None,
        settings: str = "",
        **parameters: Any,
    ) -> Node:
        """A node of this package in the arm's namespace, with the arm's parameters.

        Args:
            executable: name of the node.
            remappings: topic names to topic names.
            settings: name of a further parameter file in the package's ``config/``.
            parameters: further parameters; they win.
        """
        files = [str(self.share / "config" / settings)] if settings else []
        return Node(
            package=_PACKAGE,
            executable=executable,
            name=executable,
            namespace=self.namespace,
            parameters=[str(self.config), *files, {"prefix": self.prefix, **parameters}],
            remappings=list((remappings or {}).items()),
            output="screen",
        )

    def other_node(self, package: str, executable: str, **options: Any) -> Node | LogInfo:
        """A node of another package, or a line that says that package is missing."""
        if not installed(package):
            return LogInfo(msg=missing(package))
        return Node(
            package=package, executable=executable, namespace=self.namespace, output="screen",
            **options,
        )  # fmt: skip

    def description(self, hardware: str = "") -> str:
        """Robot description (URDF) of the arm.

        Args:
            hardware: argument ``ros2_control_hardware``.

        Raises:
            PlanarArmError: xacro is missing, or the configuration makes no description.
        """
        try:
            import xacro
        except ImportError:
            raise PlanarArmError(
                "the robot description needs xacro: sudo apt install ros-$ROS_DISTRO-xacro, "
                "or pip install xacro"
            ) from None
        arguments = {
            "config": str(self.config),
            "prefix": self.prefix,
            "ros2_control_hardware": hardware,
        }
        path = self.share / "urdf" / "planar_arm.urdf.xacro"
        try:
            text: str = xacro.process_file(str(path), mappings=arguments).toxml()
        except Exception as error:  # xacro has no common base of its errors
            raise PlanarArmError(f"no robot description from {self.config}: {error}") from None
        return text

    def state_publisher(self, hardware: str = "") -> Node | LogInfo:
        """robot_state_publisher with the description as a plain string, never as YAML."""
        text = ParameterValue(self.description(hardware), value_type=str)
        return self.other_node(
            "robot_state_publisher",
            "robot_state_publisher",
            parameters=[{"robot_description": text}],
        )

    def tracer(self) -> ExecuteProcess:
        """The demo's path, on the nodes that run already."""
        program = ExecutableInPackage("planar-arm", _PACKAGE)
        options = ["--attach", "--name", self.namespace, "--config", str(self.config)]
        return ExecuteProcess(cmd=[program, "demo", *options], output="screen")

    def rviz(self) -> list[Any]:
        """RViz on this arm's frame, and the markers it shows."""
        window = self.other_node(
            "rviz2",
            "rviz2",
            name="rviz",
            arguments=[
                "-d", str(self.share / "config" / "planar_arm.rviz"),
                "-f", f"{self.prefix}base_link",
            ],
        )  # fmt: skip
        return [self.node("markers"), window]


def installed(package: str) -> bool:
    """Whether a ROS package can be found."""
    try:
        get_package_share_directory(package)
    except PackageNotFoundError:
        return False
    return True


def missing(package: str) -> str:
    """What to say about a package that is not there."""
    debian = package.replace("_", "-")
    return f"{package} is not installed and left out: sudo apt install ros-$ROS_DISTRO-{debian}"
