from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Mapping, Optional, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Operation(Generic[T]):
    """What a call must know about an operation. T is the body of its response."""

    method: str
    path: str
    safe_to_repeat: bool
    takes_idempotency_key: bool
    kind: Optional[str] = None
    """The only kind whose site has the operation; None if all sites have it."""


@dataclass(frozen=True)
class Response(Generic[T]):
    """A response with its status and headers."""

    status: int
    body: T
    headers: Mapping[str, str]
    """The names are case-insensitive."""
    request_id: Optional[str]
    """Include it when you report a problem."""
