"""A service that sends the given replies in order, and both clients, so that each test runs with either."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Callable, Mapping, Optional, Union

import httpx
import pytest

from broadside import AsyncBroadside, Broadside

Reply = Union[httpx.Response, Exception, Callable[[httpx.Request], httpx.Response]]
BASE_URL = "https://messages.b.example"
each_style = pytest.mark.parametrize("style", ["sync", "async"])


class Service:
    """Sends these replies in order, and then repeats the last one."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = replies
        self.seen: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        reply = self.replies[min(len(self.seen), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        if not isinstance(reply, httpx.Response):
            return reply(request)
        # A response can be read once, so each request gets its own.
        return httpx.Response(reply.status_code, headers=reply.headers, content=reply.content)

    def sent(self) -> list[str]:
        return [f"{request.method} {request.url}" for request in self.seen]

    def headers(self, name: str) -> list[Optional[str]]:
        return [request.headers.get(name) for request in self.seen]


def ok(body: Any, status: int = 200, headers: Optional[Mapping[str, str]] = None) -> httpx.Response:
    return httpx.Response(status, json=body, headers={"x-request-id": "a" * 32, **(headers or {})})


def refuse(
    status: int, code: str, headers: Optional[Mapping[str, str]] = None, **more: Any
) -> httpx.Response:
    document = {
        "type": f"https://b.example/problems/{code}",
        "title": "T",
        "status": status,
        "detail": "D",
        "code": code,
        "instance": "a" * 32,
        **more,
    }
    return httpx.Response(
        status,
        content=json.dumps(document),
        headers={"content-type": "application/problem+json", **(headers or {})},
    )


UP = ok({"status": "up"})
UP_WITH_SITES = ok(
    {
        "status": "up",
        "sites": [
            {"kind": "message", "url": "https://messages.b.example"},
            {"kind": "story", "url": "https://stories.b.example/"},
            {"kind": "classified", "url": "https://classifieds.b.example"},
            {"kind": "event", "url": "https://events.b.example"},
        ],
    }
)
NEWCOMER: Any = {"name": "Harbour Notices", "email": "owner@example.com", "accept_terms": True}


class Clock:
    """Counts the seconds that the client waits, without waiting."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pauses: list[float] = []
        monkeypatch.setattr("time.sleep", self.pauses.append)

        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        monkeypatch.setattr("asyncio.sleep", pause)

    def seconds(self) -> float:
        return sum(self.pauses)


def call(
    style: str, service: Service, action: Callable[[Any], Any], clock: Optional[Clock] = None, **options: Any
) -> Any:
    """What the action returns with either client; the items, if it returns an iterator."""
    settings: dict[str, Any] = {"base_url": BASE_URL, "transport": httpx.MockTransport(service), **options}
    if style == "sync":
        with Broadside(**settings) as client:
            _prepare(client, clock)
            result = action(client)
            return list(result) if hasattr(result, "__next__") else result

    async def run() -> Any:
        async with AsyncBroadside(**settings) as client:
            _prepare(client, clock)
            result = action(client)
            return [item async for item in result] if hasattr(result, "__anext__") else await result

    return asyncio.run(run())


def _prepare(client: Union[Broadside, AsyncBroadside], clock: Optional[Clock]) -> None:
    client._core.random = lambda: 1.0
    if clock:
        client._core.monotonic = clock.seconds
