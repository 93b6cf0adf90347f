from __future__ import annotations

import time
from email.utils import formatdate
from typing import Any, Optional

import httpx
import pytest

from broadside import (
    BroadsideConnectionError,
    BroadsideError,
    BroadsideTimeoutError,
    ConfigurationError,
    InternalError,
    PlatformBusyError,
    UnavailableError,
)
from broadside._core.retries import pause_before, retry_after

from .support import NEWCOMER, UP, Clock, Service, call, each_style, ok, refuse

HANG_UP = httpx.RemoteProtocolError("Server disconnected without sending a response.")
MESSAGE: Any = {"text": "The ferry leaves at nine."}


def get_status(client: Any) -> Any:
    return client.get_status()


def test_retry_after_is_read_in_seconds_or_as_a_date() -> None:
    now = 1_795_000_000.0

    def read(value: str) -> Optional[float]:
        return retry_after({"retry-after": value}, now)

    assert [read("0"), read("120")] == [0, 120]
    assert read(formatdate(now + 5, usegmt=True)) == 5
    assert read(formatdate(now - 60, usegmt=True)) == 0
    assert [read("soon"), read("-1"), read("１"), retry_after({}, now)] == [None] * 4


def test_delays_double_from_a_quarter_of_a_second_and_half_of_each_is_random() -> None:
    assert [pause_before(retry, 1) for retry in range(8)] == [0.25, 0.5, 1, 2, 4, 8, 8, 8]
    assert pause_before(0, 0) == 0.125
    assert pause_before(100_000, 1) == 8


@each_style
@pytest.mark.parametrize("failure", [refuse(503, "unavailable"), refuse(500, "internal_error"), HANG_UP])
def test_a_get_is_retried(style: str, clock: Clock, failure: Any) -> None:
    assert call(style, Service(failure, failure, UP), get_status) == {"status": "up"}
    assert clock.pauses == [0.25, 0.5]


@each_style
def test_a_retry_is_not_earlier_than_retry_after_says(style: str, clock: Clock) -> None:
    call(style, Service(refuse(503, "unavailable", {"retry-after": "7"}), UP), get_status)
    date = formatdate(time.time() + 20, usegmt=True)
    call(style, Service(refuse(503, "unavailable", {"retry-after": date}), UP), get_status)
    assert clock.pauses[0] == 7
    assert 10 < clock.pauses[1] <= 21


@each_style
def test_a_retry_after_longer_than_the_limit_ends_the_call(style: str, clock: Clock) -> None:
    service = Service(refuse(429, "platform_busy", {"retry-after": "61"}))
    with pytest.raises(PlatformBusyError) as caught:
        call(style, service, get_status)
    assert (len(service.seen), clock.pauses, caught.value.headers["retry-after"]) == (1, [], "61")
    call(style, Service(refuse(503, "unavailable"), UP), get_status, max_retry_wait=0)


@each_style
def test_a_call_is_retried_at_most_max_retries_times(style: str, clock: Clock) -> None:
    service = Service(refuse(500, "internal_error"), refuse(503, "unavailable"))
    with pytest.raises(UnavailableError):
        call(style, service, get_status, max_retries=2)
    assert len(service.seen) == 3
    once = Service(HANG_UP)
    with pytest.raises(BroadsideConnectionError, match="disconnected"):
        call(style, once, get_status, max_retries=0)
    assert len(once.seen) == 1


@each_style
@pytest.mark.parametrize(
    "failure", [HANG_UP, refuse(500, "internal_error"), refuse(503, "unavailable", {"retry-after": "0"})]
)
def test_a_call_that_may_have_had_an_effect_is_not_repeated(style: str, clock: Clock, failure: Any) -> None:
    for action in (lambda client: client.create_account(NEWCOMER), lambda client: client.search_posts({"q": "a"})):
        service = Service(failure, UP)
        with pytest.raises(BroadsideError):
            call(style, service, action)
        assert len(service.seen) == 1


@each_style
def test_a_429_is_retried_only_with_retry_after(style: str, clock: Clock) -> None:
    service = Service(refuse(429, "platform_busy", {"retry-after": "0"}), UP)
    call(style, service, lambda client: client.create_account(NEWCOMER))
    assert service.seen[0].content == service.seen[1].content != b""
    limited = Service(refuse(429, "rate_limited"), UP)
    with pytest.raises(BroadsideError):
        call(style, limited, get_status)
    assert len(limited.seen) == 1


@each_style
@pytest.mark.parametrize(("status", "code"), [(400, "malformed_json"), (404, "not_found"), (409, "invalid_state")])
def test_an_error_that_would_not_go_away_is_not_retried(style: str, clock: Clock, status: int, code: str) -> None:
    service = Service(refuse(status, code), UP)
    with pytest.raises(BroadsideError, match=code):
        call(style, service, get_status)
    assert len(service.seen) == 1


@each_style
def test_all_attempts_of_a_call_use_one_idempotency_key(style: str, clock: Clock) -> None:
    service = Service(HANG_UP, refuse(500, "internal_error"), ok({"id": "post_1"}, 202))
    for _ in range(2):
        call(style, service, lambda client: client.submit_post(MESSAGE))
    keys = service.headers("idempotency-key")
    assert len(keys) == 4 and len(set(keys[:3])) == 1 and keys[3] != keys[0] and len(str(keys[0])) == 36


@each_style
def test_the_callers_own_key_is_used_and_a_request_in_progress_is_retried(style: str, clock: Clock) -> None:
    service = Service(refuse(409, "idempotency_in_progress", {"retry-after": "1"}), ok({}, 202))
    call(style, service, lambda client: client.submit_post(MESSAGE, idempotency_key="my-own-key"))
    assert service.headers("idempotency-key") == ["my-own-key", "my-own-key"]
    for key in ("", "a\nb", "a b", "schlüssel"):
        with pytest.raises(ConfigurationError, match="visible ASCII"):
            call(style, service, lambda client: client.submit_post(MESSAGE, idempotency_key=key))


@each_style
def test_a_timeout_is_a_failed_attempt(style: str, clock: Clock) -> None:
    timeout = httpx.ReadTimeout("timed out")
    assert call(style, Service(timeout, UP), get_status) == {"status": "up"}
    with pytest.raises(BroadsideTimeoutError, match="within 3 seconds") as caught:
        call(style, Service(timeout), lambda client: client.create_account(NEWCOMER, timeout=3))
    assert isinstance(caught.value, BroadsideConnectionError) and caught.value.__cause__ is timeout
    with pytest.raises(InternalError):
        call(style, Service(refuse(500, "internal_error")), get_status, max_retries=0)


JSON = {"content-type": "application/json; charset=utf-8"}


@each_style
@pytest.mark.parametrize("content", [b"", b'{"status":"u', b"\xff", b"[" * 100_000])
def test_json_that_was_cut_off_is_a_failed_attempt(style: str, clock: Clock, content: bytes) -> None:
    broken = httpx.Response(200, content=content, headers=JSON)
    assert call(style, Service(broken, UP), get_status) == {"status": "up"}
    posted = Service(broken, ok({"id": "post_1"}, 202))
    assert call(style, posted, lambda client: client.submit_post(MESSAGE)) == {"id": "post_1"}
    assert len(set(posted.headers("idempotency-key"))) == 1
    unsafe = Service(broken, UP)
    with pytest.raises(BroadsideConnectionError, match="POST /v1/accounts got an incomplete response"):
        call(style, unsafe, lambda client: client.create_account(NEWCOMER))
    assert len(unsafe.seen) == 1


@each_style
def test_a_connection_error_never_has_the_query(style: str, clock: Clock) -> None:
    errors = [HANG_UP, httpx.ReadTimeout(""), httpx.LocalProtocolError("Illegal header value b'private'"), UnicodeError("x")]
    for error in errors:
        with pytest.raises(BroadsideConnectionError, match="^GET /v1/webhooks/{id}/deliveries got no ") as caught:
            query: Any = {"cursor": "private"}
            call(style, Service(error), lambda client: client.list_deliveries("private", query), max_retries=0)
        assert "private" not in str(caught.value)
