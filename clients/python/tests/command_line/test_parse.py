from __future__ import annotations

from typing import Any

import pytest

from broadside._cli.failures import UsageError
from broadside._cli.handlers import HANDLERS
from broadside._cli.help import help_text
from broadside._cli.parse import Help, Invocation, Version, parse_command_line
from broadside._cli.table import COMMANDS, TABLE
from broadside._cli.terminal.output import Look


def parsed(*argv: str) -> Invocation:
    invocation = parse_command_line(argv)
    assert isinstance(invocation, Invocation)
    return invocation


def test_a_command_gets_its_arguments_options_and_defaults() -> None:
    post = parsed("post", "message", "--text", "The ferry", "--topic=sea", "--topic", "ferries", "--no-wait")
    assert (post.command.name, post.arguments) == ("post", ["message"])
    assert post.options == {"text": "The ferry", "topic": ["sea", "ferries"], "no-wait": True, "timeout": "600"}


def test_global_options_can_come_before_the_command() -> None:
    mine = parsed("--url", "https://a.example", "--json", "mine", "-n", "5")
    assert mine.options == {"url": "https://a.example", "json": True, "limit": "5"}
    assert parsed("mine", "-n5").options["limit"] == "5"


def test_a_hyphen_is_an_argument_and_two_hyphens_end_the_options() -> None:
    assert parsed("check", "event", "-").arguments == ["event", "-"]
    assert parsed("search", "--", "--json", "ferry").arguments == ["--json", "ferry"]


def test_help_and_version() -> None:
    assert parse_command_line([]) == Help(None)
    assert parse_command_line(["--help"]) == Help(None)
    assert parse_command_line(["--version"]) == Version()
    for asked in (["help", "wait"], ["wait", "--help"], ["wait", "-h"]):
        answer = parse_command_line(asked)
        assert isinstance(answer, Help) and answer.command and answer.command.name == "wait"


@pytest.mark.parametrize(
    ("argv", "message", "advice"),
    [
        (["psot"], "psot is not a command.", "Did you mean `broadside post`?"),
        (["zzzzzz"], "zzzzzz is not a command.", "Run `broadside --help` for a list."),
        (["--jsn"], "--jsn is not an option.", "Run `broadside --help`."),
        (["post", "massage"], "<kind> must be one of: message, story, classified, event.", "Did you mean message?"),
        (["post", "message", "--txet", "a"], "--txet is not an option of `broadside post`.", "Did you mean --text?"),
        (["post"], "<kind> is missing.", "Usage: broadside post <kind> [file]"),
        (["status", "a", "b"], "Too many arguments.", "Usage: broadside status <post-id>"),
        (["logout", "b"], "Too many arguments.", "Usage: broadside logout"),
        (["mine", "--limit"], "--limit needs a value: --limit <number>.", None),
        (["mine", "--limit", "0"], "--limit must be a whole number from 1 to 9999999.", None),
        (["mine", "--status", "publishd"], None, "Did you mean published?"),
        (["mine", "--json=1"], "--json takes no value.", None),
        (
            ["check", "message", "--text", "-a"],
            "--text needs a value: --text <text>.",
            "If the value starts with -, write --text=-a",
        ),
    ],
)
def test_a_wrong_command_line_is_explained(argv: list[str], message: Any, advice: Any) -> None:
    with pytest.raises(UsageError) as caught:
        parse_command_line(argv)
    assert caught.value.advice == advice
    assert message is None or str(caught.value) == message


def test_every_command_of_the_table_has_a_handler_and_help() -> None:
    assert [command.name for command in COMMANDS] == list(HANDLERS)
    for command in COMMANDS:
        text = help_text(command, Look(80, False))
        assert all(f"--{option.name}" in text for option in command.options)
        assert all(len(line) <= 80 or line.startswith("  broadside") for line in text.split("\n"))
        for example in command.examples:
            assert example in text


def test_the_overview_has_every_command_and_exit_code() -> None:
    text = help_text(None, Look(80, False))
    assert all(f"  {command.name} " in text for command in COMMANDS)
    assert all(f"  {entry['code']} " in text for entry in TABLE["exit_codes"])
