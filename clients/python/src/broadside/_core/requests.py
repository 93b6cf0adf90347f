from __future__ import annotations

import json
import re
import sys
import uuid
from dataclasses import dataclass
from typing import Any, Mapping, Optional
from urllib.parse import quote, urlencode

from .._version import __version__
from .operation import Operation
from .settings import ConfigurationError, Settings, checked_timeout, is_header_text

USER_AGENT = f"broadside-python/{__version__} Python/{sys.version_info[0]}.{sys.version_info[1]}"


@dataclass(frozen=True)
class Request:
    """A request that is ready to send, as often as needed."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: Optional[bytes]
    timeout: float
    """Seconds for one attempt, with its body."""
    call: str
    """The method and the path of the operation, for messages. The URL could have something private in its query."""


def build_request(
    settings: Settings,
    operation: Operation[Any],
    *,
    base_url: Optional[str] = None,
    params: Optional[Mapping[str, str]] = None,
    query: Optional[Mapping[str, Any]] = None,
    body: Any = None,
    idempotency_key: Optional[str] = None,
    timeout: Optional[float] = None,
    with_key: bool = True,
) -> Request:
    values = params or {}
    path = re.sub(r"\{(\w+)\}", lambda found: _path_segment(found[1], values.get(found[1])), operation.path)
    headers = {"accept": "application/json", "user-agent": USER_AGENT}
    if settings.token and with_key:
        headers["authorization"] = f"Bearer {settings.token}"
    content = None
    if body is not None:
        headers["content-type"] = "application/json"
        content = json.dumps(body, allow_nan=False, separators=(",", ":")).encode("ascii")
    # One key for all attempts of this call, so that the service recognizes a repeat as the same request.
    if operation.takes_idempotency_key:
        headers["idempotency-key"] = str(uuid.uuid4()) if idempotency_key is None else _checked_key(idempotency_key)
    return Request(
        operation.method,
        with_query((base_url or settings.base_url) + path, query),
        headers,
        content,
        settings.timeout if timeout is None else checked_timeout(timeout),
        f"{operation.method} {operation.path}",
    )


def _checked_key(key: str) -> str:
    if not is_header_text(key):
        raise ConfigurationError("idempotency_key must consist of visible ASCII characters, without spaces.")
    return key


def with_query(url: str, query: Optional[Mapping[str, Any]]) -> str:
    pairs = [(name, _query_text(value)) for name, value in (query or {}).items() if value is not None]
    return f"{url}?{urlencode(pairs, quote_via=quote)}" if pairs else url


def _query_text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _path_segment(name: str, value: Any) -> str:
    """Encodes one path segment. Rejects dots, which would call another operation."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {type(value).__name__}. Pass record[\"id\"], not the record.")
    if value in ("", ".", ".."):
        raise ConfigurationError(f"'{value}' is not a valid {name}.")
    return quote(value, safe="")
