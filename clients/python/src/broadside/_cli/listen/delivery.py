from __future__ import annotations

import base64
import errno
import hashlib
import hmac
import json
import secrets
import time
from typing import Any, NamedTuple, Optional

import httpx

from ..._transport import SEND_ERRORS

ATTEMPT_TIMEOUT = 15.0
"""As long as the service waits for a receiver."""


def new_listen_secret() -> str:
    """Like an endpoint of the service: 32 random bytes."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"


class SignedDelivery(NamedTuple):
    body: bytes
    headers: dict[str, str]


def sign_delivery(secret: str, event: Any, at: float) -> SignedDelivery:
    """The same body and headers as a delivery of the service, signed at this time (Standard Webhooks)."""
    content = {name: event[name] for name in ("type", "timestamp", "data")}
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    seconds = str(int(at))
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    digest = hmac.new(key, f"{event['id']}.{seconds}.".encode() + body, hashlib.sha256).digest()
    headers = {
        "content-type": "application/json",
        "user-agent": "Broadside-Webhooks/1",
        "webhook-id": event["id"],
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }
    return SignedDelivery(body, headers)


class Attempt(NamedTuple):
    """The result of one attempt: a status, or why there is none."""

    status: Optional[int]
    error: Optional[str]
    duration_ms: int
    is_delivered: bool


def attempt(http: httpx.Client, url: str, delivery: SignedDelivery, timeout: float = ATTEMPT_TIMEOUT) -> Attempt:
    """Sends a delivery once. It follows no redirects, as the service does."""
    started = time.monotonic()

    def since() -> int:
        return round((time.monotonic() - started) * 1000)

    try:
        options: Any = {"content": delivery.body, "headers": delivery.headers, "timeout": timeout}
        with http.stream("POST", url, follow_redirects=False, **options) as response:
            return Attempt(response.status_code, None, since(), response.is_success)
    except httpx.TimeoutException:
        return Attempt(None, "timeout", since(), False)
    except SEND_ERRORS as error:
        return Attempt(None, _code_of(error), since(), False)


def _code_of(error: BaseException) -> str:
    """The name of the system's error, such as ECONNREFUSED."""
    cause: Optional[BaseException] = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in errno.errorcode:
            return errno.errorcode[cause.errno]
        cause = cause.__cause__ or cause.__context__
    return "connection_failed"
