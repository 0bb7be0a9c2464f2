"""Package description of planar_arm_ik for colcon (ament_python) and pip."""

from pathlib import Path

from setuptools import find_packages, setup

NAME = "planar_arm_ik"
SHARE = Path("share", NAME)


def data_files():
    """Everything below launch/, config/ and urdf/, folder by folder, for share/planar_arm_ik."""
    found = {
        "share/ament_index/resource_index/packages": [f"resource/{NAME}"],
        str(SHARE): ["package.xml"],
    }
    for top in ("launch", "config", "urdf"):
        for path in sorted(Path(top).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found.setdefault(str(SHARE / path.parent), []).append(str(path))
    return list(found.items())


setup(
    name=NAME,
    version="0.1.0",
    description="Honest inverse kinematics and motion for a planar two-joint arm under ROS 2",
    maintainer="planar_arm_ik maintainers",
    maintainer_email="maintainers@planar-arm-ik.example",
    license="Apache-2.0",
    packages=find_packages(include=[f"{NAME}", f"{NAME}.*"]),
    package_data={NAME: ["py.typed", "data/*", "data/**/*"]},
    data_files=data_files(),
    python_requires=">=3.10",
    install_requires=["setuptools", "numpy>=1.26", "PyYAML", "rich"],
    extras_require={
        "test": ["pytest>=7.4"],
        "view": ["viser>=1.1,<1.2"],
        "figures": ["matplotlib"],
        "timing": ["toppra"],
        "feetech": ["ftservo-python-sdk"],
        "dynamixel": ["dynamixel-sdk"],
        "pca9685": ["smbus2"],
        "symbolic": ["sympy"],
        "completion": ["argcomplete"],
        "bench": ["EAIK", "numba", "ikpy", "roboticstoolbox-python"],
    },
    zip_safe=False,
    entry_points={
        "console_scripts": [
            f"planar-arm = {NAME}.cli:main",
            f"cartesian_follower = {NAME}.nodes.entry:cartesian_follower",
            f"ik_server = {NAME}.nodes.entry:ik_server",
            f"path_executor = {NAME}.nodes.entry:path_executor",
            f"servo_driver = {NAME}.nodes.entry:servo_driver",
            f"viewer = {NAME}.nodes.entry:viewer",
            f"markers = {NAME}.nodes.entry:markers",
            f"wait_for_state = {NAME}.nodes.entry:wait_for_state",
        ],
    },
)
