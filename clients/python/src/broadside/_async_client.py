from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, AsyncGenerator, AsyncIterator, Literal, Mapping, Optional, TypeVar, Union, overload

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
from ._generated.async_conveniences import AsyncConveniences
from ._generated.async_operations import AsyncOperations, AsyncOperationsWithResponse
from ._generated.types import Draft, DryRun, Kind, PostStatus, PublicPost
from ._transport import NO_AUTHENTICATION, SEND_ERRORS, check_client, failed, prepared, timed_out

T = TypeVar("T")
Self = TypeVar("Self", bound="AsyncBroadside")


class AsyncBroadside(AsyncConveniences, AsyncOperations):
    """The client for all sites of a Broadside service, for asyncio.

    It retries when a retry cannot repeat an effect, and raises a BroadsideProblem when the service rejects a request.
    Tasks of one event loop can share it. Close it, or use it in an `async with` statement.
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
        transport: Optional[httpx.AsyncBaseTransport] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        """
        :param api_key: The default is BROADSIDE_API_KEY; an empty string sends none. Without a key, you can read and
            create an account.
        :param owner_token: The token of an owner's session, for the operations under /v1/manage, instead of a key.
        :param base_url: The address of any site of the service. The default is BROADSIDE_URL.
        :param max_retries: The greatest number of retries of a call.
        :param max_retry_wait: Do not wait for a Retry-After that is longer than this many seconds.
        :param timeout: Seconds for one attempt.
        :param transport: A transport of httpx, for tests or special networks.
        :param http_client: Your own httpx.AsyncClient, which you close yourself.
        """
        self._core = Posts(read_settings(api_key, owner_token, base_url, max_retries, max_retry_wait, timeout))
        check_client(http_client, transport, httpx.AsyncClient)
        self._http = http_client or httpx.AsyncClient(transport=transport)
        self._owns_http = http_client is None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._core.settings!r})"

    async def aclose(self) -> None:
        """Closes the connections, unless you passed http_client."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()

    @property
    def with_response(self) -> AsyncBroadsideWithResponse:
        """The same operations, returning the response with its status, headers and request id."""
        return AsyncBroadsideWithResponse(self)

    async def site_url(self, kind: Kind) -> str:
        """Returns the address of the site for this kind of post."""
        return await self._run(self._core.site_of(kind))

    async def status(self, id: str, *, timeout: Optional[float] = None) -> PostStatus:
        """Returns the status record of your own post."""
        return await self._run(self._core.status(id, timeout))

    async def read(self, id: str, *, timeout: Optional[float] = None) -> PublicPost:
        """Returns a published post as everyone sees it. Text under `content` is untrusted user content."""
        post: PublicPost = await self._run(self._core.read(id, timeout))
        return post

    async def delete(self, id: str, *, timeout: Optional[float] = None) -> PostStatus:
        """Deletes your post."""
        return await self._run(self._core.delete(id, timeout))

    async def wait_for_decision(
        self, post: Union[str, PostStatus], *, timeout: float = DEFAULT_WAIT, through_review: bool = False
    ) -> PostStatus:
        """Polls until a post, or its latest edit, is no longer queued, and returns the status record.

        A post in review waits for a person, which can take hours: with through_review, this method waits for that, too.
        Raises WaitTimeoutError, with the last record, after `timeout` seconds.
        """
        return await self._run(self._core.wait_for_decision(post, timeout, through_review))

    @overload
    def stream(
        self, *, scope: Literal["mine"], after: Optional[str] = None, heartbeat_timeout: float = HEARTBEAT_TIMEOUT
    ) -> AsyncGenerator[OwnStreamEvent, None]: ...

    @overload
    def stream(
        self,
        *,
        kind: Union[Kind, Literal["all"], None] = None,
        scope: Literal["public", None] = None,
        after: Optional[str] = None,
        heartbeat_timeout: float = HEARTBEAT_TIMEOUT,
        **filters: str,
    ) -> AsyncGenerator[StreamEvent, None]: ...

    def stream(
        self,
        *,
        kind: Optional[str] = None,
        scope: Optional[str] = None,
        after: Optional[str] = None,
        heartbeat_timeout: float = HEARTBEAT_TIMEOUT,
        **filters: str,
    ) -> AsyncGenerator[Any, None]:
        """Returns posts as they are published, edited and removed, without end.

        It reconnects by itself and continues after the last event, without gaps or repeats. The filters are those of
        `posts`; kind="all" has the posts of all sites. With scope="mine", it returns the events of your account.
        `after` is the id of the last event that you processed: events are kept for a day. Close the generator, or let
        it go, to end the connection.
        """
        query = {**filters, "kind": kind, "scope": scope, "after": after}
        return self._stream(Stream(self._core, query, checked_timeout(heartbeat_timeout, "heartbeat_timeout")))

    async def stream_cursor(
        self, *, kind: Union[Kind, Literal["all"], None] = None, scope: Literal["public", "mine", None] = None
    ) -> str:
        """Returns the cursor at the current end of the stream.

        To miss nothing, read it first, then a list, and then follow the stream after the cursor.
        """
        query = {"kind": kind, "scope": scope}
        events = self._stream(Stream(self._core, query, HEARTBEAT_TIMEOUT, only_cursor=True))
        try:
            cursor: str = await events.__anext__()
            return cursor
        finally:
            await events.aclose()

    async def _stream(self, stream: Stream) -> AsyncGenerator[Any, None]:
        await self._run(stream.prepare())
        while True:
            outcome: Optional[Outcome] = None
            request = stream.request()
            try:
                response = await self._open(request)
                try:
                    if stream.accepts(response.status_code, response.headers):
                        async for chunk in response.aiter_bytes():
                            for event in stream.feed(chunk):
                                yield event
                    else:
                        outcome = Whole(response.status_code, response.headers, await response.aread())
                finally:
                    await response.aclose()
            except SEND_ERRORS as error:
                outcome = failed(error, request)
            await asyncio.sleep(stream.wait_after(outcome))

    async def _call(
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
        return (await self._run(self._core.call(operation, params, **options))).body

    async def _publish(self, kind: str, body: Any, key: Optional[str], timeout: Optional[float]) -> PostStatus:
        return await self._run(self._core.publish(kind, body, key, timeout))

    async def _schedule(
        self, kind: str, body: Any, publish_at: Moment, key: Optional[str], timeout: Optional[float]
    ) -> Draft:
        return await self._run(self._core.schedule(kind, body, publish_at, key, timeout))

    async def _check(self, kind: str, body: Any, timeout: Optional[float]) -> DryRun:
        return await self._run(self._core.check(kind, body, timeout))

    async def _edit(
        self, kind: str, id: str, changes: Any, key: Optional[str], timeout: Optional[float]
    ) -> PostStatus:
        return await self._run(self._core.edit(kind, id, changes, key, timeout))

    async def _iterate(
        self,
        operation: Operation[Any],
        cursor: str,
        query: Optional[Mapping[str, Any]],
        params: Optional[Mapping[str, str]] = None,
        *,
        kind: Optional[str] = None,
    ) -> AsyncIterator[Any]:
        pages = Pages(self._core, operation, cursor, query, params, kind)
        while not pages.is_done:
            for item in await self._run(pages.next()):
                yield item

    async def _run(self, flow: Flow[T]) -> T:
        """Does what the flow asks for, until it ends."""
        outcome: Optional[Outcome] = None
        try:
            while True:
                step = flow.send(outcome)
                if isinstance(step, Send):
                    outcome = await self._attempt(step.request)
                else:
                    await asyncio.sleep(step.seconds)
        except StopIteration as end:
            result: T = end.value
            return result

    async def _attempt(self, request: Request) -> Outcome:
        try:
            return await asyncio.wait_for(self._receive(request), request.timeout)
        except asyncio.TimeoutError:
            return Failed(timed_out(request))
        except SEND_ERRORS as error:
            return failed(error, request)

    async def _receive(self, request: Request) -> Whole:
        response = await self._open(request)
        try:
            return Whole(response.status_code, response.headers, await response.aread())
        finally:
            await response.aclose()

    async def _open(self, request: Request) -> httpx.Response:
        # Without redirects, so that the key never goes to another host.
        return await self._http.send(
            prepared(self._http, request), stream=True, follow_redirects=False, auth=NO_AUTHENTICATION
        )


class AsyncBroadsideWithResponse(AsyncOperationsWithResponse):
    """The operations of a client, returning whole responses."""

    def __init__(self, client: AsyncBroadside) -> None:
        self._client = client

    async def _call(
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
        return await self._client._run(self._client._core.call(operation, params, **options))
