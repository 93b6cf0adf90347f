from __future__ import annotations

import pickle
from typing import Any

import pytest

import broadside
from broadside import (
    ApprovalRequiredError,
    BroadsideError,
    BroadsideProblem,
    InsufficientBalanceError,
    ValidationFailedError,
    WaitTimeoutError,
)
from broadside._generated.problems import PROBLEM_CLASSES

from .support import Service, call, each_style, refuse


@each_style
@pytest.mark.parametrize("code", PROBLEM_CLASSES)
def test_every_problem_has_its_class(style: str, code: str) -> None:
    with pytest.raises(BroadsideProblem) as caught:
        call(style, Service(refuse(400, code)), lambda client: client.get_status(), max_retries=0)
    assert type(caught.value) is PROBLEM_CLASSES[code] is getattr(broadside, PROBLEM_CLASSES[code].__name__)
    assert caught.value.code == code and str(caught.value) == f"{code}: D (request {'a' * 32})"
    assert PROBLEM_CLASSES[code].__doc__


@each_style
def test_a_problem_has_its_facts(style: str) -> None:
    url = "https://account.b.example/o/token"
    reply = refuse(402, "insufficient_balance", {"x-a": "b"}, account_url=url, required_micros=5, retry_after_seconds=9)
    with pytest.raises(InsufficientBalanceError) as caught:
        call(style, Service(reply), lambda client: client.submit_post({"text": "a"}))
    problem = caught.value
    assert (problem.status, problem.detail, problem.title, problem.account_url) == (402, "D", "T", url)
    assert (problem.request_id, problem.type) == ("a" * 32, "https://b.example/problems/insufficient_balance")
    assert (problem.document["required_micros"], problem.headers["X-A"], problem.retry_after_seconds) == (5, "b", 9)
    assert problem.errors == []


def test_the_header_says_how_long_to_wait() -> None:
    document = {"code": "rate_limited", "detail": "D", "retry_after_seconds": 9}
    assert broadside.RateLimitedError(document, {"retry-after": "7"}).retry_after_seconds == 7
    assert broadside.RateLimitedError(document).retry_after_seconds == 9


@pytest.mark.parametrize("value", [None, 5, [], {}])
def test_a_problem_with_members_of_another_type_is_still_a_problem(value: Any) -> None:
    members = ("type", "title", "detail", "status", "instance", "errors", "account_url", "retry_after_seconds")
    problem = BroadsideProblem({**dict.fromkeys(members, value), "code": "rate_limited", "status": "x"})
    assert (problem.code, problem.status, problem.detail, problem.title, problem.errors) == ("rate_limited", 0, "", None, [])


@each_style
def test_a_code_that_is_newer_than_the_package_is_a_plain_problem(style: str) -> None:
    with pytest.raises(BroadsideProblem) as caught:
        call(style, Service(refuse(418, "teapot_only")), lambda client: client.get_status())
    assert type(caught.value) is BroadsideProblem and caught.value.code == "teapot_only"


def validation(*errors: Any) -> str:
    return str(ValidationFailedError({"code": "validation_failed", "detail": "Invalid.", "errors": list(errors)}))


def test_a_validation_error_names_the_fields_and_what_is_valid() -> None:
    assert validation(
        {"pointer": "#/text", "detail": "is required"},
        {"pointer": "#/location/a~1b%20c", "detail": "is not recognized", "closest": "country", "allowed": ["country"]},
        {"pointer": "#/category", "detail": "is not known", "allowed": ["jobs", "free"]},
        {"pointer": "#/price", "detail": "must be an object", "expected": {"amount": 5, "currency": "EUR"}},
        {"pointer": "#", "detail": "must be an object"},
    ) == (
        "validation_failed: Invalid. /text is required; /location/a~1b%20c is not recognized (did you mean country?); "
        "/category is not known (allowed: jobs, free); "
        '/price must be an object (expected: {"amount":5,"currency":"EUR"}); must be an object'
    )
    many = validation(*({"pointer": f"#/{number}", "detail": "is wrong"} for number in range(7)))
    assert many.endswith("/4 is wrong; and 2 more")
    assert validation("nonsense", {}) == "validation_failed: Invalid. is not valid"


def test_errors_can_be_pickled() -> None:
    errors: list[BroadsideError] = [
        InsufficientBalanceError({"code": "insufficient_balance", "detail": "D", "status": 402}, {"a": "b"}),
        ApprovalRequiredError({"id": "draft_1"}, "https://account.b.example/"),
        WaitTimeoutError({"id": "post_1", "status": "queued"}, 5),
        broadside.WebhookVerificationError("no_match"),
    ]
    for error in errors:
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error) and str(copy) == str(error) and copy.__dict__ == error.__dict__
