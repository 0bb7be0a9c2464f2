"""A viser server that talks to its own page only.

viser checks neither the Origin nor the Host of a request, so any web page in the user's browser
could open its WebSocket and drive the arm (cross-site WebSocket hijacking; DNS rebinding). Here
every request passes :func:`refusal` first.
"""

from __future__ import annotations

import contextlib
import http
import io
import ipaddress
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from planar_arm_ik.errors import PlanarArmError

#: Names under which this machine knows itself.
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

_patching = threading.Lock()


def refusal(headers: Mapping[str, str], allowed: Iterable[str]) -> str:
    """Say why a request is refused, or return "" when it may pass.

    The Host must be one of the allowed names, whatever its port (a port forwarded by ssh has
    another number). An Origin, which browsers send with every WebSocket, must be the very page
    that Host serves; programs that are no browsers send none.

    Args:
        headers: the request's headers.
        allowed: host names without port.
    """
    host = headers.get("Host", "")
    if _name(host) not in allowed:
        return f"Host {host!r} is not one of the names this page may be reached by"
    origin = headers.get("Origin")
    if origin is None:
        return ""
    parts = urlsplit(origin)
    if parts.scheme not in ("http", "https") or parts.netloc.lower() != host.lower():
        return f"Origin {origin!r} is another page"
    return ""


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def guarded_server(host: str, port: int, allowed: Iterable[str] = ()) -> Any:
    """Start a viser server behind the guard.

    Args:
        host: address to listen on.
        port: first port to try; viser takes the next free one (``get_port()`` tells), 0 lets the
            system choose.
        allowed: further host names under which the page may be reached.

    Returns:
        The ``viser.ViserServer``, without the means to publish itself on the internet.

    Raises:
        PlanarArmError: viser is not installed, or the address cannot be used.
    """
    try:
        import viser
        from viser import _messages
    except ImportError:
        raise PlanarArmError(
            "the browser page needs viser: pip install 'viser>=1.1,<1.2'"
        ) from None
    names = LOOPBACK_NAMES | {host} | {name.lower() for name in allowed}
    _check_address(host)
    with _guarding(names), contextlib.redirect_stdout(io.StringIO()):
        server = viser.ViserServer(host=host, port=port, verbose=False)
    for message in (_messages.ShareUrlRequest, _messages.ShareUrlDisconnect):
        server._websock_server.unregister_handler(message)
    return server


def _name(host: str) -> str:
    """Return the name or address of a Host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _check_address(host: str) -> None:
    """Refuse an address this machine does not have; viser would try a thousand ports."""
    import socket

    try:
        family = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((host, 0))
    except OSError as error:
        raise PlanarArmError(f"cannot listen on {host!r}: {error.strerror or error}") from None


@contextlib.contextmanager
def _guarding(names: frozenset[str]) -> Iterator[None]:
    """Put the guard in front of the request handler that viser is about to install.

    viser offers no hook for it; it starts its server by ``websockets.asyncio.server.serve``
    inside its constructor, which returns once the server listens.
    """
    from websockets.asyncio import server as websockets_server

    original = websockets_server.serve

    def serve(*args: Any, process_request: Callable[..., Any], **kwargs: Any) -> Any:
        def guarded(connection: Any, request: Any) -> Any:
            reason = refusal(request.headers, names)
            if reason:
                return connection.respond(http.HTTPStatus.FORBIDDEN, reason + "\n")
            return process_request(connection, request)

        return original(*args, process_request=guarded, **kwargs)

    with _patching:
        websockets_server.serve = serve  # type: ignore[assignment, misc]
        try:
            yield
        finally:
            websockets_server.serve = original  # type: ignore[misc]
