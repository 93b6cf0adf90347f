from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import replace
from typing import Any, Iterator, Literal, Mapping, Optional, TypedDict, Union

from .._generated.types import EventListItem, PublicPost
from .answers import Failed, Outcome, Whole, error_of
from .errors import BroadsideError
from .flows import Calls, Flow
from .operation import Operation
from .requests import Request, build_request
from .retries import pause_before, retry_after
from .sse import EventParser

HEARTBEAT_TIMEOUT = 45.0
"""The service sends a comment every 15 seconds, so three are missing then."""

_STREAM: Operation[Any] = Operation("GET", "/v1/stream", safe_to_repeat=True, takes_idempotency_key=False)
_REMEMBERED = 1000
_LONGEST_PAUSE = 30.0
_LONGEST_WAIT = 300.0
"""A service that asks for more is asked again after five minutes."""


class StreamPostEvent(TypedDict):
    """A post that was published or edited."""

    id: str
    """Store it, and pass it as `after` to continue after this event."""
    type: Literal["post.published", "post.edited"]
    data: PublicPost


class RemovedPost(TypedDict):
    """What a removed post leaves."""

    id: str
    kind: str
    url: str
    removed_at: str


class StreamRemovalEvent(TypedDict):
    """A post that is no longer public. Delete your copies."""

    id: str
    type: Literal["post.removed"]
    data: RemovedPost


StreamEvent = Union[StreamPostEvent, StreamRemovalEvent]
"""An event of the stream of public posts. Compare `event["type"]` to narrow the type of its data."""


class OwnStreamEvent(TypedDict):
    """An event of your account, as in `events()`."""

    id: str
    type: str
    data: EventListItem


class Stream:
    """One stream over as many connections as it takes: where to continue, what was seen, and when to give up."""

    def __init__(
        self, calls: Calls, query: Mapping[str, Any], heartbeat_timeout: float, *, only_cursor: bool = False
    ) -> None:
        self._calls = calls
        self._only_cursor = only_cursor
        self._query = dict(query)
        self._heartbeat_timeout = heartbeat_timeout
        self._base_url: Optional[str] = None
        self._last_id: Optional[str] = None
        self._seen: OrderedDict[str, None] = OrderedDict()
        self._parser = EventParser()
        self._failures = 0
        self._was_open = False
        self._retry_seconds = 0.0

    def prepare(self) -> Flow[None]:
        """Finds the site. The stream of all kinds is on every site."""
        kind = self._query.get("kind")
        if kind is not None and kind != "all":
            self._base_url = yield from self._calls.site_of(kind)

    def request(self) -> Request:
        """The request of the next connection, which continues after the last event."""
        query = self._query if self._last_id is None else {**self._query, "after": self._last_id}
        request = build_request(
            self._calls.settings, _STREAM, base_url=self._base_url, query=query, timeout=self._heartbeat_timeout
        )
        headers = {**request.headers, "accept": "text/event-stream", "cache-control": "no-store"}
        return replace(request, headers=headers)

    def accepts(self, status: int, headers: Mapping[str, str]) -> bool:
        """Whether the response is a stream."""
        is_stream = headers.get("content-type", "").split(";")[0].strip().lower() == "text/event-stream"
        if status == 200 and not is_stream:
            raise BroadsideError("The service responded with 200 and no event stream. Check base_url.", status)
        if status != 200:
            return False
        self._parser = EventParser()
        self._was_open = True
        return True

    def feed(self, chunk: bytes) -> Iterator[Any]:
        """The events that this chunk completes and that were not seen before."""
        self._failures = 0
        for event in self._parser.feed(chunk):
            self._last_id = event.id or self._last_id
            if self._only_cursor or (event.id and event.id in self._seen):
                continue
            if event.id:
                self._seen[event.id] = None
                if len(self._seen) > _REMEMBERED:
                    self._seen.popitem(last=False)
            yield {"id": event.id or "", "type": event.type, "data": _parsed(event.data)}
        # A block without data can move the position, too.
        self._last_id = self._parser.last_id or self._last_id
        if self._parser.retry_seconds is not None:
            self._retry_seconds = self._parser.retry_seconds
        if self._only_cursor and self._last_id is not None:
            yield self._last_id

    def wait_after(self, outcome: Optional[Outcome]) -> float:
        """Seconds before the next connection. Raises if the stream cannot continue. None: the service ended it."""
        retry, self._failures = self._failures, self._failures + 1
        if outcome is not None:
            is_last = not self._was_open and retry >= self._calls.settings.max_retries
            if is_last or not self._passes(outcome):
                raise error_of(outcome)
        pause = min(_LONGEST_PAUSE, 4 * pause_before(retry, self._calls.random()))
        asked = retry_after(outcome.headers, self._calls.now()) if isinstance(outcome, Whole) else None
        return max(pause, min(_LONGEST_WAIT, max(asked or 0.0, self._retry_seconds)))

    def _passes(self, outcome: Outcome) -> bool:
        """Whether a new connection can help. A limit without Retry-After lasts for the rest of the day."""
        if isinstance(outcome, Failed) or outcome.status >= 500:
            return True
        return outcome.status == 429 and (self._was_open or "retry-after" in outcome.headers)


def _parsed(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise BroadsideError("The service sent an event that is not JSON.") from None
