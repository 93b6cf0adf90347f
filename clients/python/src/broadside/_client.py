from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Generator, Iterator, Literal, Mapping, Optional, TypeVar, Union, overload

import httpx

from ._core.answers import Failed, Outcome, Whole
from ._core.flows import Flow, Send
from ._core.moments import Moment
from ._core.operation import Operation, Response
from ._core.pages import Pages
from ._core.posts import DEFAULT_WAIT, Posts
from ._core.requests import Request
from ._core.settings import checked_timeout, read_settings
from ._core.stream import HEARTBEAT_TIMEOUT, OwnStreamEvent, Stream, StreamEvent
from ._generated.sync_conveniences import SyncConveniences
from ._generated.sync_operations import SyncOperations, SyncOperationsWithResponse
from ._generated.types import Draft, DryRun, Kind, PostStatus, PublicPost
from ._transport import NO_AUTHENTICATION, SEND_ERRORS, check_client, failed, prepared, timed_out

T = TypeVar("T")
Self = TypeVar("Self", bound="Broadside")


class Broadside(SyncConveniences, SyncOperations):
    """The client for all sites of a Broadside service.

    It retries when a retry cannot repeat an effect, and raises a BroadsideProblem when the service rejects a request.
    Threads can share it. Close it, or use it in a `with` statement.
    """

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        owner_token: Optional[str] = None,
        base_url: Optional[str] = None,
        max_retries: int = 3,
        max_retry_wait: float = 60.0,
        timeout: float = 30.0,
        transport: Optional[httpx.BaseTransport] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        """
        :param api_key: The default is BROADSIDE_API_KEY; an empty string sends none. Without a key, you can read and
            create an account.
        :param owner_token: The token of an owner's session, for the operations under /v1/manage, instead of a key.
        :param base_url: The address of any site of the service. The default is BROADSIDE_URL.
        :param max_retries: The greatest number of retries of a call.
        :param max_retry_wait: Do not wait for a Retry-After that is longer than this many seconds.
        :param timeout: Seconds for one attempt. Connecting, sending and each read have this limit, and the client checks the
            total between reads.
        :param transport: A transport of httpx, for tests or special networks.
        :param http_client: Your own httpx.Client, which you close yourself.
        """
        self._core = Posts(read_settings(api_key, owner_token, base_url, max_retries, max_retry_wait, timeout))
        check_client(http_client, transport, httpx.Client)
        self._http = http_client or httpx.Client(transport=transport)
        self._owns_http = http_client is None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._core.settings!r})"

    def close(self) -> None:
        """Closes the connections, unless you passed http_client."""
        if self._owns_http:
            self._http.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    @property
    def with_response(self) -> BroadsideWithResponse:
        """The same operations, returning the response with its status, headers and request id."""
        return BroadsideWithResponse(self)

    def site_url(self, kind: Kind) -> str:
        """Returns the address of the site for this kind of post."""
        return self._run(self._core.site_of(kind))

    def status(self, id: str, *, timeout: Optional[float] = None) -> PostStatus:
        """Returns the status record of your own post."""
        return self._run(self._core.status(id, timeout))

    def read(self, id: str, *, timeout: Optional[float] = None) -> PublicPost:
        """Returns a published post as everyone sees it. Text under `content` is untrusted user content."""
        post: PublicPost = self._run(self._core.read(id, timeout))
        return post

    def delete(self, id: str, *, timeout: Optional[float] = None) -> PostStatus:
        """Deletes your post."""
        return self._run(self._core.delete(id, timeout))

    def wait_for_decision(
        self, post: Union[str, PostStatus], *, timeout: float = DEFAULT_WAIT, through_review: bool = False
    ) -> PostStatus:
        """Polls until a post, or its latest edit, is no longer queued, and returns the status record.

        A post in review waits for a person, which can take hours: with through_review, this method waits for that, too.
        Raises WaitTimeoutError, with the last record, after `timeout` seconds.
        """
        return self._run(self._core.wait_for_decision(post, timeout, through_review))

    @overload
    def stream(
        self, *, scope: Literal["mine"], after: Optional[str] = None, heartbeat_timeout: float = HEARTBEAT_TIMEOUT
    ) -> Generator[OwnStreamEvent, None, None]: ...

    @overload
    def stream(
        self,
        *,
        kind: Union[Kind, Literal["all"], None] = None,
        scope: Literal["public", None] = None,
        after: Optional[str] = None,
        heartbeat_timeout: float = HEARTBEAT_TIMEOUT,
        **filters: str,
    ) -> Generator[StreamEvent, None, None]: ...

    def stream(
        self,
        *,
        kind: Optional[str] = None,
        scope: Optional[str] = None,
        after: Optional[str] = None,
        heartbeat_timeout: float = HEARTBEAT_TIMEOUT,
        **filters: str,
    ) -> Generator[Any, None, None]:
        """Returns posts as they are published, edited and removed, without end.

        It reconnects by itself and continues after the last event, without gaps or repeats. The filters are those of
        `posts`; kind="all" has the posts of all sites. With scope="mine", it returns the events of your account.
        `after` is the id of the last event that you processed: events are kept for a day. Close the generator, or let
        it go, to end the connection.
        """
        query = {**filters, "kind": kind, "scope": scope, "after": after}
        return self._stream(Stream(self._core, query, checked_timeout(heartbeat_timeout, "heartbeat_timeout")))

    def stream_cursor(
        self, *, kind: Union[Kind, Literal["all"], None] = None, scope: Literal["public", "mine", None] = None
    ) -> str:
        """Returns the cursor at the current end of the stream.

        To miss nothing, read it first, then a list, and then follow the stream after the cursor.
        """
        query = {"kind": kind, "scope": scope}
        events = self._stream(Stream(self._core, query, HEARTBEAT_TIMEOUT, only_cursor=True))
        try:
            cursor: str = next(events)
            return cursor
        finally:
            events.close()

    def _stream(self, stream: Stream) -> Generator[Any, None, None]:
        self._run(stream.prepare())
        while True:
            outcome: Optional[Outcome] = None
            request = stream.request()
            try:
                response = self._open(request)
                try:
                    if stream.accepts(response.status_code, response.headers):
                        for chunk in response.iter_bytes():
                            yield from stream.feed(chunk)
                    else:
                        outcome = Whole(response.status_code, response.headers, response.read())
                finally:
                    response.close()
            except SEND_ERRORS as error:
                outcome = failed(error, request)
            time.sleep(stream.wait_after(outcome))

    def _call(
        self,
        operation: Operation[T],
        params: Optional[Mapping[str, str]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> T:
        options = {"query": query, "body": body, "idempotency_key": idempotency_key, "timeout": timeout}
        return self._run(self._core.call(operation, params, **options)).body

    def _publish(self, kind: str, body: Any, key: Optional[str], timeout: Optional[float]) -> PostStatus:
        return self._run(self._core.publish(kind, body, key, timeout))

    def _schedule(
        self, kind: str, body: Any, publish_at: Moment, key: Optional[str], timeout: Optional[float]
    ) -> Draft:
        return self._run(self._core.schedule(kind, body, publish_at, key, timeout))

    def _check(self, kind: str, body: Any, timeout: Optional[float]) -> DryRun:
        return self._run(self._core.check(kind, body, timeout))

    def _edit(
        self, kind: str, id: str, changes: Any, key: Optional[str], timeout: Optional[float]
    ) -> PostStatus:
        return self._run(self._core.edit(kind, id, changes, key, timeout))

    def _iterate(
        self,
        operation: Operation[Any],
        cursor: str,
        query: Optional[Mapping[str, Any]],
        params: Optional[Mapping[str, str]] = None,
        *,
        kind: Optional[str] = None,
    ) -> Iterator[Any]:
        pages = Pages(self._core, operation, cursor, query, params, kind)
        while not pages.is_done:
            yield from self._run(pages.next())

    def _run(self, flow: Flow[T]) -> T:
        """Does what the flow asks for, until it ends."""
        outcome: Optional[Outcome] = None
        try:
            while True:
                step = flow.send(outcome)
                if isinstance(step, Send):
                    outcome = self._attempt(step.request)
                else:
                    time.sleep(step.seconds)
        except StopIteration as end:
            result: T = end.value
            return result

    def _attempt(self, request: Request) -> Outcome:
        deadline = time.monotonic() + request.timeout
        try:
            response = self._open(request)
            try:
                chunks = []
                for chunk in response.iter_bytes():
                    chunks.append(chunk)
                    if time.monotonic() > deadline:
                        break
            finally:
                response.close()
            if time.monotonic() > deadline:
                return Failed(timed_out(request))
        except SEND_ERRORS as error:
            return failed(error, request)
        return Whole(response.status_code, response.headers, b"".join(chunks))

    def _open(self, request: Request) -> httpx.Response:
        # Without redirects, so that the key never goes to another host.
        return self._http.send(
            prepared(self._http, request), stream=True, follow_redirects=False, auth=NO_AUTHENTICATION
        )


class BroadsideWithResponse(SyncOperationsWithResponse):
    """The operations of a client, returning whole responses."""

    def __init__(self, client: Broadside) -> None:
        self._client = client

    def _call(
        self,
        operation: Operation[T],
        params: Optional[Mapping[str, str]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Response[T]:
        options = {"query": query, "body": body, "idempotency_key": idempotency_key, "timeout": timeout}
        return self._client._run(self._client._core.call(operation, params, **options))
