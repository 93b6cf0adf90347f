"""What only real connections show: responses that are cut off, that stall, or that come too slowly."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from typing import Any, Callable, Iterator, Optional

import pytest

from broadside import AsyncBroadside, Broadside, BroadsideConnectionError, BroadsideTimeoutError, WaitTimeoutError

from .support import NEWCOMER, each_style

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
UP = b'{"status":"up"}'

Behaviour = Callable[[socket.socket], None]


class RawServer:
    """Behaves as told with each connection, in order, and then repeats the last."""

    def __init__(self, *behaviours: Behaviour) -> None:
        self.behaviours = behaviours
        self.count = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.count += 1
            behaviour = self.behaviours[min(self.count, len(self.behaviours)) - 1]
            threading.Thread(target=self.answer, args=(connection, behaviour), daemon=True).start()

    def answer(self, connection: socket.socket, behaviour: Behaviour) -> None:
        with connection:
            connection.recv(65_536)
            try:
                behaviour(connection)
            except OSError:
                pass


def fine(connection: socket.socket) -> None:
    connection.sendall(HEAD % len(UP) + UP)


def cut(connection: socket.socket) -> None:
    connection.sendall(HEAD % 100 + UP)


def stall(connection: socket.socket) -> None:
    connection.sendall(HEAD % 100)
    connection.recv(1)


def drip_head(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"x: y\r\n")
        time.sleep(0.01)


def drip(connection: socket.socket) -> None:
    connection.sendall(HEAD % 10_000)
    while True:
        connection.sendall(b" ")
        time.sleep(0.01)


@pytest.fixture
def serve() -> Iterator[Callable[..., RawServer]]:
    servers: list[RawServer] = []

    def start(*behaviours: Behaviour) -> RawServer:
        servers.append(RawServer(*behaviours))
        return servers[-1]

    yield start
    for server in servers:
        server.socket.close()


def call(style: str, url: str, method: str, *arguments: Any, wait: Optional[float] = None, **options: Any) -> Any:
    more = {} if wait is None else {"timeout": wait}
    if style == "sync":
        with Broadside(base_url=url, **options) as client:
            return getattr(client, method)(*arguments, **more)

    async def run() -> Any:
        async with AsyncBroadside(base_url=url, **options) as client:
            return await getattr(client, method)(*arguments, **more)

    return asyncio.run(run())


@each_style
def test_an_incomplete_response_is_a_failed_attempt(style: str, serve: Callable[..., RawServer]) -> None:
    server = serve(cut, fine)
    assert call(style, server.url, "get_status") == {"status": "up"}
    unsafe = serve(cut, fine)
    with pytest.raises(BroadsideConnectionError):
        call(style, unsafe.url, "create_account", NEWCOMER)
    assert (server.count, unsafe.count) == (2, 1)


@each_style
@pytest.mark.parametrize("behaviour", [stall, drip])
def test_an_attempt_ends_after_its_timeout(style: str, behaviour: Behaviour, serve: Callable[..., RawServer]) -> None:
    with pytest.raises(BroadsideTimeoutError):
        call(style, serve(behaviour).url, "get_status", timeout=0.2, max_retries=0)


def test_an_asynchronous_attempt_ends_while_the_headers_arrive(serve: Callable[..., RawServer]) -> None:
    with pytest.raises(BroadsideTimeoutError):
        call("async", serve(drip_head).url, "get_status", timeout=0.2, max_retries=0)


@each_style
def test_waiting_ends_while_a_poll_is_under_way(style: str, serve: Callable[..., RawServer]) -> None:
    queued: Any = {"id": "post_1", "kind": "message", "status": "queued"}
    with pytest.raises(BroadsideTimeoutError, match="The status of post_1 did not arrive within 0.2 seconds"):
        call(style, serve(stall).url, "wait_for_decision", "post_1", wait=0.2)
    with pytest.raises(WaitTimeoutError) as caught:
        call(style, serve(stall).url, "wait_for_decision", {**queued, "moderation": {"retry_after_seconds": 0}}, wait=0.5)
    assert caught.value.post["id"] == "post_1"


@each_style
def test_a_service_that_is_not_there_is_a_connection_error(style: str) -> None:
    with socket.socket() as reserved:
        # Bound, but nobody listens.
        reserved.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{reserved.getsockname()[1]}"
        with pytest.raises(BroadsideConnectionError, match="^GET /v1/status got no complete response: "):
            call(style, url, "get_status", max_retries=1)
