"""Reads a command line."""

from __future__ import annotations

import re
from typing import Mapping, NamedTuple, Optional, Sequence, Union

from .failures import UsageError
from .table import COMMANDS, GLOBAL_OPTIONS, Command, Option, closest_to

Value = Union[str, bool, list[str]]


class Invocation(NamedTuple):
    """A command with its arguments and options."""

    command: Command
    arguments: Sequence[str]
    options: Mapping[str, Value]


class Help(NamedTuple):
    """Explain a command, or all."""

    command: Optional[Command]


class Version(NamedTuple):
    """Print the version."""


def parse_command_line(argv: Sequence[str]) -> Union[Invocation, Help, Version]:
    """Raises UsageError, which names the closest valid word."""
    at = _command_index(argv)
    before = argv if at is None else argv[:at]
    if any(word in ("--version", "-v") for word in before):
        return Version()
    if at is None:
        return _without_command(argv)
    if argv[at] == "help":
        return Help(_command_named(argv[at + 1]) if at + 1 < len(argv) else None)
    command = _command_named(argv[at])
    words = [*before, *argv[at + 1 :]]
    arguments, given = _split(command, words)
    if any(name in ("--help", "-h") for name, _, _ in given):
        return Help(command)
    options: dict[str, Value] = {option.name: option.default for option in command.options if option.default}
    for raw_name, value, is_inline in given:
        option = _option_named(command, raw_name)
        checked = _checked(option, value, is_inline)
        if option.repeats:
            earlier = options.get(option.name)
            options[option.name] = [*(earlier if isinstance(earlier, list) else []), str(checked)]
        else:
            options[option.name] = checked
    _check_arguments(command, arguments)
    return Invocation(command, arguments, options)


def prints_lines(argv: Sequence[str]) -> bool:
    """Whether the command prints one line of JSON per event, even if the rest of the command line is not valid."""
    at = _command_index(argv)
    return at is not None and argv[at] in ("stream", "listen")


def _command_index(argv: Sequence[str]) -> Optional[int]:
    return next((index for index in range(len(argv)) if _is_command_at(argv, index)), None)


def _is_command_at(argv: Sequence[str], index: int) -> bool:
    """Whether the word is neither a global option nor the value of one."""
    takes_value = index > 0 and any(option.value and argv[index - 1] == f"--{option.name}" for option in GLOBAL_OPTIONS)
    return not argv[index].startswith("-") and not takes_value


def _without_command(argv: Sequence[str]) -> Help:
    known = [*(f"--{option.name}" for option in GLOBAL_OPTIONS), "-h", "--version"]
    unknown = next((word for word in argv if word.startswith("-") and word.split("=")[0] not in known), None)
    if unknown:
        raise UsageError(f"{unknown} is not an option.", "Run `broadside --help`.")
    return Help(None)


def _command_named(word: str) -> Command:
    found = next((command for command in COMMANDS if command.name == word), None)
    if found:
        return found
    closest = closest_to(word, [*(command.name for command in COMMANDS), "help"])
    raise UsageError(
        f"{word} is not a command.",
        f"Did you mean `broadside {closest}`?" if closest else "Run `broadside --help` for a list.",
    )


Given = tuple[str, Optional[str], bool]
"""An option as it was written, its value, and whether that was part of the same word."""


def _split(command: Command, words: Sequence[str]) -> tuple[list[str], list[Given]]:
    arguments: list[str] = []
    given: list[Given] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            arguments += rest
            break
        if word == "-" or not word.startswith("-"):
            arguments.append(word)
            continue
        name, is_inline, value = word.partition("=") if word.startswith("--") else (word[:2], word[2:], word[2:])
        option = _find_option(command, name)
        if is_inline and option and not option.value and not word.startswith("--"):
            # Short switches can be written together: -yh
            given.append((name, None, False))
            rest.insert(0, f"-{value}")
        elif is_inline:
            given.append((name, value, True))
        elif option and option.value and rest:
            given.append((name, rest.pop(0), False))
        else:
            given.append((name, None, False))
    return arguments, given


def _find_option(command: Command, raw_name: str) -> Optional[Option]:
    names = {f"--{option.name}": option for option in command.options}
    shorts = {f"-{option.short}": option for option in command.options if option.short}
    return names.get(raw_name) or shorts.get(raw_name)


def _option_named(command: Command, raw_name: str) -> Option:
    found = _find_option(command, raw_name)
    if found:
        return found
    closest = closest_to(raw_name.lstrip("-"), [option.name for option in command.options])
    raise UsageError(
        f"{raw_name} is not an option of `broadside {command.name}`.",
        f"Did you mean --{closest}?" if closest else f"Run `broadside {command.name} --help` for a list.",
    )


def _checked(option: Option, value: Optional[str], is_inline: bool) -> Union[str, bool]:
    name = option.name
    if not option.value:
        if value is not None:
            raise UsageError(f"--{name} takes no value.")
        return True
    is_another_option = value is not None and not is_inline and re.match(r"-.", value) is not None
    if value is None or is_another_option:
        raise UsageError(
            f"--{name} needs a value: --{name} <{option.value}>.",
            f"If the value starts with -, write --{name}={value}" if is_another_option else None,
        )
    if option.values:
        _check_value(f"--{name}", value, option.values)
    if option.value in ("number", "seconds") and not re.fullmatch(r"[1-9][0-9]{0,6}", value):
        raise UsageError(f"--{name} must be a whole number from 1 to 9999999.")
    return value


def _check_value(what: str, value: str, values: Sequence[str]) -> None:
    if value in values:
        return
    closest = closest_to(value, values)
    raise UsageError(
        f"{what} must be one of: {', '.join(values)}.", f"Did you mean {closest}?" if closest else None
    )


def _check_arguments(command: Command, arguments: Sequence[str]) -> None:
    declared = command.arguments
    for index, argument in enumerate(declared):
        if not argument.is_optional and index >= len(arguments):
            raise UsageError(f"<{argument.name}> is missing.", f"Usage: broadside {usage_of(command)}")
    for index, value in enumerate(arguments):
        if index >= len(declared) and not (declared and declared[-1].repeats):
            raise UsageError("Too many arguments.", f"Usage: broadside {usage_of(command)}")
        known = declared[min(index, len(declared) - 1)]
        if value.strip() == "":
            raise UsageError(f"<{known.name}> is empty.", f"Usage: broadside {usage_of(command)}")
        if known.values:
            _check_value(f"<{known.name}>", value, known.values)


def usage_of(command: Command) -> str:
    """The command with its arguments, such as `post <kind> [file]`."""
    words = [command.name]
    for argument in command.arguments:
        shown = f"{argument.name}…" if argument.repeats else argument.name
        words.append(f"[{shown}]" if argument.is_optional else f"<{shown}>")
    return " ".join(words)
