from __future__ import annotations

from typing import Any, Union

import httpx

from ._core.answers import Failed
from ._core.errors import BroadsideConnectionError, BroadsideTimeoutError
from ._core.requests import Request
from ._core.settings import ConfigurationError

NO_AUTHENTICATION = httpx.Auth()
"""Keeps httpx from adding credentials of its own, such as those in .netrc."""


def prepared(http: Union[httpx.Client, httpx.AsyncClient], request: Request) -> httpx.Request:
    return http.build_request(
        request.method,
        request.url,
        headers=dict(request.headers),
        content=request.content,
        timeout=httpx.Timeout(request.timeout),
    )


SEND_ERRORS = (httpx.RequestError, httpx.InvalidURL, UnicodeError)
"""What sending can raise. A host name that cannot be encoded is a UnicodeError."""


def failed(error: Exception, request: Request) -> Failed:
    """An attempt that ended without a complete response."""
    wrapped: BroadsideConnectionError
    if isinstance(error, httpx.TimeoutException):
        wrapped = timed_out(request)
    else:
        # The text of a LocalProtocolError repeats the header that it is about.
        is_private = isinstance(error, httpx.LocalProtocolError) or not str(error)
        reason = type(error).__name__ if is_private else str(error)
        wrapped = BroadsideConnectionError(f"{request.call} got no complete response: {reason}")
    wrapped.__cause__ = error
    return Failed(wrapped)


def timed_out(request: Request) -> BroadsideTimeoutError:
    return BroadsideTimeoutError(f"{request.call} got no response within {request.timeout:g} seconds.")


def check_client(http_client: Any, transport: Any, expected: type[Any]) -> None:
    if http_client is not None and not isinstance(http_client, expected):
        raise ConfigurationError(f"http_client must be an httpx.{expected.__name__}.")
    if http_client is not None and transport is not None:
        raise ConfigurationError("Pass http_client or transport, not both.")
