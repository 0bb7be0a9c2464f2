"""The venv: wheels by pip, and the one repair that the ROS wheels need."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import sysconfig
from pathlib import Path

from env_error import SetupError
from env_place import Place, drop_stamp, fingerprint, read_stamp, write_stamp
from env_run import clean, quiet_python, run_logged, stage

BUILD_MACHINE_PYTHON = re.compile(
    r"/opt/python/[^/;\"\s]+/(include/python3\.\d+t?|lib/python3\.\d+t?/site-packages)"
)


def is_current(place: Place) -> bool:
    """Tell whether the venv is complete for these requirements and this place."""
    return (
        read_stamp(place, "wheels") == f"{origin(place)} {wanted(place)}" and place.python.exists()
    )


def is_bench_current(place: Place) -> bool:
    """Tell whether the comparison solvers are installed."""
    return read_stamp(place, "bench") == bench_wanted(place)


def install(place: Place) -> None:
    """Make the venv or bring it up to date.

    A venv without a stamp (interrupted) or of another origin (the checkout was moved, another
    Python) is made anew; one that only lacks newer requirements gets them on top.
    """
    if is_current(place):
        return
    keep = read_stamp(place, "wheels").startswith(origin(place)) and place.python.exists()
    for name in ("wheels", "bench", "interfaces", "package"):
        drop_stamp(place, name)
    if not keep:
        make_venv(place)
    if place.uses_wheels:
        with stage(f"installing the ROS 2 {place.name} wheels"):
            pip_install(place, [place.requirements(place.name), place.requirements("common")])
            repair(place)
    else:
        with stage("installing what ROS does not bring"):
            pip_install(place, [place.requirements("ros")], constraint=numpy_pin(place))
    write_stamp(place, "wheels", f"{origin(place)} {wanted(place)}")


def install_bench(place: Place) -> None:
    """Install the comparison solvers into the same venv: they are pinned to the same NumPy."""
    if is_bench_current(place):
        return
    if not place.uses_wheels:
        raise SetupError(
            "the other solvers need their own NumPy, take the wheels: make bench DISTRO=kilted"
        )
    drop_stamp(place, "bench")
    with stage("installing the solvers to compare with"):
        pip_install(place, [place.requirements("bench")])
    write_stamp(place, "bench", bench_wanted(place))


def origin(place: Place) -> str:
    """What a venv cannot survive a change of: its path and its interpreter."""
    return fingerprint([str(place.venv), sys.version, sys.base_prefix], [])


def wanted(place: Place) -> str:
    """Hash of the requirements."""
    names = [place.name, "common"] if place.uses_wheels else ["ros"]
    return fingerprint([], [place.requirements(name) for name in names])


def bench_wanted(place: Place) -> str:
    """Hash of the requirements of the benchmarks, on this venv."""
    return fingerprint([origin(place)], [place.requirements("bench")])


def make_venv(place: Place) -> None:
    """Make an empty venv; on top of ROS one that sees the system's packages."""
    shutil.rmtree(place.venv, ignore_errors=True)
    options = [] if place.uses_wheels else ["--system-site-packages"]
    with stage(f"making a virtual environment in .env/{place.name}"):
        command = [sys.executable, "-m", "venv", *options, str(place.venv)]
        run_logged(place, "venv", command, "the virtual environment could not be made")


def pip_install(place: Place, files: list[Path], constraint: str = "") -> None:
    """Install requirement files, quietly: wheels by uv where it can be had, else by pip."""
    arguments = [f"--requirement={file}" for file in files]
    if constraint:
        file = place.folder / "constraint.txt"
        file.write_text(constraint + "\n")
        arguments.append(f"--constraint={file}")
    if place.uses_wheels:  # on top of ROS only pip is sure to see what the system has
        with contextlib.suppress(SetupError):
            install_by_uv(place, arguments)
            return
    run_logged(
        place,
        "pip",
        [*pip(place), "--no-warn-script-location", *arguments],
        "pip could not install the wheels",
        hint=network_hint,
    )


def pip(place: Place) -> list[str]:
    """Give the start of a quiet `pip install`."""
    isolated = ["-I"] if place.uses_wheels else []  # a foreign PYTHONPATH would count as installed
    options = ["--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
    return [str(place.python), *isolated, "-m", "pip", "install", *options]


def install_by_uv(place: Place, arguments: list[str]) -> None:
    """Install with uv from the same index as pip.

    Raises:
        SetupError: uv is not to be had, or did not manage; pip has the last word.
    """
    run_logged(place, "uv", [*pip(place), "uv"], "pip could not install uv")
    environ = clean(os.environ)
    if "PIP_INDEX_URL" in environ:
        environ.setdefault("UV_DEFAULT_INDEX", environ["PIP_INDEX_URL"])
    if "PIP_CERT" in environ:
        environ.setdefault("SSL_CERT_FILE", environ["PIP_CERT"])
    command = [str(place.python), "-m", "uv", "pip", "install", "--quiet", "--compile-bytecode"]
    command += ["--python", str(place.python), "--no-config", *arguments]
    run_logged(place, "uv", command, "uv could not install the wheels", environ=environ)


def network_hint(output: str) -> str:
    """Say so when pip's trouble was the network."""
    signs = (
        "NewConnectionError",
        "Temporary failure in name resolution",
        "ConnectTimeout",
        "ProxyError",
        "ReadTimeout",
    )
    if any(sign in output for sign in signs):
        return (
            "the package index cannot be reached, "
            "check the network (or PIP_INDEX_URL) and run the same line again"
        )
    if "No space left" in output:
        return "the disk is full, make room and run the same line again"
    return ""


def numpy_pin(place: Place) -> str:
    """Keep the NumPy that ROS was compiled against."""
    result = quiet_python(place, "import rclpy, numpy; print(numpy.__version__)")
    if result.returncode:
        raise SetupError(
            f"ROS is sourced but {sys.executable} cannot import its rclpy and numpy, "
            "name the Python of that ROS: make setup PYTHON=/usr/bin/python3"
        )
    return f"numpy=={result.stdout.strip()}"


def repair(place: Place) -> None:
    """Point the wheels' CMake files at this venv's Python."""
    site_packages = quiet_python(
        place, "import sysconfig; print(sysconfig.get_path('purelib'))"
    ).stdout.strip()
    include = sysconfig.get_path("include")
    for file in place.venv.glob("share/*/cmake/*.cmake"):
        text = file.read_text()
        mended = repair_text(text, include, site_packages)
        if mended != text:
            file.write_text(mended)


def repair_text(text: str, include: str, site_packages: str) -> str:
    """Replace the directories of the machine that built the wheels."""
    return BUILD_MACHINE_PYTHON.sub(
        lambda found: include if found[1].startswith("include") else site_packages, text
    )
