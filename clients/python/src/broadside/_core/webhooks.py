from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import re
import time
from datetime import datetime
from typing import Any, Iterable, Literal, Mapping, Protocol, Sequence, TypedDict, Union

from .._generated.types import DraftEventType, EventListItemData, PostEventType
from .errors import BroadsideError

WebhookRefusal = Literal[
    "missing_header", "bad_timestamp", "too_old", "too_new", "bad_secret", "no_match", "not_json"
]

_REFUSALS: dict[WebhookRefusal, str] = {
    "missing_header": "webhook-id, webhook-timestamp or webhook-signature is missing. Pass every header; check that no "
    "proxy drops them.",
    "bad_timestamp": "webhook-timestamp is not a whole number of seconds. The service did not send this request.",
    "too_old": "The delivery was signed too long ago. Check this machine’s clock, and verify deliveries as soon as they "
    "arrive.",
    "too_new": "The delivery was signed in the future. Check this machine’s clock.",
    "bad_secret": "A secret is whsec_ followed by base64, as returned when you registered the endpoint or rotated its "
    "secret. Check yours.",
    "no_match": "No signature matches. Check that the secret belongs to this endpoint and that the body is unchanged.",
    "not_json": "The signature is valid, but the body is not a JSON event.",
}


class WebhookVerificationError(BroadsideError):
    """Why verification failed. `reason` is stable; the message contains nothing from the request."""

    def __init__(self, reason: WebhookRefusal) -> None:
        super().__init__(_REFUSALS[reason])
        self.reason: WebhookRefusal = reason

    def __reduce__(self) -> Any:
        return type(self), (self.reason,)


class WebhookPostEvent(TypedDict):
    """A change of a post's status."""

    id: str
    """The event's id, which is the same on every attempt. Use it to detect repeated deliveries."""
    type: PostEventType
    timestamp: str
    """When the event happened, in ISO 8601."""
    data: EventListItemData


class WebhookDraftEvent(TypedDict):
    """The end of a draft: it was submitted, declined or refused, or it has expired."""

    id: str
    type: DraftEventType
    timestamp: str
    data: EventListItemData


class WebhookTestData(TypedDict):
    endpoint_id: str


class WebhookTestEvent(TypedDict):
    """A test event that you requested."""

    id: str
    type: Literal["webhook.test"]
    timestamp: str
    data: WebhookTestData


WebhookEvent = Union[WebhookPostEvent, WebhookDraftEvent, WebhookTestEvent]
"""An event. Compare `event["type"]` to narrow the type of its data. New types may be added later: ignore those that you
do not know."""


class HasItems(Protocol):
    """A mapping, or the headers of a web framework."""

    def items(self) -> Iterable[tuple[Any, Any]]:
        ...


WebhookHeaders = Union[HasItems, Iterable[tuple[Union[str, bytes], Union[str, bytes]]]]
"""All headers of a request: a mapping with names in any case, or pairs of names and values."""


def verify_webhook(
    raw_body: Union[str, bytes, bytearray, memoryview],
    headers: WebhookHeaders,
    secret: Union[str, Sequence[str]],
    tolerance_seconds: float = 300,
    *,
    now: Union[float, datetime, None] = None,
) -> WebhookEvent:
    """Returns the event of a delivery if the service signed it recently with one of the secrets.

    Raises WebhookVerificationError otherwise. Pass the body exactly as it arrived: JSON that was parsed and serialized
    again differs. `tolerance_seconds` is the greatest difference from this machine's clock, in either direction.
    """
    keys = _keys_of(secret)
    found = _lower_case(headers)
    id, timestamp, signatures = (
        _header_of(found, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    _assert_recent(timestamp, time.time() if now is None else now, tolerance_seconds)
    body = _bytes_of(raw_body)
    signed = f"{id}.{timestamp}.".encode("utf-8", "surrogatepass") + body
    if not _is_signed(signed, signatures, keys):
        raise WebhookVerificationError("no_match")
    return _parse_event(id, body)


def _keys_of(secret: Any) -> list[bytes]:
    # An unset environment variable arrives as None.
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets:
        raise WebhookVerificationError("bad_secret")
    return [_key_of(each) for each in secrets]


_SECRET_FORM = re.compile(r"whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)")


def _key_of(secret: Any) -> bytes:
    form = _SECRET_FORM.fullmatch(secret) if isinstance(secret, str) else None
    key = base64.b64decode(form[1]) if form else b""
    # The standard allows 24 to 64 bytes. A shorter secret was probably truncated when it was copied.
    if not 24 <= len(key) <= 64:
        raise WebhookVerificationError("bad_secret")
    return key


def _lower_case(headers: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in headers.items() if hasattr(headers, "items") else headers:
        key = _text(name).lower()
        values = [] if value is None else [value] if isinstance(value, (str, bytes)) else value
        # Joins repeated headers as HTTP libraries do.
        found[key] = ", ".join([*([found[key]] if key in found else []), *map(_text, values)])
    return found


def _text(value: Union[str, bytes]) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _header_of(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError("missing_header")
    return value


def _assert_recent(timestamp: str, now: Union[float, datetime], tolerance: float) -> None:
    if not re.fullmatch(r"0|[1-9][0-9]{0,14}", timestamp):
        raise WebhookVerificationError("bad_timestamp")
    seconds = now.timestamp() if isinstance(now, datetime) else now
    age = (math.floor(seconds) if math.isfinite(seconds) else math.nan) - int(timestamp)
    # These conditions are negated so that NaN is rejected.
    if not age <= tolerance:
        raise WebhookVerificationError("too_old")
    if not age >= -tolerance:
        raise WebhookVerificationError("too_new")


def _bytes_of(raw_body: Any) -> bytes:
    if isinstance(raw_body, str):
        return raw_body.encode("utf-8", "surrogatepass")
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(raw_body)
    raise TypeError("Pass the raw body as str or bytes. Read it before anything parses it.")


_MAX_SIGNATURES = 8
"""The service sends at most four signatures. Each check hashes the body, and a forged header could have hundreds."""

_SIGNATURE_FORM = re.compile(r"v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)")
"""Accepts only canonical base64: the last character has two bits that decoders ignore."""


def _is_signed(signed: bytes, header: str, keys: Sequence[bytes]) -> bool:
    forms = [_SIGNATURE_FORM.fullmatch(item) for item in header.split(" ")]
    signatures = [base64.b64decode(form[1]) for form in forms if form][:_MAX_SIGNATURES]
    digests = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    return any(hmac.compare_digest(digest, signature) for digest in digests for signature in signatures)


def _parse_event(id: str, body: bytes) -> WebhookEvent:
    """Parses exactly the signed bytes: invalid UTF-8 is rejected, not replaced."""
    event: Any = None
    try:
        event = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        pass
    if not isinstance(event, dict) or not isinstance(event.get("type"), str) or not isinstance(event.get("timestamp"), str):
        raise WebhookVerificationError("not_json")
    verified: Any = {"id": id, "type": event["type"], "timestamp": event["timestamp"], "data": event.get("data")}
    result: WebhookEvent = verified
    return result
