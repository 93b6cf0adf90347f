from __future__ import annotations

import random
import time

import pytest

from broadside import BroadsideError
from broadside._core.sse import EventParser, ServerSentEvent

STREAM = (
    "\ufeff: a comment\n\nretry: 1500\n\nid: 1\nevent: post.published\ndata: {\"a\":\ndata: \"é💡\"}\n\n"
    "id:2\r\ndata:x\r\n\r\nid: 3\rdata:  y\r\rdata\n\nid\ndata: z\nunknown: field\n\nid: 9\n\nevent: only\n\ndata: cut off\nid: 10"
).encode()

EVENTS = [
    ServerSentEvent("post.published", '{"a":\n"é💡"}', "1"),
    ServerSentEvent("message", "x", "2"),
    ServerSentEvent("message", " y", "3"),
    ServerSentEvent("message", "", None),
    ServerSentEvent("message", "z", None),
]


def test_a_stream_is_parsed_however_it_is_cut() -> None:
    dice = random.Random(1)
    for size in [1, 2, 3, len(STREAM), *(0 for _ in range(50))]:
        parser, found, rest = EventParser(), [], STREAM
        while rest:
            length = size or dice.randint(1, 12)
            found.extend(parser.feed(rest[:length]))
            rest = rest[length:]
        assert found == EVENTS
        # The block without data counts, the one that was cut off does not.
        assert (parser.last_id, parser.retry_seconds) == ("9", 1.5)


def test_what_is_not_valid_is_ignored() -> None:
    parser = EventParser()
    assert parser.feed(b"retry: soon\nid: a\0b\ndata: \xff\n\n") == [ServerSentEvent("message", "\ufffd", None)]
    assert (parser.last_id, parser.retry_seconds) == (None, None)


def test_an_event_has_at_most_four_million_characters_however_it_is_cut() -> None:
    whole = b"data: " + b"x" * 3_900_000 + b"\n\n"
    for chunk in (whole, whole * 2, b"data: x\n" * 400_000 + b"\n"):
        assert EventParser().feed(chunk)
    for chunks in ([whole[:-2]] * 2, [b"data: x\n"] * 600_000, [b": " + b"x" * 5_000_000], [whole[:-1] * 2]):
        parser = EventParser()
        with pytest.raises(BroadsideError, match="too long"):
            for chunk in chunks:
                parser.feed(chunk)


def test_a_long_event_in_small_chunks_takes_linear_time() -> None:
    parser, chunk = EventParser(), b"x" * 20
    started = time.process_time()
    parser.feed(b"data: ")
    for _ in range(150_000):
        parser.feed(chunk)
    assert len(parser.feed(b"\n\n")[0].data) == 3_000_000
    assert time.process_time() - started < 5


def test_an_absurd_retry_is_ignored() -> None:
    parser = EventParser()
    parser.feed(b"retry: " + b"9" * 5_000 + b"\n\n")
    assert parser.retry_seconds is None
