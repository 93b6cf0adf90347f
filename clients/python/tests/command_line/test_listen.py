from __future__ import annotations

from typing import Any

import httpx

from broadside import verify_webhook
from broadside._cli.listen.delivery import attempt, new_listen_secret, sign_delivery

EVENT: Any = {
    "id": "evt_1",
    "type": "post.published",
    "timestamp": "2026-11-18T05:00:00.000Z",
    "data": {"id": "post_1", "kind": "message", "status": "published"},
}
NOW = 1_800_000_000.0


def test_a_delivery_is_signed_like_a_webhook(monkeypatch: Any) -> None:
    secret = new_listen_secret()
    delivery = sign_delivery(secret, EVENT, NOW)
    monkeypatch.setattr("time.time", lambda: NOW)
    assert verify_webhook(delivery.body, delivery.headers, secret)["data"] == EVENT["data"]
    assert delivery.body.startswith(b'{"type":"post.published","timestamp":"2026-11-18T05:00:00.000Z","data":{"id"')


def test_an_attempt_says_what_happened() -> None:
    def reply(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/slow":
            raise httpx.ReadTimeout("slow")
        if request.url.path == "/gone":
            raise httpx.ConnectError("gone") from ConnectionRefusedError(111, "refused")
        return httpx.Response(int(request.url.path[1:]), headers={"location": "/200"})

    with httpx.Client(transport=httpx.MockTransport(reply)) as http:
        delivery = sign_delivery(new_listen_secret(), EVENT, NOW)
        results = [attempt(http, f"http://a.example/{path}", delivery) for path in ("204", "302", "500", "slow", "gone")]
    assert [(one.status, one.error, one.is_delivered) for one in results] == [
        (204, None, True),
        (302, None, False),
        (500, None, False),
        (None, "timeout", False),
        (None, "ECONNREFUSED", False),
    ]
