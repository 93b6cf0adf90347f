"""The help of all commands, or of one."""

from __future__ import annotations

import math
from typing import Callable, Optional, Sequence

from .parse import usage_of
from .table import COMMANDS, GLOBAL_OPTIONS, TABLE, Command, Option
from .terminal.output import Look
from .terminal.text import pad, wrap

Title = Callable[[str], str]
Rows = Sequence[tuple[str, str]]


def help_text(command: Optional[Command], look: Look) -> str:
    columns = min(100, 80 if math.isinf(look.width) else int(look.width))

    def title(text: str) -> str:
        return look.style("bold", text)

    lines = _help_of(command, columns, title) if command else _overview(columns, title)
    return "".join(f"{line}\n" for line in lines)


def _overview(columns: int, title: Title) -> list[str]:
    commands = [(command.name, command.summary) for command in COMMANDS]
    options = [*map(_option_row, GLOBAL_OPTIONS), ("--version", "Print the version.")]
    exits = [(str(entry["code"]), str(entry["meaning"])) for entry in TABLE["exit_codes"]]
    environment = [
        ("BROADSIDE_URL", "The address of any of the four sites."),
        ("BROADSIDE_API_KEY", "Your API key. It comes before the saved one."),
    ]
    return [
        "Publish posts on Broadside, and read them.",
        "",
        f"{title('Usage:')} broadside <command> [arguments] [options]",
        *_section("Commands", commands, columns, title),
        *_section("Options", options, columns, title),
        *_section("Exit codes", exits, columns, title),
        *_section("Environment", environment, columns, title),
        "",
        "Run `broadside help <command>` for details.",
    ]


def _help_of(command: Command, columns: int, title: Title) -> list[str]:
    arguments = [(f"<{entry.name}>", _with_values(entry.description, entry.values)) for entry in command.arguments]
    return [
        *wrap(command.description, columns),
        "",
        f"{title('Usage:')} broadside {usage_of(command)} [options]",
        *_section("Arguments", arguments, columns, title),
        *_section("Options", [_option_row(option) for option in command.options], columns, title),
        "",
        title("Examples"),
        *(f"  {example}" for example in command.examples),
    ]


def _section(name: str, rows: Rows, columns: int, title: Title) -> list[str]:
    return ["", title(name), *_listed(rows, columns)] if rows else []


def _option_row(option: Option) -> tuple[str, str]:
    short = f"-{option.short}, " if option.short else ""
    value = f" <{option.value}>" if option.value else ""
    default = f" Default: {option.default}." if option.default else ""
    return f"{short}--{option.name}{value}", _with_values(option.description, option.values) + default


def _with_values(description: str, values: Sequence[str]) -> str:
    return f"{description} One of: {', '.join(values)}." if values else description


def _listed(rows: Rows, columns: int) -> list[str]:
    width = min(28, max(len(name) for name, _ in rows))
    lines = []
    for name, text in rows:
        first, *more = wrap(text, max(20, columns - width - 4))
        indent = " " * (width + 4)
        if len(name) > width:
            lines += [f"  {name}", indent + first]
        else:
            lines.append(f"  {pad(name, width)}  {first}")
        lines += [indent + line for line in more]
    return lines
