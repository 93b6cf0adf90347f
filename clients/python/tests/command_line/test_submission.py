"""A post can cost money twice, so an error says whether it was submitted."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from ..support import UP_WITH_SITES, Service, ok, refuse
from .conftest import Run

POST = ("post", "message", "--text", "The ferry runs again.")
QUEUED: Any = {
    "id": "post_1",
    "kind": "message",
    "status": "queued",
    "created_at": "2026-11-18T05:00:00.000Z",
    "decided_at": None,
    "url": None,
    "charged_micros": 10_000,
    "refunded_micros": 0,
}
HTML = httpx.Response(502, html="<p>Bad gateway")


@pytest.mark.parametrize(
    ("failure", "exit", "code"),
    [
        (httpx.ReadError("cut"), 8, "connection_failed"),
        (refuse(503, "unavailable"), 8, "unavailable"),
        (HTML, 8, "failed"),
        (httpx.Response(200, content=b"{", headers={"content-type": "application/json"}), 8, "connection_failed"),
        (httpx.Response(200, html="<p>Hello"), 1, "failed"),
        (ok([], 202), 1, "failed"),
    ],
)
def test_without_a_clear_response_the_post_may_have_been_submitted(run: Run, failure: Any, exit: int, code: str) -> None:
    service = Service(UP_WITH_SITES, failure)
    found, document, text = run(service, *POST)
    assert (found, document["code"]) == (exit, code)
    for shown in (document["advice"], text):
        assert re.search(r"The post may have been submitted\. .* add --idempotency-key [0-9a-f-]{36}", shown)
    assert "broadside doctor" not in text
    # The key of the advice is the one that was sent.
    assert str(service.headers("idempotency-key")[-1]) in text


@pytest.mark.parametrize(
    ("refusal", "exit"),
    [
        (refuse(422, "validation_failed"), 3),
        (refuse(402, "insufficient_balance", for_human=True), 5),
        (ok({"draft": {"id": "draft_1"}, "account_url": "https://o.example"}, 202), 5),
    ],
)
def test_a_refused_post_was_not_submitted(run: Run, refusal: Any, exit: int) -> None:
    found, document, text = run(Service(UP_WITH_SITES, refusal), *POST)
    assert found == exit and "submitted" not in f"{document} {text}"


def test_a_site_that_is_not_found_means_that_nothing_was_submitted(run: Run) -> None:
    code, document, text = run(Service(HTML), *POST)
    assert code == 8 and "submitted" not in f"{document} {text}"


@pytest.mark.parametrize(
    ("failure", "exit", "code"),
    [
        (httpx.ReadError("cut"), 8, "connection_failed"),
        (refuse(401, "invalid_api_key"), 4, "invalid_api_key"),
        (HTML, 8, "failed"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_an_error_while_waiting_says_that_the_post_was_submitted(run: Run, failure: Any, exit: int, code: str) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise failure

    reply = fail if isinstance(failure, BaseException) else failure
    found, document, text = run(Service(UP_WITH_SITES, ok(QUEUED, 202), reply), *POST)
    advice = "The post was submitted: post_1. Wait again: broadside wait post_1"
    assert (found, document["code"], document["advice"], document["post"]) == (exit, code, advice, QUEUED)
    assert text.endswith(f"{advice}\n")


def test_a_status_that_is_newer_than_the_package_is_no_failure(run: Run) -> None:
    sung = {**QUEUED, "status": "sung"}
    code, document, text = run(Service(UP_WITH_SITES, ok(QUEUED, 202), ok(sung)), *POST)
    assert (code, document["status"]) == (0, "sung") and text.startswith("sung  message  post_1\n")


def test_the_longest_timeout_of_the_command_line_is_accepted(run: Run) -> None:
    assert run(Service(ok({**QUEUED, "status": "published"})), "wait", "post_1", "--timeout", "9999999")[0] == 0
