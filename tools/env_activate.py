"""The variables of an environment: what the build's set-up script adds, before the user's own."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from env_error import SetupError
from env_place import ACTIVE, DISTROS, Place, sourced_distro
from env_run import clean

PATHS = (
    "AMENT_PREFIX_PATH",
    "CMAKE_PREFIX_PATH",
    "COLCON_PREFIX_PATH",
    "LD_LIBRARY_PATH",
    "PATH",
    "PYTHONPATH",
)
DUMP = "import json, os; print(json.dumps(dict(os.environ)))"
SOURCE = """
python=$0 dump=$1
shift
for prefix; do
  COLCON_CURRENT_PREFIX=$prefix
  . "$prefix/share/${prefix##*/}/package.sh" >&2 || exit
done
exec "$python" -c "$dump"
"""


def replace_process(place: Place, command: list[str]) -> int:
    """Become the command, inside the environment."""
    environ = activated(place, os.environ)
    try:
        os.execvpe(command[0], command, environ)
    except OSError as error:
        raise SetupError(f"cannot run {command[0]}: {error.strerror}") from None


def activated(place: Place, environ: Mapping[str, str]) -> dict[str, str]:
    """Give the full environment: base plus the entries recorded after the build."""
    entries = json.loads((place.folder / "environment.json").read_text())
    return with_entries(base(place, environ), entries)


def base(place: Place, environ: Mapping[str, str]) -> dict[str, str]:
    """Give the environment with the venv, before anything of this repository is on it."""
    result = without_foreign(place, clean(environ))
    result["VIRTUAL_ENV"] = str(place.venv)
    result[ACTIVE] = place.name
    result.pop("PYTHONHOME", None)
    result.setdefault("ROS_LOG_DIR", str(place.log / "ros"))
    if "ROS_LOCALHOST_ONLY" not in result:
        result.setdefault("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
    entries = {"PATH": [str(place.venv / "bin")]}
    if place.uses_wheels:
        result["ROS_DISTRO"] = place.name
        result["ROS_VERSION"] = "2"
        result["ROS_PYTHON_VERSION"] = "3"
        entries.update(
            {name: [str(place.venv)] for name in ("AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH")}
        )
        # The wheels' start-up hook sets this by running every Python twice, in random order.
        entries["LD_LIBRARY_PATH"] = library_folders(place)
        result["_ROS_WHEELS_BOOTSTRAP_COMPLETE"] = "1"
    return with_entries(result, entries)


def library_folders(place: Place) -> list[str]:
    """List where the wheels keep shared libraries: ROS's own, and those bundled with them."""
    bundled = sorted(place.venv.glob("lib/python3*/site-packages/ros_*.libs"))
    return [str(place.venv / "lib"), *map(str, bundled)]


def without_foreign(place: Place, environ: Mapping[str, str]) -> dict[str, str]:
    """Drop other environments: this tool's, and a sourced ROS when wheels are asked for."""
    roots = [str(place.root / ".env")]
    if place.uses_wheels and (sourced_distro(environ) or environ.get("ROS_DISTRO") in DISTROS):
        roots += [
            entry for entry in environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if entry
        ]
    result = dict(environ)
    for name in PATHS:
        if name in result:
            kept = [
                e
                for e in result[name].split(os.pathsep)
                if e and not any(is_below(e, r) for r in roots)
            ]
            result[name] = os.pathsep.join(kept)
    return {k: v for k, v in result.items() if v or k not in PATHS}


def is_below(entry: str, folder: str) -> bool:
    """Tell whether a path is a folder or inside it."""
    return entry == folder or entry.startswith(folder.rstrip("/") + "/")


def with_entries(environ: Mapping[str, str], entries: Mapping[str, list[str]]) -> dict[str, str]:
    """Put entries before the ones that path variables have, each once."""
    result = dict(environ)
    for name, new in entries.items():
        old = [
            entry
            for entry in environ.get(name, "").split(os.pathsep)
            if entry and entry not in new
        ]
        result[name] = os.pathsep.join([*new, *old])
    return result


def record(place: Place, packages: Sequence[str]) -> None:
    """Source the packages' set-up scripts once and keep what they add to each path variable.

    The script above them, `local_setup.sh`, cannot live with a space in its path.
    """
    before = base(place, os.environ)
    install = place.folder / "install"
    prefixes = [str(install / package) for package in packages]
    command = ["/bin/sh", "-c", SOURCE, str(place.python), DUMP, *prefixes]
    done = subprocess.run(command, env=before, capture_output=True, text=True, cwd=place.folder)
    if done.returncode:
        raise SetupError(f"the build's set-up script failed: {done.stderr.strip()[-300:]}")
    after = json.loads(done.stdout)
    entries = {name: added(before.get(name, ""), after.get(name, "")) for name in PATHS}
    scripts = [str(Path(prefix, "lib", Path(prefix).name)) for prefix in prefixes]
    entries["PATH"] = [*filter(os.path.isdir, scripts), *entries["PATH"]]
    (place.folder / "environment.json").write_text(json.dumps(entries, indent=1))


def added(before: str, after: str) -> list[str]:
    """List the entries of a path variable that were not there before."""
    old = before.split(os.pathsep)
    return [entry for entry in after.split(os.pathsep) if entry and entry not in old]
