"""Both packages by colcon, so that edits in the tree take effect without a further build."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from env_activate import base, record
from env_place import Place, drop_stamp, fingerprint, read_stamp, write_stamp
from env_run import run_logged, stage

PACKAGE = "planar_arm_ik"
INTERFACES = "planar_arm_ik_interfaces"
PACKAGE_FILES = ("package.xml", "setup.py", "setup.cfg")
COLCON = "from colcon_core.command import main; raise SystemExit(main())"  # the venv's, or ROS's
INSTALLED_FOLDERS = ("launch", "config", "urdf")


def is_current(place: Place) -> bool:
    """Tell whether both packages were built for these sources."""
    return are_interfaces_current(place) and is_package_current(place)


def are_interfaces_current(place: Place) -> bool:
    """Tell whether the interfaces were built for these sources, in this place, on these wheels."""
    return read_stamp(place, "interfaces") == interfaces_wanted(place)


def is_package_current(place: Place) -> bool:
    """Tell whether the package was built for its set-up files and the files it installs."""
    return read_stamp(place, "package") == package_wanted(place)


def interfaces_wanted(place: Place) -> str:
    """Hash all that the interfaces' build depends on."""
    sources = [path for path in walk(place.root / INTERFACES) if path.is_file()]
    names = [str(path.relative_to(place.root)) for path in sources]
    return fingerprint([str(place.root), read_stamp(place, "wheels"), *names], sources)


def package_wanted(place: Place) -> str:
    """Hash all that the package's build depends on; of what it links to, the names are enough."""
    linked = [path for top in INSTALLED_FOLDERS for path in walk(place.root / top)]
    names = [str(path.relative_to(place.root)) for path in linked]
    files = [place.root / name for name in PACKAGE_FILES]
    return fingerprint([interfaces_wanted(place), *names], files)


def walk(folder: Path) -> list[Path]:
    """List everything below a folder, in order, without caches."""
    return sorted(path for path in folder.rglob("*") if "__pycache__" not in path.parts)


def build(place: Place) -> None:
    """Build what is not current and record the environment that it needs."""
    if is_current(place):
        return
    drop_stamp(place, "package")
    if not are_interfaces_current(place):
        drop_stamp(place, "interfaces")
        with stage("building the interfaces"):
            for name in ("build", "install"):  # colcon keeps files that no longer belong there
                shutil.rmtree(place.folder / name, ignore_errors=True)
            colcon_build(place, INTERFACES)
        write_stamp(place, "interfaces", interfaces_wanted(place))
    with stage("building the package"):
        for name in ("build", "install"):
            shutil.rmtree(place.folder / name / PACKAGE, ignore_errors=True)
        colcon_build(place, PACKAGE)
        free_entry_points(place)
        record(place, (INTERFACES, PACKAGE))
    write_stamp(place, "package", package_wanted(place))


def free_entry_points(place: Place) -> None:
    """Let the environment's Python run the console scripts: a full path may hold a space."""
    for script in (place.folder / "install" / PACKAGE / "lib" / PACKAGE).iterdir():
        first, rest = script.read_text().split("\n", 1)
        if first.startswith("#!"):
            script.write_text(f"#!/usr/bin/env python3\n{rest}")


def colcon_build(place: Place, package: str) -> None:
    """Build one package; the Python is named, or CMake might find another one."""
    command = [
        *(str(place.python), "-c", COLCON),
        *("--log-base", str(place.log / "colcon")),
        *("build", "--symlink-install", "--packages-select", package),
        *("--base-paths", ".", INTERFACES),
        *("--build-base", str(place.folder / "build")),
        *("--install-base", str(place.folder / "install")),
        *("--cmake-args", f"-DPython3_EXECUTABLE={place.python}"),
        *("-DBUILD_TESTING=OFF", "-DCMAKE_BUILD_TYPE=Release"),
    ]
    failure = f"colcon could not build {package}"
    run_logged(place, f"colcon-{package}", command, failure, environ=base(place, os.environ))
