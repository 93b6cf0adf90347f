from __future__ import annotations

import gzip
import socket
import time
import zlib
from contextlib import contextmanager
from threading import Thread
from typing import Callable, Iterator

import httpx
import pytest

from broadside._verify.refusal import Refusal
from broadside._verify.sources import read_url

Answer = Callable[[socket.socket, bytes], None]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """A server on a socket of its own. `answer` gets each connection and the request on it."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                Thread(target=serve, args=(connection,), daemon=True).start()

        def serve(connection: socket.socket) -> None:
            with connection:
                try:
                    answer(connection, connection.recv(65536))
                except OSError:
                    pass

        Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/file"


def response(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def read(answer: Answer, seconds: float = 20) -> object:
    """The body, or the refusal."""
    with serving(answer) as url, httpx.Client(follow_redirects=True) as http:
        try:
            return read_url(url, http, seconds)
        except Refusal as refusal:
            return refusal.code


def test_the_body_is_asked_for_without_compression() -> None:
    def echo(connection: socket.socket, request: bytes) -> None:
        connection.sendall(response(request))

    found = read(echo)
    assert isinstance(found, bytes) and b"accept-encoding: identity\r\n" in found.lower()


def test_a_server_that_always_compresses_is_decompressed_once() -> None:
    body = gzip.compress(b"A post.")
    assert read(lambda to, _: to.sendall(response(body, "Content-Encoding: gzip"))) == b"A post."


def test_a_body_that_grows_without_end_is_refused() -> None:
    bomb = gzip.compress(bytes(17 * 2**20))
    assert read(lambda to, _: to.sendall(response(bomb, "Content-Encoding: gzip"))) == "response_too_large"
    assert read(lambda to, _: to.sendall(response(bytes(17 * 2**20)))) == "response_too_large"


@pytest.mark.parametrize("encoding", ["gzip, gzip", "deflate", "br", "gzip,identity"])
def test_no_other_encoding_is_decoded(encoding: str) -> None:
    body = gzip.compress(gzip.compress(bytes(2**20)))
    assert read(lambda to, _: to.sendall(response(body, f"Content-Encoding: {encoding}"))) == "unavailable"


@pytest.mark.parametrize("body", [b"", b"A post.", gzip.compress(b"A post.")[:-1], gzip.compress(b"A") * 2], ids=range(4))
def test_what_is_not_one_gzip_stream_is_no_answer(body: bytes) -> None:
    assert read(lambda to, _: to.sendall(response(body, "Content-Encoding: gzip"))) == "unavailable"


def forever(start: bytes, more: bytes) -> Answer:
    def answer(connection: socket.socket, _: bytes) -> None:
        connection.sendall(start)
        while True:
            connection.sendall(more)
            time.sleep(0.01)

    return answer


_EMPTY_DEFLATE = zlib.compressobj(wbits=31).flush(zlib.Z_SYNC_FLUSH)
_HEAD = b"HTTP/1.1 200 OK\r\n"
ENDLESS = {
    "interim responses": forever(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "slow headers": forever(_HEAD, b"X"),
    "a slow body": forever(_HEAD + b"\r\n", b"X"),
    "nothing in many blocks": forever(_HEAD + b"Content-Encoding: gzip\r\n\r\n" + _EMPTY_DEFLATE, b"\0\0\0\xff\xff"),
    "the body of a redirect": forever(b"HTTP/1.1 302 Found\r\nLocation: /file\r\n\r\n", b"X"),
}


@pytest.mark.parametrize("answer", ENDLESS.values(), ids=ENDLESS)
def test_an_answer_without_end_is_no_answer(answer: Answer) -> None:
    assert read(answer, seconds=1) == "unavailable"


def test_redirects_are_followed_without_reading_their_bodies() -> None:
    bomb = gzip.compress(gzip.compress(bytes(2**20)))

    def answer(connection: socket.socket, request: bytes) -> None:
        target = request.split()[1]
        moved = response(bomb, "Content-Encoding: gzip, gzip", "Location: /there", status="302 Found")
        connection.sendall(response(b"A post.") if target == b"/there" else moved)

    assert read(answer) == b"A post."
    assert read(lambda to, _: to.sendall(response(b"", "Location: /file", status="302 Found"))) == "unavailable"


def test_a_missing_file_and_an_error_differ() -> None:
    assert read(lambda to, _: to.sendall(response(b"", status="410 Gone"))) is None
    assert read(lambda to, _: to.sendall(response(b"", status="503 Busy"))) == "unavailable"
    assert read(lambda to, _: None) == "unavailable"
