from __future__ import annotations

import codecs
from typing import NamedTuple, Optional


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
        self._rest = ""
        self._is_first = True
        self._reset()

    def _reset(self) -> None:
        self._type = ""
        self._data: list[str] = []
        self._id: Optional[str] = None

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """The events that this chunk completes."""
        text = self._rest + self._decoder.decode(chunk)
        if self._is_first and text:
            self._is_first = False
            text = text[1:] if text.startswith("\ufeff") else text
        # A carriage return at the end may be the first half of a line end.
        held = "\r" if text.endswith("\r") else ""
        lines = (text[: len(text) - len(held)]).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._rest = lines.pop() + held
        return [event for event in map(self._take, lines) if event]

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
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry_seconds = int(value) / 1000
        return None

    def _end_block(self) -> Optional[ServerSentEvent]:
        if self._id is not None:
            self.last_id = self._id or None
        event = ServerSentEvent(self._type or "message", "\n".join(self._data), self._id or None) if self._data else None
        self._reset()
        return event
