"""How an error is shown: its exit code, its JSON document and its lines."""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence

from .._core.errors import ApprovalRequiredError, BroadsideConnectionError, BroadsideError, BroadsideProblem
from .._core.settings import ConfigurationError
from .failures import CliError, SubmissionError
from .table import TABLE, exit_of_problem
from .terminal.output import Look
from .terminal.text import one_line, pad, safe_json

Red = Callable[[str], str]


class Report(NamedTuple):
    exit: str
    document: Mapping[str, Any]
    lines: Sequence[str]


def describe_error(error: Exception, look: Look) -> Optional[Report]:
    """None for a fault of this program."""

    def red(text: str) -> str:
        return look.style("red", text)

    if isinstance(error, BroadsideProblem):
        return _describe_problem(error, red)
    if isinstance(error, ApprovalRequiredError):
        return _describe_approval(error, red)
    if isinstance(error, CliError):
        return _describe_own(error, red)
    if isinstance(error, SubmissionError):
        return _describe_submission(error, look)
    if not isinstance(error, BroadsideError):
        return None
    exit, code = _class_of(error)
    advice = "Run `broadside doctor` to find out why."
    detail = in_words(error)
    return Report(exit, {"code": code, "detail": detail, "advice": advice}, [red(f"Error: {detail}"), advice])


def _class_of(error: BroadsideError) -> tuple[str, str]:
    """How a command exits that ends with this error, and the code of the document."""
    if isinstance(error, BroadsideConnectionError):
        return "unavailable", "connection_failed"
    if isinstance(error, ConfigurationError):
        return ("key" if str(error).startswith("api_key") else "usage"), "usage"
    return ("failed" if error.status is None else exit_of_problem(error.status, False)), "failed"


_OWN_NAMES = {"base_url": "the address", "api_key": "the API key", "idempotency_key": "--idempotency-key"}


def in_words(error: BroadsideError) -> str:
    """The message, with the words of the command line for the settings of the client."""
    text = re.sub("|".join(_OWN_NAMES), lambda found: _OWN_NAMES[found[0]], one_line(str(error)))
    return text[:1].upper() + text[1:]


def _describe_submission(error: SubmissionError, look: Look) -> Optional[Report]:
    report = describe_error(error.error, look)
    if report is None:
        return None
    document = {**report.document, "advice": error.advice, **error.members}
    # The other advice would be about the connection alone.
    lines = [line for line in report.lines if line != report.document.get("advice")]
    return Report(report.exit, document, [*lines, error.advice])


def _describe_own(error: CliError, red: Red) -> Report:
    message, advice = str(error), error.advice
    document = {"code": error.code, "detail": message, **({"advice": advice} if advice else {}), **error.members}
    heading = message if error.exit == "interrupted" else red(f"Error: {one_line(message)}")
    return Report(error.exit, document, [heading, *map(one_line, advice.split("\n") if advice else [])])


def _describe_problem(problem: BroadsideProblem, red: Red) -> Report:
    document, detail = problem.document, problem.detail
    advice = TABLE["advice"].get(problem.code)
    reason = document.get("reason")
    lines = [
        red(f"Error: {one_line(problem.title or 'The service refused the request')} ({problem.code})"),
        *([one_line(detail)] if detail else []),
        *([one_line(str(reason))] if reason and reason != detail else []),
        *_field_lines(problem.errors),
        *([f"What to do: {advice}"] if advice else []),
        *([] if problem.retry_after_seconds is None else [f"Try again in {problem.retry_after_seconds} s."]),
        *([f"For the owner: {one_line(problem.account_url)}"] if problem.account_url else []),
        *([f"About this problem: {one_line(problem.type)}"] if problem.type else []),
        *([f"Request: {one_line(problem.request_id)}"] if problem.request_id else []),
    ]
    return Report(exit_of(problem), document, lines)


def exit_of(problem: BroadsideProblem) -> str:
    """How a command exits that ends with this problem."""
    return exit_of_problem(problem.status, bool(problem.document.get("for_human")))


def _field_lines(errors: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line per field, and beneath it what would be valid."""
    names = [one_line(re.sub(r"^#?/?", "", str(error.get("pointer", "")))) or "(body)" for error in errors]
    width = max(map(len, names), default=0)
    lines = []
    for name, error in zip(names, errors):
        indent = " " * (width + 4)
        lines.append(f"  {pad(name, width)}  {one_line(str(error.get('detail') or 'is not valid'))}")
        if error.get("closest") is not None:
            lines.append(f"{indent}Did you mean {_shown(error['closest'])}?")
        if isinstance(error.get("allowed"), list) and error["allowed"]:
            lines.append(f"{indent}Allowed: {', '.join(map(_shown, error['allowed']))}")
        if error.get("expected") is not None:
            lines.append(f"{indent}Expected: {_shown(error['expected'])}")
        if error.get("docs"):
            lines.append(f"{indent}See {_shown(error['docs'])}")
    return lines


def _shown(value: Any) -> str:
    return one_line(value if isinstance(value, str) else safe_json(value))


def _describe_approval(error: ApprovalRequiredError, red: Red) -> Report:
    url = error.account_url
    document = {"draft": error.draft, **({"account_url": url} if url else {}), "for_human": True}
    lines = [
        red(f"The owner must approve this post: {error.draft['id']}"),
        "It is a draft and costs nothing until then.",
        *([f"For the owner: {one_line(url)}"] if url else []),
    ]
    return Report("owner", document, lines)
