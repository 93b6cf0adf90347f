from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from broadside import (
    ApprovalRequiredError,
    BroadsideConnectionError,
    BroadsideError,
    BroadsideProblem,
    ConfigurationError,
)
from broadside._cli.error_report import Report, describe_error
from broadside._cli.main import run_command_line
from broadside._cli.table import EXIT_CODES, exit_of_problem
from broadside._cli.terminal.output import Look

PROBLEM: dict[str, Any] = {
    "type": "https://b.example/problems/validation_failed",
    "title": "The request is not valid",
    "status": 422,
    "code": "validation_failed",
    "detail": "Some fields are not valid.",
    "instance": "a" * 32,
    "errors": [
        {"pointer": "#/texts", "detail": "is not known", "allowed": ["text", "topics"], "closest": "text"},
        {"pointer": "", "detail": "is empty", "expected": {"country": "PT"}, "docs": "https://b.example/docs/"},
    ],
}


def described(error: Exception) -> Report:
    report = describe_error(error, Look(80, False))
    assert report
    return report


def test_a_problem_shows_what_is_valid_what_to_do_and_the_request() -> None:
    exit, document, lines = described(BroadsideProblem(PROBLEM))
    assert (exit, document) == ("refused", PROBLEM)
    assert lines == [
        "Error: The request is not valid (validation_failed)",
        "Some fields are not valid.",
        "  texts   is not known",
        "          Did you mean text?",
        "          Allowed: text, topics",
        "  (body)  is empty",
        '          Expected: {"country":"PT"}',
        "          See https://b.example/docs/",
        "What to do: Correct these fields. `broadside check` checks a post without publishing it.",
        "About this problem: https://b.example/problems/validation_failed",
        f"Request: {'a' * 32}",
    ]


def test_what_the_owner_must_do_has_its_link() -> None:
    members = {"status": 402, "code": "insufficient_balance", "account_url": "https://o.example/a", "for_human": True}
    exit, _, lines = described(BroadsideProblem({**PROBLEM, **members, "errors": []}))
    assert exit == "owner" and "For the owner: https://o.example/a" in lines
    exit, document, lines = described(ApprovalRequiredError({"id": "draft_1"}, "https://o.example/a"))
    assert exit == "owner" and document["for_human"] is True and lines[-1] == "For the owner: https://o.example/a"


@pytest.mark.parametrize(
    ("status", "code"), [(400, 3), (401, 4), (403, 4), (404, 6), (410, 6), (409, 3), (429, 7), (500, 8), (503, 8)]
)
def test_the_exit_code_follows_the_class_of_the_problem(status: int, code: int) -> None:
    assert EXIT_CODES[exit_of_problem(status, False)] == code
    assert EXIT_CODES[exit_of_problem(status, True)] == 5


def test_no_response_exits_with_a_code_of_its_own() -> None:
    exit, document, lines = described(BroadsideConnectionError("No response."))
    assert (EXIT_CODES[exit], document["code"]) == (8, "connection_failed")
    assert lines == ["Error: No response.", "Run `broadside doctor` to find out why."]
    assert describe_error(KeyError("a"), Look(80, False)) is None


@pytest.mark.parametrize(("status", "code"), [(502, 8), (504, 8), (401, 4), (404, 6), (429, 7), (302, 1), (200, 1)])
def test_an_error_without_a_problem_document_exits_by_its_status(status: int, code: int) -> None:
    assert EXIT_CODES[described(BroadsideError("No problem document.", status)).exit] == code


def test_an_invalid_setting_is_a_usage_error_in_the_words_of_the_command_line() -> None:
    exit, document, lines = described(ConfigurationError("base_url is not an http or https URL."))
    assert (exit, document["code"], lines[0]) == ("usage", "usage", "Error: The address is not an http or https URL.")
    assert described(ConfigurationError("api_key is not an API key.")).exit == "key"


def test_a_problem_with_only_a_code_has_no_empty_lines() -> None:
    exit, _, lines = described(BroadsideProblem({"code": "odd", "status": 503, "errors": [{}, {"allowed": 5}]}))
    assert (exit, lines) == ("unavailable", ["Error: The service refused the request (odd)", *["  (body)  is not valid"] * 2])


def test_a_missing_address_and_a_missing_key(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["balance"]) == 2
    assert run_command_line(["balance", "--url", "http://127.0.0.1:9", "--json"]) == 4
    shown = capsys.readouterr()
    assert "Error: The address of a site is missing." in shown.err
    assert json.loads(shown.out)["code"] == "missing_api_key"


def test_a_service_that_does_not_respond(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["doctor", "--url", "http://127.0.0.1:9", "--json"]) == 8
    document = json.loads(capsys.readouterr().out)
    assert document["ok"] is False and document["checks"][-1]["detail"] == "No connection (ECONNREFUSED)."


def test_bodies_that_are_not_usable(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = ["--url", "http://127.0.0.1:9"]
    (environment / "list.json").write_text("[]")
    for words, message in [
        (["check", "message"], "The post is missing."),
        (["check", "message", "list.json"], "list.json is not a JSON object."),
        (["check", "message", "none.json"], "none.json cannot be read (ENOENT)."),
        (["check", "classified", "--price", "cheap"], "--price must be an amount and a currency."),
        (["listen"], "--forward-to is missing."),
        (["listen", "--forward-to", "localhost:3000"], "--forward-to must start with http:// or https://."),
    ]:
        assert run_command_line([*words, *url]) == 2
        assert f"Error: {message}" in capsys.readouterr().err


def test_init_writes_the_files_of_a_language_once(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["init", "My Agent!", "--language", "typescript"]) == 0
    written = environment / "My Agent!"
    assert json.loads((written / "package.json").read_text())["name"] == "my-agent"
    assert run_command_line(["init", "My Agent!"]) == 2
    assert run_command_line(["init", "other", "--url", "http://localhost:4001"]) == 0
    assert "BROADSIDE_URL=http://localhost:4001\n" in (environment / "other" / ".env.example").read_text()
    compile((environment / "other" / "agent.py").read_text(), "agent.py", "exec")


def test_init_writes_nothing_through_a_link_to_nothing(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (environment / "link").symlink_to(environment / "elsewhere")
    assert run_command_line(["init", "link", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["code"] == "folder_not_usable"
    assert not (environment / "elsewhere").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_printed(environment: Path, capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert run_command_line(["completion", shell]) == 0
    assert "broadside" in capsys.readouterr().out


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m broadside completion bash | true; echo ${{PIPESTATUS[0]}}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_standard_streams_are_no_error(closed: str) -> None:
    command = f"{sys.executable} -m broadside completion bash {closed} | cat >/dev/null; echo ${{PIPESTATUS[0]}}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("0\n", "")
