"""Ordinary mistakes end with an error that says what to do, never with a stack trace."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from broadside._cli.credentials import save_login
from broadside._cli.main import run_command_line

from ..support import UP, UP_WITH_SITES, Service, ok, refuse
from .conftest import Run

NOWHERE = "http://127.0.0.1:9"


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    """The document of a command that must exit with 2."""
    assert run_command_line([*argv, "--json"]) == 2, argv
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("id", ["", " ", ".", ".."])
def test_an_id_that_cannot_be_one(run: Run, id: str) -> None:
    for command in ("status", "wait", "delete"):
        assert run(Service(UP), command, id)[0] == 2


@pytest.mark.parametrize("key", ["", "schlüssel", "a b", "a\n"])
def test_an_idempotency_key_that_no_header_can_have(run: Run, key: str) -> None:
    service = Service(UP)
    code, document, _ = run(service, "post", "message", "--text", "a", f"--idempotency-key={key}")
    assert (code, document["code"], service.seen) == (2, "usage", [])


@pytest.mark.parametrize(
    "url", ["localhost:4000", f"https://{'a' * 64}.example", "https://[::1", "https://a.example?b", "https://a..b"]
)
def test_an_address_that_cannot_be_one(
    environment: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("BROADSIDE_API_KEY", "bsk_a")
    assert "The address" in refused(capsys, "balance", "--url", url)["detail"]
    assert "The address" in refused(capsys, "doctor", "--url", url)["checks"][-1]["detail"]
    refused(capsys, "login", "--create", "--url", url)


def test_an_argument_that_is_not_utf_8(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argument = os.fsdecode(b"caf\xe9")
    for argv in (["search", argument], ["check", "message", "--text", argument], [argument]):
        assert refused(capsys, *argv)["detail"] == "The command line is not UTF-8 text."


class Bytes:
    """A standard input that can be read again."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    @property
    def buffer(self) -> io.BytesIO:
        return io.BytesIO(self.content)

    def isatty(self) -> bool:
        return False


@pytest.mark.parametrize(
    ("content", "message"),
    [(b'{"text": "caf\xe9"}', "is not UTF-8 text."), (b"[" * 100_000, "is not a JSON object.")],
)
def test_a_body_that_is_not_json_in_utf_8(
    environment: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    (environment / "body.json").write_bytes(content)
    monkeypatch.setattr("sys.stdin", Bytes(content))
    assert refused(capsys, "check", "message", "-")["detail"] == f"Standard input {message}"
    assert refused(capsys, "check", "message", "body.json")["detail"] == f"body.json {message}"


def test_a_body_is_utf_8_whatever_the_locale_says(run: Run, environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = '\ufeff{"text": "Zürich 渡船"}'.encode()
    (environment / "body.json").write_bytes(content)
    for file in ("-", "body.json"):
        service = Service(UP_WITH_SITES, refuse(422, "validation_failed"))
        monkeypatch.setattr("sys.stdin", Bytes(content))
        assert run(service, "check", "message", file)[0] == 3
        assert json.loads(service.seen[-1].content) == {"text": "Zürich 渡船"}


def test_failures_of_commands_that_print_lines_are_one_line(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for argv in (["stream", "--mine", "--url", NOWHERE], ["--url", NOWHERE, "listen"], ["stream", "--no-such-option"]):
        run_command_line([*argv, "--json"])
        out = capsys.readouterr().out
        assert out.count("\n") == 1 and json.loads(out)["detail"]


def test_a_folder_that_cannot_be_written(
    environment: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A file where the folder should be: root can write to any folder.
    (environment / "config").write_text("")
    monkeypatch.setenv("BROADSIDE_URL", NOWHERE)
    assert run_command_line(["listen", "--print-secret"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("whsec_") and "will be another one next time" in shown.err


def test_a_login_that_cannot_be_read_is_no_obstacle_if_the_environment_has_everything(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save_login(os.environ, {})
    path.write_text("{")
    account: Any = {"balance_micros": 5, "owed_micros": 0, "account_url": "https://o.example"}
    account["auto_recharge"] = {"enabled": False, "amount_micros": 0, "threshold_micros": 0}
    assert run(Service(ok(account)), "balance")[0] == 0
    assert run_command_line(["listen", "--print-secret"]) == 0
    assert "will be another one next time" in capsys.readouterr().err
    assert path.read_text() == "{"
    monkeypatch.setenv("BROADSIDE_URL", NOWHERE)
    for result, exit in (("warning", 8), ("failed", 1)):
        assert run_command_line(["doctor", "--url", NOWHERE, "--json"]) == exit
        checks = json.loads(capsys.readouterr().out)["checks"]
        assert [check["result"] for check in checks if check["name"] == "login file"] == [result]
        assert checks[-1]["name"] == "connection"
        monkeypatch.delenv("BROADSIDE_API_KEY", raising=False)
    assert run_command_line(["balance"]) == 1
