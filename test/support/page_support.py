"""Asking a page by hand."""

from __future__ import annotations

import http.client
import socket
import time


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answer(port: int, host: str = "127.0.0.1", **headers: str) -> int | None:
    """Status of a GET of the page; None when nobody answers."""
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/", headers=headers)
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


def wait_for_page(port: int, seconds: float = 30.0) -> None:
    """Wait until the page is served."""
    end = time.monotonic() + seconds
    while answer(port) is None:
        assert time.monotonic() < end, "waited in vain for the page"
        time.sleep(0.05)
