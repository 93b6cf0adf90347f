from __future__ import annotations

import codecs
import re
from typing import NamedTuple, Optional

from .errors import BroadsideError

_MAX_EVENT_LENGTH = 4_000_000
"""In characters."""

class ServerSentEvent(NamedTuple):
    """One event of a text/event-stream."""

    type: str
    data: str
    id: Optional[str]


class EventParser:
    """Parses a text/event-stream, however it is cut into chunks. An event that was cut off is dropped."""

    def __init__(self) -> None:
        self.last_id: Optional[str] = None
        """The id of the last complete block, which may have had no data."""
        self.retry_seconds: Optional[float] = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest: list[str] = []
        """The pieces of a line that has not ended."""
        self._is_first = True
        self._ended_with_return = False
        self._reset()

    def _reset(self) -> None:
        self._type = ""
        self._data: list[str] = []
        self._id: Optional[str] = None
        self._length = 0

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that this chunk completes."""
        text = self._decoder.decode(chunk)
        if not text:
            return []
        if self._is_first:
            self._is_first = False
            text = text[1:] if text.startswith("\ufeff") else text
        # The second half of a line end that was cut in two.
        if self._ended_with_return and text.startswith("\n"):
            text = text[1:]
        self._ended_with_return = text.endswith("\r")
        first, *more = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._count(first)
        self._rest.append(first)
        events = []
        for next_line in more:
            event = self._take("".join(self._rest))
            self._count(next_line)
            self._rest = [next_line]
            if event:
                events.append(event)
        return events

    def _count(self, piece: str) -> None:
        self._length += len(piece)
        if self._length > _MAX_EVENT_LENGTH:
            raise BroadsideError("The stream sent an event that is too long.")

    def _take(self, line: str) -> Optional[ServerSentEvent]:
        if line == "":
            return self._end_block()
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and re.fullmatch("[0-9]{1,9}", value):
            self.retry_seconds = int(value) / 1000
        return None

    def _end_block(self) -> Optional[ServerSentEvent]:
        if self._id is not None:
            self.last_id = self._id or None
        event = ServerSentEvent(self._type or "message", "\n".join(self._data), self._id or None) if self._data else None
        self._reset()
        return event
