"""Run a launch file as ``ros2 launch`` does: ``python run_launch.py FILE name:=value ...``."""

from __future__ import annotations

import sys

from launch import LaunchDescription, LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import AnyLaunchDescriptionSource


def main() -> int:
    """Exit code of the launch."""
    path, *arguments = sys.argv[1:]
    pairs = [tuple(argument.split(":=", 1)) for argument in arguments]
    service = LaunchService(argv=arguments)
    source = AnyLaunchDescriptionSource(path)
    service.include_launch_description(
        LaunchDescription([IncludeLaunchDescription(source, launch_arguments=pairs)])
    )
    code: int = service.run()
    return code


if __name__ == "__main__":
    sys.exit(main())
