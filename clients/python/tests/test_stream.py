from __future__ import annotations

import asyncio
import itertools
from typing import Any, AsyncIterator, Iterator, Union

import httpx
import pytest

from broadside import (
    AsyncBroadside,
    Broadside,
    BroadsideConnectionError,
    BroadsideError,
    BroadsideProblem,
    ConfigurationError,
    UnavailableError,
)

from .support import BASE_URL, UP, UP_WITH_SITES, Clock, Service, call, each_style, refuse


class Chunks(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Sends these chunks, and then ends or breaks."""

    def __init__(self, *chunks: Union[bytes, Exception]) -> None:
        self.chunks = chunks
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def streaming(*chunks: Union[bytes, Exception]) -> Any:
    body = Chunks(*chunks)
    return lambda _: httpx.Response(200, headers={"content-type": "text/event-stream; charset=utf-8"}, stream=body)


def event(id: int) -> bytes:
    return f'id: {id}\nevent: post.published\ndata: {{"n":{id}}}\n\n'.encode()


def take(style: str, service: Service, count: int, **query: Any) -> list[Any]:
    """The first events of the stream."""
    settings: Any = {"base_url": BASE_URL, "transport": httpx.MockTransport(service), "api_key": "bsk_a"}
    if style == "sync":
        with Broadside(**settings) as client:
            client._core.random = lambda: 1.0
            stream = client.stream(**query)
            found = list(itertools.islice(stream, count))
            stream.close()
            return found

    async def run() -> list[Any]:
        async with AsyncBroadside(**settings) as client:
            client._core.random = lambda: 1.0
            stream = client.stream(**query)
            found = [await stream.__anext__() for _ in range(count)]
            await stream.aclose()
            return found

    return asyncio.run(run())


CUT = httpx.RemoteProtocolError("peer closed connection without sending complete message body")


@each_style
def test_the_stream_continues_after_the_last_event_without_gaps_or_repeats(style: str, clock: Clock) -> None:
    service = Service(
        streaming(b": hello\n\n", event(1) + event(2)[:10], event(2)[10:], event(3)[:12], CUT),
        streaming(event(2), event(3), event(4)),
        refuse(503, "unavailable", {"retry-after": "2"}),
        httpx.ReadTimeout("no heartbeat"),
        streaming(event(5)),
    )
    events = take(style, service, 5, topic="sea", after="0")
    assert [one["data"]["n"] for one in events] == [1, 2, 3, 4, 5]
    assert events[0] == {"id": "1", "type": "post.published", "data": {"n": 1}}
    assert service.sent() == [f"GET {BASE_URL}/v1/stream?topic=sea&after={after}" for after in (0, 2, 4, 4, 4)]
    assert service.headers("accept")[0] == "text/event-stream"
    assert service.headers("authorization")[0] == "Bearer bsk_a"
    assert clock.pauses == [1, 1, 2, 4]


@each_style
def test_the_stream_goes_to_the_site_of_its_kind(style: str, clock: Clock) -> None:
    service = Service(UP_WITH_SITES, streaming(event(1)))
    take(style, service, 1, kind="story")
    assert service.sent()[1] == "GET https://stories.b.example/v1/stream?kind=story"
    everything = Service(streaming(event(1)))
    take(style, everything, 1, kind="all", scope="mine")
    assert everything.sent() == [f"GET {BASE_URL}/v1/stream?kind=all&scope=mine"]


@each_style
def test_the_first_connection_is_tried_as_often_as_any_call(style: str, clock: Clock) -> None:
    service = Service(refuse(503, "unavailable"))
    with pytest.raises(UnavailableError):
        take(style, service, 1)
    assert len(service.seen) == 4
    with pytest.raises(BroadsideConnectionError):
        take(style, Service(httpx.ConnectError("refused")), 1)


@each_style
def test_a_stream_that_was_open_is_not_given_up(style: str, clock: Clock) -> None:
    busy = [httpx.Response(502, html="<p>Bad"), refuse(429, "rate_limited"), refuse(503, "unavailable", {"retry-after": "9" * 9})]
    told = streaming(b"retry: 45000\n\n")
    service = Service(streaming(event(1)), *[CUT] * 20, *busy, told, CUT, streaming(event(2)))
    assert [one["id"] for one in take(style, service, 2)] == ["1", "2"]
    assert clock.pauses[:7] == [1, 2, 4, 8, 16, 30, 30]
    assert clock.pauses[-5:] == [30, 30, 300, 45, 45]


@each_style
@pytest.mark.parametrize(("status", "code"), [(409, "cursor_expired"), (401, "invalid_api_key")])
def test_a_problem_that_does_not_pass_ends_the_stream(style: str, clock: Clock, status: int, code: str) -> None:
    service = Service(streaming(event(1)), refuse(status, code, {"retry-after": "1"}))
    with pytest.raises(BroadsideProblem, match=code):
        take(style, service, 2)
    assert len(service.seen) == 2


@each_style
def test_what_is_no_event_stream_is_an_error(style: str, clock: Clock) -> None:
    with pytest.raises(BroadsideError, match="no event stream"):
        take(style, Service(UP), 1)
    with pytest.raises(BroadsideError, match="not JSON"):
        take(style, Service(streaming(b"data: x\n\n")), 1)


@each_style
def test_the_connection_closes_with_the_iterator(style: str, clock: Clock) -> None:
    body = Chunks(event(1), event(2))
    reply = lambda _: httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=body)  # noqa: E731
    take(style, Service(reply), 1)
    assert body.is_closed


@each_style
def test_an_event_that_is_too_long_ends_the_stream(style: str, clock: Clock) -> None:
    with pytest.raises(BroadsideError, match="an event that is too long"):
        take(style, Service(streaming(*[b"data: " + b"x" * 1_000_000] * 5)), 1)


@each_style
def test_a_heartbeat_timeout_that_is_no_time_is_rejected(style: str) -> None:
    with pytest.raises(ConfigurationError, match="heartbeat_timeout must be"):
        take(style, Service(UP), 1, heartbeat_timeout=0)


def cursor(style: str, service: Service, **query: Any) -> str:
    return str(call(style, service, lambda client: client.stream_cursor(**query), api_key="bsk_a"))


@each_style
def test_the_cursor_is_what_the_first_block_names(style: str, clock: Clock) -> None:
    body = Chunks(b": hello\n\n", b"id: 41", b"\n\n", event(42))
    reply = lambda _: httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=body)  # noqa: E731
    service = Service(reply)
    assert cursor(style, service, kind="all") == "41"
    assert body.is_closed and service.sent() == [f"GET {BASE_URL}/v1/stream?kind=all"]
    # An event that is already there is before the cursor.
    assert cursor(style, Service(streaming(b"id: 41\n\n" + event(42)))) == "42"


@each_style
def test_the_cursor_is_asked_for_again_if_the_connection_ends_first(style: str, clock: Clock) -> None:
    service = Service(UP_WITH_SITES, streaming(b": hello\n\n", CUT), refuse(503, "unavailable"), streaming(b"id: 7\n\n"))
    assert cursor(style, service, kind="story") == "7"
    assert service.sent()[1:] == ["GET https://stories.b.example/v1/stream?kind=story"] * 3
    with pytest.raises(BroadsideProblem, match="missing_api_key"):
        cursor(style, Service(refuse(401, "missing_api_key")), scope="mine")
