"""RFC 8785: the one form of a JSON value, which is what signatures cover."""

from __future__ import annotations

import math
import re
from typing import Any

from .refusal import Refusal


def canonical_json(value: Any) -> bytes:
    """The canonical bytes. Raises Refusal for a value that JSON cannot carry unchanged."""
    return _text_of(value).encode("utf-8")


def _text_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string_text(value)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_text_of, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{_string_text(name)}:{_text_of(value[name])}' for name in sorted(value, key=_utf16))}}}"
    raise Refusal("json_not_serializable", f"Its type: {type(value).__name__}.")


def _utf16(name: Any) -> bytes:
    """Names are sorted by UTF-16 code units, so U+1F600 comes before U+FB33."""
    if not isinstance(name, str):
        raise Refusal("json_not_serializable", "The name of a member is not a string.")
    return name.encode("utf-16-be", "surrogatepass")


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_ESCAPED = re.compile('["\\\\\x00-\x1f]')


def _string_text(text: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise Refusal("json_lone_surrogate")
    escaped = _ESCAPED.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}", text)
    return f'"{escaped}"'


def number_text(number: float) -> str:
    """The number as ECMAScript prints it. Python's repr finds the same shortest digits, in another notation."""
    try:
        value = float(number)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value) or value != number:
        raise Refusal("json_not_serializable", "It is a number that JSON does not keep.")
    if value == 0:
        return "0"
    digits, exponent = _shortest_digits(abs(value))
    sign = "-" if value < 0 else ""
    return sign + _placed(digits, exponent)


def _shortest_digits(value: float) -> tuple[str, int]:
    """Digits d and n so that the value is 0.d × 10^n."""
    mantissa, _, power = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    significant = digits.lstrip("0")
    exponent = len(whole) + int(power or 0) - (len(digits) - len(significant))
    return significant.rstrip("0"), exponent


def _placed(digits: str, n: int) -> str:
    k = len(digits)
    if k <= n <= 21:
        return digits + "0" * (n - k)
    if 0 < n <= 21:
        return f"{digits[:n]}.{digits[n:]}"
    if -6 < n <= 0:
        return f"0.{'0' * -n}{digits}"
    mantissa = digits if k == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if n > 0 else '-'}{abs(n - 1)}"
