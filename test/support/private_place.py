"""A place of its own for every test run: a ROS domain, a temporary folder, and what stays in it.

Everything under test (and every process it starts) makes its temporary files in a folder that
this run made and removes; what is found there at the end was left behind by something that did
not tidy up, and fails the run.
"""

from __future__ import annotations

import os
import random
import shutil
import socket
import tempfile
from pathlib import Path

_DOMAINS = range(1, 101)
_VARIABLE = "PLANAR_ARM_TEST_PLACE"
#: What the runner itself keeps in the folder while it runs, and ROS's own log folder.
_EXPECTED = ("pytest-of-", "ros_log")


def claim_domain() -> socket.socket:
    """Take a ROS domain no other test run on this host uses, and keep discovery on the host.

    Returns:
        What holds the claim: a socket in Linux's abstract namespace, which leaves no file and is
        let go when the process ends, however it ends.
    """
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    for domain in random.sample(_DOMAINS, len(_DOMAINS)):
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind(f"\0planar_arm_ik_domain_{domain}")
        except OSError:
            claim.close()
            continue
        os.environ["ROS_DOMAIN_ID"] = str(domain)
        return claim
    raise RuntimeError(f"all {len(_DOMAINS)} ROS domains of this host are taken by test runs")


class TemporaryPlace:
    """The folder for temporary files of this run and of all its worker processes."""

    def __init__(self) -> None:
        self._is_owner = _VARIABLE not in os.environ
        if self._is_owner:
            os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="planar_arm_ik_test_")
        self.folder = Path(os.environ[_VARIABLE])
        os.environ["TMPDIR"] = str(self.folder)
        tempfile.tempdir = None
        os.environ["ROS_LOG_DIR"] = str(self.folder / "ros_log")
        self._home_before = _ros_home()

    def left_behind(self) -> list[str]:
        """Name what was left in the folder, or newly in ROS's folder of the user."""
        if not self._is_owner:
            return []
        inside = [path.name for path in self.folder.iterdir()]
        strays = [name for name in inside if not name.startswith(_EXPECTED)]
        return sorted([*strays, *(_ros_home() - self._home_before)])

    def remove(self) -> None:
        """Remove the folder, once all of its users have ended."""
        if self._is_owner:
            os.environ.pop(_VARIABLE, None)
            shutil.rmtree(self.folder, ignore_errors=True)


def _ros_home() -> set[str]:
    """List what ROS has in the user's home."""
    folder = Path.home() / ".ros"
    return {str(path) for path in folder.rglob("*")} if folder.is_dir() else set()
