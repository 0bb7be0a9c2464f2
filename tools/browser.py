"""A headless Chromium driven through its DevTools protocol: clicks, drags, text, screenshots."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

#: Names under which systems install the browser.
NAMES = ("chromium", "chromium-browser", "google-chrome")

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--remote-debugging-port=0",
)


def find_browser() -> str | None:
    """Path of an installed Chromium, None without one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Tab:
    """One tab of a running browser.

    Attributes:
        requested: every URL the tab has asked for.
    """

    def __init__(self, socket: Any, width: int, height: int) -> None:
        self._socket = socket
        self._number = 0
        self.width, self.height = width, height
        self.requested: list[str] = []
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and wait for its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        self._socket.send(json.dumps(message))
        while True:
            answer = json.loads(self._socket.recv(timeout=60.0))
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Network.requestWillBeSent":
            self.requested.append(event["params"]["request"]["url"])
        if event.get("method") == "Network.webSocketCreated":
            self.requested.append(event["params"]["url"])

    def resize(self, width: int, height: int, mobile: bool = False) -> None:
        """Set the size of the window [px]."""
        self.width, self.height = width, height
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )

    def open(self, url: str) -> None:
        """Load a page."""
        self.call("Page.navigate", url=url)

    def evaluate(self, expression: str) -> Any:
        """Value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value")

    def text(self, selector: str) -> str:
        """Visible text of the first element of a selector, "" without one."""
        found = self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")
        return str(found or "")

    def settle(self, frames: int = 3) -> None:
        """Wait until the page has drawn a few more frames."""
        self.call(
            "Runtime.evaluate",
            expression=f"new Promise(done => {{ let n = {frames}; const f = () => "
            "n-- > 0 ? requestAnimationFrame(f) : done(); f(); })",
            awaitPromise=True,
        )

    def wait(self, done: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
        """Poll until something is so.

        Raises:
            TimeoutError: it was not so within `seconds`.
        """
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds} s in vain for {what}")
            time.sleep(0.05)

    def mouse(self, kind: str, x: float, y: float, buttons: int = 0) -> None:
        """Send one mouse event: mousePressed, mouseMoved or mouseReleased."""
        button = "none" if kind == "mouseMoved" and not buttons else "left"
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button=button,
            buttons=buttons,
            clickCount=0 if kind == "mouseMoved" else 1,
        )

    def drag(self, points: list[tuple[float, float]], pause: float = 0.06) -> None:
        """Press at the first point, move through the others, release at the last."""
        (x, y), *rest = points
        self.mouse("mouseMoved", x, y)
        time.sleep(pause)
        self.mouse("mousePressed", x, y, 1)
        time.sleep(pause)
        for x, y in rest:
            self.mouse("mouseMoved", x, y, 1)
            time.sleep(pause)
        self.mouse("mouseReleased", x, y)

    def click(self, x: float, y: float) -> None:
        """Click at a place."""
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)

    def place_of(self, text: str, selector: str = "button") -> tuple[float, float] | None:
        """Centre of the visible element whose text begins with `text`, None without one."""
        script = (
            f"(() => {{ for (const e of document.querySelectorAll({json.dumps(selector)})) {{"
            f" if (!e.innerText.trim().startsWith({json.dumps(text)})) continue;"
            " e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect();"
            " if (r.width > 0) return [r.x + r.width / 2, r.y + r.height / 2]; } return null; })()"
        )
        place = self.evaluate(script)
        return None if place is None else (float(place[0]), float(place[1]))

    def press(self, text: str, selector: str = "button") -> None:
        """Click the element whose text begins with `text`, once it is there."""
        self.wait(lambda: self.place_of(text, selector) is not None, f"{selector} {text!r}")
        place = self.place_of(text, selector)
        assert place is not None
        self.click(*place)

    def key(self, key: str, code: str) -> None:
        """Press and release a key, given as DOM key and code."""
        self.key_down(key, code)
        self._key("keyUp", key, code)

    def key_down(self, key: str, code: str) -> None:
        """Press a key and hold it."""
        self._key("keyDown", key, code)

    def key_up(self, key: str, code: str) -> None:
        """Release a key."""
        self._key("keyUp", key, code)

    def _key(self, kind: str, key: str, code: str) -> None:
        self.call(
            "Input.dispatchKeyEvent",
            type=kind,
            key=key,
            code=code,
            text=key if kind == "keyDown" and len(key) == 1 else "",
            windowsVirtualKeyCode=ord(key.upper()) if len(key) == 1 else 0,
        )

    def screenshot(self, path: Path) -> None:
        """Save what the tab shows as PNG."""
        answer = self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))


@contextlib.contextmanager
def browser(width: int = 1280, height: int = 800) -> Iterator[Tab]:
    """Start a browser with one tab; leaving the block ends it.

    Raises:
        RuntimeError: no Chromium is installed, or it does not start.
    """
    from websockets.sync.client import connect

    program = find_browser()
    if program is None:
        raise RuntimeError(f"no browser: install one of {', '.join(NAMES)}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [program, *_FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "TMPDIR": profile},  # it leaves folders of its own there
        )
        try:
            url = _tab_url(Path(profile) / "DevToolsActivePort", process)
            with connect(url, max_size=None, proxy=None) as socket:
                yield Tab(socket, width, height)
        finally:
            _end(process)


def _tab_url(port_file: Path, process: subprocess.Popen[bytes]) -> str:
    """Wait for the DevTools port and return the WebSocket of the first tab."""
    end = time.monotonic() + 60.0
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError, ValueError, IndexError, urllib.error.URLError):
            port = int(port_file.read_text().split()[0])
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=5) as reply:
                tabs = json.load(reply)
            return next(str(t["webSocketDebuggerUrl"]) for t in tabs if t["type"] == "page")
        time.sleep(0.1)
    raise RuntimeError("the browser did not start")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the browser and the helper processes of its session."""
    process.terminate()
    try:
        process.wait(timeout=5.0)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait(timeout=5.0)
