from __future__ import annotations

import errno
import json
import re
from pathlib import Path
from typing import Any, Optional

from ..._client import Broadside
from ..context import Context
from ..failures import UsageError
from ..table import COMMANDS
from ..terminal.prompt import decode_text, read_standard_input
from ..terminal.text import one_line
from .resolve_place import resolve_place

_BODY_OPTIONS = [option for command in COMMANDS if command.name == "post" for option in command.options if option.field]


def read_body(context: Context, file: Optional[str]) -> dict[str, Any]:
    """The body from a file or standard input, with the fields of the options instead of its own."""
    body: dict[str, Any] = {}
    if file is not None:
        body = _parsed(file, read_standard_input() if file == "-" else _read_text(file))
    for option in _BODY_OPTIONS:
        if option.field and context.is_set(option.name):
            body[option.field] = _value_of(context, option.name)
    if not body:
        raise UsageError("The post is missing.", "Pass a JSON file, - for standard input, or options such as --text.")
    return body


def with_place(context: Context, client: Broadside, body: dict[str, Any], kind: str) -> Any:
    """The same body, with the name of a place turned into a location. Says which place it took."""
    name = context.text("place")
    if name is None:
        return body
    place = resolve_place(client, name, kind)
    context.out.note(f"Place: {one_line(place['label'])}")
    return {**body, "location": place["location"]}


def _value_of(context: Context, name: str) -> Any:
    value = context.text(name)
    if value is None:
        return context.list(name)
    if name == "price":
        return _price_from(value)
    if name == "body" and value.startswith("@"):
        return read_standard_input() if value == "@-" else _read_text(value[1:]).rstrip()
    return value


def _price_from(value: str) -> dict[str, Any]:
    """"120 EUR" or "EUR 120"."""
    found = re.fullmatch(r"([A-Za-z]{3})?\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]{3})?", value.strip())
    if not found or bool(found[1]) == bool(found[3]):
        raise UsageError("--price must be an amount and a currency.", 'Write it like --price "120 EUR".')
    amount = float(found[2])
    return {"amount": int(amount) if amount.is_integer() else amount, "currency": (found[1] or found[3]).upper()}


def _read_text(path: str) -> str:
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({errno.errorcode.get(error.errno or 0, 'unknown')}).") from None
    return decode_text(path, content)


def _parsed(file: str, content: str) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    name = "Standard input" if file == "-" else file
    advice = 'It must have the fields of the post, such as {"text": "The ferry runs again."}'
    raise UsageError(f"{name} is not a JSON object.", advice)
