"""A private ROS domain for every test run, and the set-up the rings share."""

from __future__ import annotations

import fcntl
import os
import random
import signal
import tempfile
from pathlib import Path

import pytest

_DOMAINS = range(1, 101)


def pytest_configure(config: pytest.Config) -> None:
    """Claim a domain id no other test run on this host uses, and keep discovery on it."""
    folder = Path(tempfile.gettempdir()) / f"planar_arm_ik_domains_{os.getuid()}"
    folder.mkdir(exist_ok=True)
    for domain in random.sample(_DOMAINS, len(_DOMAINS)):
        lock = open(folder / str(domain), "w")  # noqa: SIM115 - held until the run ends
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        config.stash[_LOCK] = lock
        os.environ["ROS_DOMAIN_ID"] = str(domain)
        break
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    os.environ["ROS_LOG_DIR"] = tempfile.mkdtemp(prefix="planar_arm_ik_log_")


_LOCK = pytest.StashKey()

#: The rings, from the inside out: what a test needs decides. What is
#: marked with a ring (long runs with `faults`) is in that one alone.
RINGS = ("faults", "core", "node", "browser", "launch")
_ORDER = ("browser", "core", "launch", "node", "faults")
_PLACES = {"nodes/": "node", "viewer/test_browser_": "browser", "launching/test_launch_": "launch"}


def ring_of(item: pytest.Item) -> str:
    """Name the ring of a test: the one its file is marked with, or that of its folder."""
    names = {mark.name for mark in item.iter_markers()}
    marked = [ring for ring in RINGS if ring in names]
    place = item.path.relative_to(Path(__file__).parent).as_posix()
    by_place = [ring for start, ring in _PLACES.items() if place.startswith(start)]
    return [*marked, *by_place, "core"][0]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test with its ring; the browser, which draws on every core, runs first."""
    rings = {item: ring_of(item) for item in items}
    for item, ring in rings.items():
        item.add_marker(ring)
    items.sort(key=lambda item: _ORDER.index(rings[item]))


@pytest.fixture(autouse=True)
def _own_signals():
    """Ctrl-C ends the test run although a command under test takes the signals over."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    yield
    signal.set_wakeup_fd(-1)
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the servo SDKs wait longer: on a busy machine an emulated servo may answer late."""
    from servo_support import patient_sdks

    patient_sdks(monkeypatch)


@pytest.fixture(scope="session")
def data() -> Path:
    """Folder of the published values."""
    return Path(__file__).parent / "data"
