"""A private ROS domain for every test run, and the set-up the rings share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from private_place import TemporaryPlace, claim_domain

_PLACE = pytest.StashKey()
_DOMAIN = pytest.StashKey()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give the run its own temporary folder and ROS domain."""
    config.stash[_PLACE] = TemporaryPlace()
    config.stash[_DOMAIN] = claim_domain()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run when something was left behind."""
    if session.config.stash[_PLACE].left_behind() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Name what was left behind."""
    for name in config.stash[_PLACE].left_behind():
        terminalreporter.write_line(f"LEFT BEHIND by this run: {name}", red=True)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder and let the domain go."""
    config.stash[_PLACE].remove()
    config.stash[_DOMAIN].close()


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
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every test with its ring; the browser, which draws on every core, runs first.

    Long runs (`faults`) are left out unless the command line speaks of them.
    """
    rings = {item: ring_of(item) for item in items}
    for item, ring in rings.items():
        item.add_marker(ring)
    if "faults" not in config.option.markexpr:
        long = [item for item, ring in rings.items() if ring == "faults"]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item, ring in rings.items() if ring != "faults"]
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
