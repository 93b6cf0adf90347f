from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any, Optional

import httpx
import pytest

from broadside import ApprovalRequiredError, BroadsideError, ConfigurationError, PostNotFoundError, WaitTimeoutError

from .support import BASE_URL, UP, UP_WITH_SITES, Clock, Service, call, each_style, ok, refuse

MESSAGE: Any = {"text": "The ferry leaves at nine."}
STORY: Any = {"title": "T", "body": "B"}


def record(status: str, retry: Optional[int] = None, kind: str = "message", **more: Any) -> dict[str, Any]:
    moderation = {"moderation": {"retry_after_seconds": retry}} if retry is not None else {}
    return {"id": "post_1", "kind": kind, "status": status, **moderation, **more}


@each_style
def test_a_post_is_published_on_the_site_of_its_kind(style: str) -> None:
    service = Service(UP_WITH_SITES, ok(record("queued", kind="story"), 202))
    action = lambda client: client.publish("story", STORY, idempotency_key="k" * 8)  # noqa: E731
    assert call(style, service, action, api_key="bsk_a")["status"] == "queued"
    assert service.sent() == [f"GET {BASE_URL}/v1/status", "POST https://stories.b.example/v1/posts"]
    assert json.loads(service.seen[1].content) == STORY
    assert service.headers("idempotency-key") == [None, "k" * 8]
    assert service.headers("authorization") == [None, "Bearer bsk_a"]


@each_style
def test_the_sites_are_asked_for_once(style: str) -> None:
    if style == "async":

        async def twice(client: Any) -> None:
            await client.check("message", MESSAGE)
            await client.check("event", {})

        action: Any = twice
    else:
        action = lambda client: (client.check("message", MESSAGE), client.check("event", {}))  # noqa: E731
    service = Service(UP_WITH_SITES, ok({"dry_run": True}))
    call(style, service, action)
    assert service.sent() == [
        f"GET {BASE_URL}/v1/status",
        f"POST {BASE_URL}/v1/posts?dry_run=true",
        "POST https://events.b.example/v1/posts?dry_run=true",
    ]


@each_style
def test_the_address_of_a_site_can_be_asked_for(style: str) -> None:
    assert call(style, Service(UP_WITH_SITES), lambda client: client.site_url("story")) == "https://stories.b.example"


@each_style
def test_an_unknown_kind_and_an_insecure_site_are_errors(style: str) -> None:
    with pytest.raises(BroadsideError, match="no site for the kind 'poem'. It has classified, event, message, story"):
        call(style, Service(UP_WITH_SITES), lambda client: client.publish("poem", {}))
    insecure = Service(ok({"sites": [{"kind": "message", "url": "http://messages.b.example"}]}))
    with pytest.raises(BroadsideError, match="without https"):
        call(style, insecure, lambda client: client.publish("message", MESSAGE), api_key="bsk_a")
    assert len(insecure.seen) == 1


@each_style
def test_an_address_is_compared_by_its_parts(style: str) -> None:
    def sites(url: Any) -> Service:
        return Service(ok({"sites": ["nonsense", {"kind": "message", "url": url}]}))

    site_url = lambda client: client.site_url("message")  # noqa: E731
    assert call(style, sites("HTTPS://Messages.b.example/"), site_url) == "https://messages.b.example"
    assert call(style, sites("https://m.example"), site_url, base_url="http://m.example") == "https://m.example"
    for url in ("HTTP://m.example", "https:///m.example", "https://m.example?a", "file:///etc"):
        with pytest.raises(BroadsideError, match="without https|not valid"):
            call(style, sites(url), site_url)


@each_style
@pytest.mark.parametrize("answer", [None, [], {}, "draft"])
def test_an_answer_that_is_no_post_is_an_error(style: str, answer: Any) -> None:
    for method, arguments in (("publish", ("message", MESSAGE)), ("schedule", ("message", MESSAGE, "2026-12-01T09:00:00Z"))):
        with pytest.raises(BroadsideError, match="The service responded with"):
            call(style, Service(UP, ok(answer, 202)), lambda client: getattr(client, method)(*arguments))
    with pytest.raises(BroadsideError):
        call(style, Service(ok(answer)), lambda client: client.status("post_1"))


@each_style
def test_a_post_that_needs_approval_raises_with_the_draft(style: str) -> None:
    answer = {"draft": {"id": "draft_1", "state": "awaiting_approval"}, "account_url": "https://o.example/t"}
    with pytest.raises(ApprovalRequiredError, match="https://o.example/t") as caught:
        call(style, Service(UP, ok(answer, 202)), lambda client: client.publish("message", MESSAGE))
    assert (caught.value.draft["id"], caught.value.account_url) == ("draft_1", "https://o.example/t")


@each_style
def test_a_scheduled_post_is_a_draft(style: str) -> None:
    at = datetime(2026, 12, 1, 9, tzinfo=timezone(timedelta(hours=2)))
    service = Service(UP, ok({"draft": {"id": "draft_1"}}, 202))
    assert call(style, service, lambda client: client.schedule("message", MESSAGE, at)) == {"id": "draft_1"}
    assert dict(service.seen[1].url.params) == {"publish_at": "2026-12-01T09:00:00+02:00"}
    call(style, service, lambda client: client.schedule("message", MESSAGE, "2026-12-01T09:00:00Z"))
    with pytest.raises(ValueError, match="time zone"):
        call(style, service, lambda client: client.schedule("message", MESSAGE, datetime(2026, 12, 1)))


@each_style
def test_status_is_the_own_record_and_read_the_public_post(style: str) -> None:
    service = Service(ok(record("published")), ok({"id": "post_1", "kind": "message", "content": {}}))
    assert call(style, service, lambda client: client.status("post_1"), api_key="bsk_a")["status"] == "published"
    assert call(style, service, lambda client: client.read("post_1"), api_key="bsk_a")["content"] == {}
    assert service.headers("authorization") == ["Bearer bsk_a", None]
    with pytest.raises(BroadsideError, match="another account"):
        call(style, service, lambda client: client.status("post_1"), api_key="bsk_a")


@each_style
@pytest.mark.parametrize("method", ["status", "read", "delete", "wait_for_decision", "edit"])
def test_a_post_on_another_site_is_found_there(style: str, method: str) -> None:
    elsewhere = refuse(404, "post_not_found", kind="event", site_url="https://evil.example")
    post = ok(record("published", kind="event"))
    replies = [UP_WITH_SITES, elsewhere, post] if method == "edit" else [elsewhere, UP_WITH_SITES, post]
    service = Service(*replies)
    arguments = ("story", "post_1", {}) if method == "edit" else ("post_1",)
    assert call(style, service, lambda client: getattr(client, method)(*arguments))["kind"] == "event"
    assert service.seen[2].url == "https://events.b.example/v1/posts/post_1"


@each_style
def test_another_site_is_tried_once_and_only_if_the_service_has_it(style: str) -> None:
    elsewhere = refuse(404, "post_not_found", kind="event")
    for replies, calls in (([elsewhere, UP], 2), ([elsewhere, UP_WITH_SITES, elsewhere], 3)):
        service = Service(*replies)
        with pytest.raises(PostNotFoundError):
            call(style, service, lambda client: client.status("post_1"))
        assert len(service.seen) == calls
    unknown = Service(refuse(404, "post_not_found"))
    with pytest.raises(PostNotFoundError):
        call(style, unknown, lambda client: client.status("post_1"))
    assert len(unknown.seen) == 1


@each_style
def test_an_edit_is_sent_to_the_site_with_one_key(style: str, clock: Clock) -> None:
    service = Service(UP_WITH_SITES, httpx.ReadError("cut"), ok(record("published"), 202))
    call(style, service, lambda client: client.edit("story", "post_1", {"title": "New"}))
    assert service.sent()[1:] == ["PATCH https://stories.b.example/v1/posts/post_1"] * 2
    assert len(set(service.headers("idempotency-key")[1:])) == 1


@each_style
def test_waiting_polls_as_the_service_asks(style: str, clock: Clock) -> None:
    service = Service(
        ok(record("queued", 7), headers={"retry-after": "3"}),
        ok(record("queued", 7)),
        ok(record("queued")),
        ok(record("queued", 900)),
        ok(record("queued", 0)),
        ok(record("review")),
    )
    assert call(style, service, lambda client: client.wait_for_decision("post_1", timeout=5_000), clock)["status"] == "review"
    assert clock.pauses == [3, 7, 2, 900, 0.25]


@each_style
def test_a_record_is_not_polled_before_its_time_nor_when_it_is_decided(style: str, clock: Clock) -> None:
    service = Service(UP, ok(record("published")))
    action = lambda client: client.wait_for_decision(record("queued", 4))  # noqa: E731
    assert call(style, service, action, clock)["status"] == "published"
    assert clock.pauses == [4]
    decided = record("rejected")
    assert call(style, service, lambda client: client.wait_for_decision(decided), clock) == decided
    assert len(service.seen) == 2


@each_style
def test_waiting_can_go_through_review_and_includes_the_latest_edit(style: str, clock: Clock) -> None:
    service = Service(ok(record("review")), ok(record("published")))
    action = lambda client: client.wait_for_decision("post_1", through_review=True)  # noqa: E731
    assert call(style, service, action, clock)["status"] == "published"
    edit = {"status": "queued", "moderation": {"retry_after_seconds": 6}}
    edited = Service(ok(record("published", edit=edit)), ok(record("published", edit={"status": "accepted"})))
    assert call(style, edited, lambda client: client.wait_for_decision("post_1"), clock)["edit"]["status"] == "accepted"
    assert clock.pauses == [30, 6]


@each_style
def test_waiting_ends_with_the_last_record(style: str, clock: Clock) -> None:
    service = Service(ok(record("queued", 7)))
    with pytest.raises(WaitTimeoutError, match="post_1 is still in queued after 10 seconds.") as caught:
        call(style, service, lambda client: client.wait_for_decision("post_1", timeout=10), clock)
    assert clock.pauses == [7, 3] and len(service.seen) == 2
    assert caught.value.post["status"] == "queued"


@each_style
def test_waiting_ends_between_the_retries_of_a_poll(style: str, clock: Clock) -> None:
    service = Service(ok(record("queued", 7)), refuse(503, "unavailable", {"retry-after": "50"}))
    with pytest.raises(WaitTimeoutError):
        call(style, service, lambda client: client.wait_for_decision("post_1", timeout=10), clock)
    assert clock.pauses == [7, 3] and len(service.seen) == 2


@each_style
@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 3e6, "10"])
def test_a_timeout_that_is_no_time_is_rejected(style: str, timeout: Any) -> None:
    for action in (
        lambda client: client.wait_for_decision("post_1", timeout=timeout),
        lambda client: client.status("post_1", timeout=timeout),
    ):
        with pytest.raises(ConfigurationError, match="timeout must be"):
            call(style, Service(UP), action)
