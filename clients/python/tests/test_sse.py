from __future__ import annotations

import random

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
