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

#: Files whose arms, servos or loops move in real time.
_REAL_TIME = ("test_node_", "test_servo_", "test_cli_servo", "test_paced_loop")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what moves in real time last, and the browser, which draws on every core, first."""
    items.sort(
        key=lambda item: (
            item.path.name.startswith(_REAL_TIME),
            not item.path.name.startswith("test_browser_"),
        )
    )


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
