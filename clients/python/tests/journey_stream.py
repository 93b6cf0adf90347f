"""Follows the stream of a real service with either client, for journey.py."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from itertools import islice
from typing import Any, Callable, TypeVar

import httpx

from broadside import AsyncBroadside, Broadside

PATIENCE = 120.0


T = TypeVar("T")


def _in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """Unlike asyncio's own threads, this one does not keep a journey alive that failed."""
    done: concurrent.futures.Future[T] = concurrent.futures.Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return asyncio.wrap_future(done)


class Followed:
    """The first events of a stream, read beside the journey. The service knows the stream's start once this is entered."""

    def __init__(self, client_class: Any, settings: Any, count: int, **query: Any) -> None:
        self._opened = threading.Event()
        read = self._read_async if client_class is AsyncBroadside else self._read_in_thread
        self._reading: asyncio.Future[Any] = asyncio.ensure_future(read(settings, count, query))

    async def __aenter__(self) -> Followed:
        opened: asyncio.Future[Any] = _in_thread(lambda: self._opened.wait(PATIENCE))
        await asyncio.wait([opened, self._reading], return_when=asyncio.FIRST_COMPLETED)
        assert self._opened.is_set(), "The stream did not open."
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._reading.cancel()

    async def events(self) -> list[Any]:
        return await asyncio.wait_for(self._reading, PATIENCE)

    def _note(self, response: httpx.Response) -> None:
        if response.request.url.path == "/v1/stream" and response.status_code == 200:
            self._opened.set()

    async def _read_in_thread(self, settings: Any, count: int, query: Any) -> list[Any]:
        def read() -> list[Any]:
            hooks: Any = {"response": [self._note]}
            with httpx.Client(event_hooks=hooks) as http, Broadside(http_client=http, **settings) as client:
                return list(islice(client.stream(**query), count))

        return await _in_thread(read)

    async def _read_async(self, settings: Any, count: int, query: Any) -> list[Any]:
        async def note(response: httpx.Response) -> None:
            self._note(response)

        hooks: Any = {"response": [note]}
        found: list[Any] = []
        async with httpx.AsyncClient(event_hooks=hooks) as http, AsyncBroadside(http_client=http, **settings) as client:
            async for event in client.stream(**query):
                found.append(event)
                if len(found) == count:
                    break
        return found
