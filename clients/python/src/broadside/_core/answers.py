from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Mapping, Union

from .._generated.problems import PROBLEM_CLASSES
from .errors import BroadsideConnectionError, BroadsideError, BroadsideProblem
from .operation import Response


@dataclass(frozen=True)
class Whole:
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class Failed:
    """An attempt without a complete response."""

    error: BroadsideConnectionError


Outcome = Union[Whole, Failed]


def succeeded(outcome: Outcome) -> bool:
    return isinstance(outcome, Whole) and 200 <= outcome.status < 300


def parse_answer(answer: Whole, call: str) -> Union[Response[Any], Failed]:
    """The response, or a failed attempt if its JSON was cut off."""
    body = None
    if answer.status != 204:
        try:
            body = json.loads(answer.content)
        except (ValueError, RecursionError):
            if _media_type(answer) == "application/json":
                return Failed(BroadsideConnectionError(f"{call} got an incomplete response: its JSON is not valid."))
            message = f"The service responded with {answer.status} and no JSON. Check base_url."
            raise BroadsideError(message, answer.status) from None
    return Response(answer.status, body, answer.headers, answer.headers.get("x-request-id"))


def _media_type(answer: Whole) -> str:
    return answer.headers.get("content-type", "").split(";")[0].strip().lower()


def error_of(outcome: Outcome) -> BroadsideError:
    if isinstance(outcome, Failed):
        return outcome.error
    if 300 <= outcome.status < 400:
        message = "The service responded with a redirect, which the client does not follow. Check base_url."
        return BroadsideError(message, outcome.status)
    if _media_type(outcome) == "application/problem+json":
        problem = _problem_of(outcome)
        if problem:
            return problem
    return BroadsideError(f"The service responded with {outcome.status} and no problem document.", outcome.status)


def _problem_of(answer: Whole) -> Union[BroadsideProblem, None]:
    try:
        document = json.loads(answer.content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not isinstance(document.get("code"), str):
        return None
    return PROBLEM_CLASSES.get(document["code"], BroadsideProblem)({**document, "status": answer.status}, answer.headers)
