import http.client

import pytest

from planar_arm_ik.errors import PlanarArmError
from planar_arm_ik.viewer.guard import LOOPBACK_NAMES, guarded_server, is_loopback, refusal

PAGE = "localhost:8080"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": PAGE},
        {"Host": "127.0.0.1"},
        {"Host": "[::1]:8080"},
        {"Host": "LOCALHOST:9000", "Origin": "http://localhost:9000"},
        {"Host": PAGE, "Origin": "http://localhost:8080"},
    ],
)
def test_the_own_page_passes(headers):
    assert refusal(headers, LOOPBACK_NAMES) == ""


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Host": ""},
        {"Host": "evil.example"},
        {"Host": "localhost.evil.example:8080"},
        {"Host": "[bad"},
        {"Host": PAGE, "Origin": "http://evil.example"},
        {"Host": PAGE, "Origin": "http://localhost:3000"},
        {"Host": PAGE, "Origin": "null"},
        {"Host": PAGE, "Origin": ""},
        {"Host": PAGE, "Origin": "file://localhost:8080"},
        {"Host": PAGE, "Origin": "http://localhost:8080.evil.example"},
        {"Host": "evil.example:8080", "Origin": "http://evil.example:8080"},
    ],
)
def test_anything_foreign_is_refused_with_a_reason(headers):
    assert refusal(headers, LOOPBACK_NAMES)


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False),
     ("192.168.1.2", False), ("example.org", False)],
)  # fmt: skip
def test_loopback_addresses_are_known(host, expected):
    assert is_loopback(host) is expected


@pytest.fixture(scope="module")
def server():
    pytest.importorskip("viser")
    server = guarded_server("127.0.0.1", 0, ["robot.local"])
    yield server
    server.stop()


def answer(server, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.get_port(), timeout=5)
    try:
        connection.request(
            "GET", "/", headers={k.replace("_", "-"): v for k, v in headers.items()}
        )
        return connection.getresponse().status
    finally:
        connection.close()


def test_the_running_server_gives_its_page_to_its_own_names_only(server):
    own = f"127.0.0.1:{server.get_port()}"
    assert answer(server, Host=own) == 200
    assert answer(server, Host="robot.local") == 200
    assert answer(server, Host="evil.example") == 403
    assert answer(server, Host=own, Origin="http://evil.example") == 403


def test_the_running_server_opens_no_websocket_to_a_foreign_page(server):
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    url = f"ws://127.0.0.1:{server.get_port()}"
    with pytest.raises(InvalidStatus) as refused:
        connect(url, origin="http://evil.example", open_timeout=5)
    assert refused.value.response.status_code == 403
    with connect(url, origin=url.replace("ws:", "http:"), open_timeout=5) as own:
        assert own.response.status_code == 101


def test_the_guard_is_in_no_other_server_of_the_process(server):
    from websockets.asyncio import server as websockets_server

    assert websockets_server.serve.__module__.startswith("websockets")


def test_a_client_cannot_have_the_page_published(server):
    from viser import _messages

    handlers = server._websock_server._incoming_handlers
    assert _messages.ShareUrlRequest not in handlers


def test_an_address_of_another_machine_is_refused_in_words():
    pytest.importorskip("viser")
    with pytest.raises(PlanarArmError, match=r"203\.0\.113\.7"):
        guarded_server("203.0.113.7", 0)
