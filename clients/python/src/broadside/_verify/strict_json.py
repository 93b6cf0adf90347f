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
_MAX_NUMBER_LENGTH = 400
_MAX_DEPTH = 64


def parse_json(data: bytes) -> Any:
    """The value of a JSON document. Raises Refusal if two parsers could read it differently."""
    try:
        text = data.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=_object_of,
            parse_int=_number_of,
            parse_float=_number_of,
            parse_constant=_refuse_constant,
        )
        _check_texts(value)
    except UnicodeDecodeError:
        raise Refusal("json_malformed", "It is not UTF-8.") from None
    except RecursionError:
        raise Refusal("json_too_deep") from None
    except ValueError as error:
        place = f"It fails at character {error.pos + 1}." if isinstance(error, json.JSONDecodeError) else None
        raise Refusal("json_malformed", place) from None
    return value


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, member in pairs:
        if name in value:
            raise Refusal("json_duplicate_name", f"The name: {json.dumps(name)}.")
        value[name] = member
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _number_of(text: str) -> Any:
    """The number as every parser reads it: an IEEE 754 double, whose shortest form has the same value as the text."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    value = float(text) if len(text) <= _MAX_NUMBER_LENGTH else math.inf
    if not math.isfinite(value) or not _has_value(text, value):
        raise Refusal("json_number_changed", f"The number: {text[:40]}.")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _has_value(text: str, value: float) -> bool:
    if not re.search("[1-9]", re.split("[eE]", text)[0]):
        # Decimal cannot hold a zero with a large exponent.
        return value == 0
    try:
        return Decimal(text) == Decimal(number_text(value))
    except ArithmeticError:
        # The exponent is beyond what Decimal holds.
        return False


def _check_texts(value: Any, depth: int = 0) -> None:
    if depth > _MAX_DEPTH:
        raise Refusal("json_too_deep")
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise Refusal("json_lone_surrogate")
    elif isinstance(value, list):
        for item in value:
            _check_texts(item, depth + 1)
    elif isinstance(value, dict):
        for name, item in value.items():
            _check_texts(name)
            _check_texts(item, depth + 1)
