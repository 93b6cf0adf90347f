"""JSON that has exactly one meaning (RFC 8259 within the limits of RFC 7493)."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any

from .canonical_json import number_text
from .refusal import Refusal

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_SMALL_INTEGER = re.compile("-?[0-9]{1,15}")
_SPACE = re.compile(r"[\t\n\r ]*")
_UNTIL_QUOTE = re.compile(r'(?:[^"\\]|\\.)*', re.DOTALL)
_STRING = re.compile(r'(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_WORDS = (("true", True), ("false", False), ("null", None))
_MAX_NUMBER_LENGTH = 400
_MAX_DEPTH = 64


def parse_json(data: bytes) -> Any:
    """The value of a JSON document. Raises Refusal if two parsers could read it differently."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refusal("json_malformed", "It is not UTF-8.") from None
    reader = _Reader(text)
    value = reader.value(0)
    reader.end()
    return value


class _Reader:
    """Reads from the start and refuses the first fault, as the TypeScript client does. `json.loads` finds some later."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def value(self, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise Refusal("json_too_deep")
        self._skip_space()
        next = self._text[self._at : self._at + 1]
        if next == "{":
            return self._object(depth)
        if next == "[":
            return self._list(depth)
        if next == '"':
            return self._string()
        for word, value in _WORDS:
            if self._text.startswith(word, self._at):
                self._at += len(word)
                return value
        return self._number()

    def end(self) -> None:
        self._skip_space()
        if self._at < len(self._text):
            raise self._malformed()

    def _object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        self._at += 1
        if self._takes("}"):
            return members
        while True:
            self._skip_space()
            name = self._string()
            if name in members:
                raise Refusal("json_duplicate_name", f"The name: {json.dumps(name, ensure_ascii=False)}.")
            self._expect(":")
            members[name] = self.value(depth + 1)
            if not self._continues("}"):
                return members

    def _list(self, depth: int) -> list[Any]:
        items: list[Any] = []
        self._at += 1
        if self._takes("]"):
            return items
        while True:
            items.append(self.value(depth + 1))
            if not self._continues("]"):
                return items

    def _string(self) -> str:
        start = self._at
        if self._text[start : start + 1] != '"':
            raise self._malformed()
        self._at = _end_of(_UNTIL_QUOTE, self._text, start + 1)
        if self._text[self._at : self._at + 1] != '"':
            self._at = len(self._text)
            raise self._malformed()
        self._at += 1
        if not _STRING.fullmatch(self._text, start + 1, self._at - 1):
            raise self._malformed()
        value = json.loads(self._text[start : self._at])
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise Refusal("json_lone_surrogate")
        return str(value)

    def _number(self) -> Any:
        """The number as every parser reads it: a double, whose shortest form has the same value as the text."""
        end = _end_of(_NUMBER, self._text, self._at)
        text = self._text[self._at : end]
        self._at = end
        if not text:
            raise self._malformed()
        if _SMALL_INTEGER.fullmatch(text):
            return int(text)
        value = float(text) if len(text) <= _MAX_NUMBER_LENGTH else math.inf
        if not math.isfinite(value) or not _has_value(text, value):
            raise Refusal("json_number_changed", f"The number: {text[:40]}.")
        return int(value) if value.is_integer() and abs(value) < 2**53 else value

    def _takes(self, character: str) -> bool:
        self._skip_space()
        if not self._text.startswith(character, self._at):
            return False
        self._at += 1
        return True

    def _expect(self, character: str) -> None:
        if not self._takes(character):
            raise self._malformed()

    def _continues(self, closing: str) -> bool:
        """Whether another item follows; otherwise the list or object ends here."""
        if self._takes(","):
            return True
        self._expect(closing)
        return False

    def _skip_space(self) -> None:
        self._at = _end_of(_SPACE, self._text, self._at)

    def _malformed(self) -> Refusal:
        return Refusal("json_malformed", f"It fails at character {self._at + 1}.")


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start


def _has_value(text: str, value: float) -> bool:
    if not re.search("[1-9]", re.split("[eE]", text)[0]):
        # Decimal cannot hold a zero with a large exponent.
        return value == 0
    try:
        return Decimal(text) == Decimal(number_text(value))
    except ArithmeticError:
        # The exponent is beyond what Decimal holds.
        return False
