from __future__ import annotations

import json
import math
import time
from typing import Any, Mapping, Optional

from .retries import retry_after


class BroadsideError(Exception):
    """The base of every error that this package raises for a call."""

    status: Optional[int] = None
    """The HTTP status of the response, if the error is about one."""

    def __init__(self, message: str = "", status: Optional[int] = None) -> None:
        super().__init__(message)
        if status is not None:
            self.status = status


class BroadsideConnectionError(BroadsideError):
    """The service sent no complete response. If the call is not safe to repeat, it may have had an effect."""


class BroadsideTimeoutError(BroadsideConnectionError):
    """The service did not respond in time. If the call is not safe to repeat, it may have had an effect."""


class BroadsideProblem(BroadsideError):
    """A problem that the service returned (RFC 9457). Each code has a subclass, such as InsufficientBalanceError.

    Codes are stable. A code that is newer than this package has no subclass.
    """

    def __init__(self, document: Mapping[str, Any], headers: Optional[Mapping[str, str]] = None) -> None:
        super().__init__(_message(document), _status_of(document))
        self.document: Mapping[str, Any] = document
        """The whole problem document."""
        self.headers: Mapping[str, str] = headers if headers is not None else {}
        self.code: str = document["code"]
        self.status: int = _status_of(document)
        self.type: Optional[str] = _text_in(document, "type")
        """The page that explains this problem and what to do."""
        self.title: Optional[str] = _text_in(document, "title")
        self.detail: str = _text_in(document, "detail") or ""
        self.errors: list[dict[str, Any]] = _errors_in(document)
        """The invalid fields: pointer and detail, and where they help allowed, closest, expected and docs."""
        self.account_url: Optional[str] = _text_in(document, "account_url")
        """The page that the account's owner must open if only a person can continue."""
        self.request_id: Optional[str] = _text_in(document, "instance")
        """Include it when you report a problem."""
        wait = retry_after(self.headers, time.time())
        told = document.get("retry_after_seconds")
        self.retry_after_seconds: Optional[int] = (
            math.ceil(wait) if wait is not None else told if isinstance(told, int) else None
        )
        """How long to wait before a retry, if a retry helps."""

    def __reduce__(self) -> Any:
        return type(self), (self.document, dict(self.headers))


class ApprovalRequiredError(BroadsideError):
    """The owner must approve the post. It is kept as a draft, which costs nothing until it is submitted."""

    def __init__(self, draft: Any, account_url: Optional[str] = None) -> None:
        link = f" Ask the owner to open {account_url}" if account_url else ""
        super().__init__(f"The owner must approve this post. It waits as {draft['id']}.{link}")
        self.draft: Any = draft
        """The draft, as returned by the service."""
        self.account_url: Optional[str] = account_url

    def __reduce__(self) -> Any:
        return type(self), (self.draft, self.account_url)


class WaitTimeoutError(BroadsideError):
    """The post was not decided in time. It stays in the queue; wait again, or use webhooks."""

    def __init__(self, post: Any, seconds: float) -> None:
        super().__init__(f"{post['id']} is still in {post['status']} after {seconds:g} seconds.")
        self.post: Any = post
        """The last status record."""
        self.seconds = seconds

    def __reduce__(self) -> Any:
        return type(self), (self.post, self.seconds)


_SHOWN_FIELDS = 5


def _status_of(document: Mapping[str, Any]) -> int:
    status = document.get("status")
    return status if isinstance(status, int) else 0


def _text_in(document: Mapping[str, Any], name: str) -> Optional[str]:
    value = document.get(name)
    return value if isinstance(value, str) else None


def _errors_in(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    errors = document.get("errors")
    return [item for item in errors if isinstance(item, dict)] if isinstance(errors, list) else []


def _message(document: Mapping[str, Any]) -> str:
    """The detail, and for each invalid field its name, what is wrong and what is valid."""
    parts = [f"{document['code']}: {_text_in(document, 'detail') or ''}".strip()]
    fields = [_field_message(item) for item in _errors_in(document)]
    if fields:
        more = [f"and {len(fields) - _SHOWN_FIELDS} more"] if len(fields) > _SHOWN_FIELDS else []
        parts.append("; ".join([*fields[:_SHOWN_FIELDS], *more]))
    if document.get("instance"):
        parts.append(f"(request {document['instance']})")
    return " ".join(parts)


def _field_message(item: Mapping[str, Any]) -> str:
    """The same format as in TypeScript. It never repeats a value that was sent, because a message ends up in a log."""
    pointer = _text_in(item, "pointer") or ""
    text = f"{pointer[1:] if pointer.startswith('#') else pointer} {_text_in(item, 'detail') or 'is not valid'}".strip()
    hints = []
    if item.get("closest") is not None:
        hints.append(f"did you mean {_shown(item['closest'])}?")
    elif isinstance(item.get("allowed"), list) and len(item["allowed"]) <= 20:
        hints.append(f"allowed: {', '.join(map(_shown, item['allowed']))}")
    if item.get("expected") is not None:
        hints.append(f"expected: {_shown(item['expected'])}")
    return f"{text} ({', '.join(hints)})" if hints else text


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
