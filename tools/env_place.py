"""Where an environment lives, on what it rests, its stamps and its lock."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from env_error import SetupError

DISTROS = ("kilted", "jazzy")
ACTIVE = "PLANAR_ARM_ENVIRONMENT"  # name of the place whose environment is active
ROS_PREFIX = "ros-"


@dataclass(frozen=True)
class Place:
    """One environment: `.env/<name>` of a checkout, on wheels or on a sourced ROS installation."""

    root: Path
    name: str

    @property
    def uses_wheels(self) -> bool:
        """Whether ROS comes from PyPI."""
        return not self.name.startswith(ROS_PREFIX)

    @property
    def folder(self) -> Path:
        """Everything of this environment."""
        return self.root / ".env" / self.name

    @property
    def venv(self) -> Path:
        """The virtual environment."""
        return self.folder / "venv"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.venv / "bin" / "python"

    @property
    def log(self) -> Path:
        """Where the output of pip and colcon goes."""
        return self.folder / "log"

    def requirements(self, name: str) -> Path:
        """Give the requirements file of this name."""
        return self.root / "requirements" / f"{name}.txt"


def choose_place(root: Path, environ: Mapping[str, str]) -> Place:
    """Take the sourced ROS installation if there is one, else the wheels of `DISTRO`.

    A `DISTRO` other than the sourced one asks for wheels. Inside an active environment the
    variables are the tool's own and say nothing about ROS: the same place is used again.
    """
    wanted = environ.get("DISTRO", "")
    if wanted and wanted not in DISTROS and wanted != environ.get("ROS_DISTRO"):
        raise SetupError(f"DISTRO={wanted} is not known, wheels exist for: {', '.join(DISTROS)}")
    active = environ.get(ACTIVE, "")
    if active and wanted in ("", active.replace(ROS_PREFIX, "")):
        return Place(root, active)
    sourced = "" if active else sourced_distro(environ)
    if sourced and wanted in ("", sourced):
        return Place(root, ROS_PREFIX + sourced)
    return Place(root, wanted or DISTROS[0])


def sourced_distro(environ: Mapping[str, str]) -> str:
    """Name the ROS installation that is sourced and has rclpy, or ''."""
    prefixes = environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    has_rclpy = any(Path(prefix, "share", "rclpy").is_dir() for prefix in prefixes if prefix)
    return environ.get("ROS_DISTRO", "") if has_rclpy else ""


def fingerprint(texts: Iterable[str], files: Iterable[Path]) -> str:
    """Hash texts and the names and contents of files."""
    total = hashlib.sha256(json.dumps(list(texts)).encode())
    for file in files:
        content = file.read_bytes() if file.is_file() else b"missing"
        total.update(f"{file.name}\0{hashlib.sha256(content).hexdigest()}\0".encode())
    return total.hexdigest()


def read_stamp(place: Place, stage: str) -> str:
    """Give what the stage was last completed for, or ''."""
    try:
        return (place.folder / f"{stage}.stamp").read_text()
    except OSError:
        return ""


def write_stamp(place: Place, stage: str, value: str) -> None:
    """Say that the stage is complete for `value`; all or nothing, also when the machine stops."""
    temporary = place.folder / f"{stage}.stamp.new"
    temporary.write_text(value)
    temporary.replace(place.folder / f"{stage}.stamp")


def drop_stamp(place: Place, stage: str) -> None:
    """Say that the stage is not complete (any more)."""
    (place.folder / f"{stage}.stamp").unlink(missing_ok=True)


@contextlib.contextmanager
def lock(place: Place) -> Iterator[None]:
    """Hold the place alone, until this process and what it started (pip, colcon) have ended."""
    try:
        place.folder.mkdir(parents=True, exist_ok=True)
        handle = open(place.folder / "lock", "w")  # noqa: SIM115 - held over the yield
    except OSError as error:
        raise SetupError(f"cannot write to {place.folder}: {error.strerror}") from None
    with handle:
        os.set_inheritable(handle.fileno(), True)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("planar_arm_ik: waiting for another set-up of this folder", file=sys.stderr)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
