"""The commands, options and exit codes, from the table that both clients share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple, Optional, Sequence


class Argument(NamedTuple):
    name: str
    description: str
    is_optional: bool
    repeats: bool
    values: Sequence[str]


class Option(NamedTuple):
    name: str
    short: Optional[str]
    description: str
    value: Optional[str]
    """What stands for the value in the help. An option without one is a switch."""
    values: Sequence[str]
    repeats: bool
    field: Optional[str]
    """The field of a post that the option sets."""
    default: Optional[str]


class Command(NamedTuple):
    name: str
    summary: str
    description: str
    arguments: Sequence[Argument]
    options: Sequence[Option]
    """Its own options, and then those of every command."""
    examples: Sequence[str]


def _argument(entry: Any) -> Argument:
    return Argument(
        entry["name"],
        entry["description"],
        "isOptional" in entry,
        "repeats" in entry,
        tuple(entry.get("values", ())),
    )


def _option(entry: Any) -> Option:
    return Option(
        entry["name"],
        entry.get("short"),
        entry["description"],
        entry.get("value"),
        tuple(entry.get("values", ())),
        "repeats" in entry,
        entry.get("field"),
        entry.get("default"),
    )


TABLE: Any = json.loads((Path(__file__).parent / "command_line.json").read_text("utf-8"))
GLOBAL_OPTIONS: Sequence[Option] = tuple(map(_option, TABLE["global_options"]))
COMMANDS: Sequence[Command] = tuple(
    Command(
        entry["name"],
        entry["summary"],
        entry["description"],
        tuple(map(_argument, entry["arguments"])),
        (*map(_option, entry["options"]), *GLOBAL_OPTIONS),
        tuple(entry["examples"]),
    )
    for entry in TABLE["commands"]
)
EXIT_CODES: dict[str, int] = {entry["name"]: entry["code"] for entry in TABLE["exit_codes"]}


def exit_of_problem(status: int, for_human: bool) -> str:
    """The class of a problem: the first rule that matches."""
    for rule in TABLE["exit_rules"]:
        by_human = for_human and "forHuman" in rule
        by_status = status in rule.get("statuses", ()) or ("from" in rule and status >= rule["from"])
        if by_human or by_status:
            return str(rule["exit"])
    return "failed"


def closest_to(word: str, candidates: Sequence[str]) -> Optional[str]:
    """The candidate that is most like a mistyped word, if one is."""
    lower = word.lower()
    ranked = sorted((_likeness(lower, name), index, name) for index, name in enumerate(candidates))
    if not ranked or ranked[0][0] > max(1, len(word) // 3):
        return None
    return ranked[0][2]


def _likeness(word: str, name: str) -> int:
    return 1 if len(word) > 1 and name.startswith(word) else edit_distance(word, name)


def edit_distance(one: str, other: str) -> int:
    """The number of characters to insert, delete, replace or swap."""
    rows = [list(range(len(other) + 1))]
    for i in range(1, len(one) + 1):
        row = [i]
        for j in range(1, len(other) + 1):
            is_same = one[i - 1] == other[j - 1]
            costs = [rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (0 if is_same else 1)]
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                costs.append(rows[i - 2][j - 2] + 1)
            row.append(min(costs))
        rows.append(row)
    return rows[-1][-1]
