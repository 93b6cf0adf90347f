"""Texts for a terminal: without characters that it would interpret, and cut to its width."""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import datetime, timezone
from typing import Any, Optional


def _is_unprintable(character: str) -> bool:
    """Control characters, formatting characters and line breaks, which could change what the terminal shows."""
    category = unicodedata.category(character)
    return category[0] == "C" or category in ("Zl", "Zp")


def printable(text: str) -> str:
    """The text without characters that a terminal would interpret."""
    return "".join(character for character in text if not _is_unprintable(character))


def one_line(text: str) -> str:
    """The text on one line, without characters that a terminal would interpret."""
    return printable(re.sub(r"\s+", " ", text)).strip()


def safe_json(value: Any, indent: Optional[int] = None) -> str:
    """JSON in which characters that a terminal would interpret are escaped. The line breaks between fields stay."""
    separators = (",", ": ") if indent else (",", ":")
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    return "".join(_escaped(each) if each != "\n" and _is_unprintable(each) else each for each in text)


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1] if ord(character) != 0x7F else "\\u007f"


def width_of(text: str) -> int:
    """The number of columns that a text takes in a terminal."""
    return sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if unicodedata.category(character)[0] == "M":
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def fit(text: str, columns: float) -> str:
    """The beginning of the text that fits in this many columns, with … if it is not all."""
    if width_of(text) <= columns:
        return text
    start, width = "", 0
    for character in text:
        width += _columns_of(character)
        if width > columns - 1:
            break
        start += character
    return f"{start.rstrip()}…"


def pad(text: str, columns: int) -> str:
    """The text with spaces up to this many columns."""
    return text + " " * max(0, columns - width_of(text))


def wrap(text: str, columns: float) -> list[str]:
    """Lines of at most this many columns, broken between words."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and width_of(line) + 1 + width_of(word) > columns:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def usd(micros: int) -> str:
    """An amount of money, such as $0.02 or $12.00."""
    whole, part = divmod(abs(micros), 1_000_000)
    cents = re.sub(r"0{1,4}$", "", f"{part:06d}")
    return f"{'-' if micros < 0 else ''}${whole}.{cents}"


def time_text(iso: str) -> str:
    """A time in UTC, to the second."""
    try:
        moment = datetime.fromisoformat(re.sub(r"Z$", "+00:00", iso))
    except ValueError:
        return printable(iso)
    return f"{moment.astimezone(timezone.utc):%Y-%m-%d %H:%M:%S} UTC"
