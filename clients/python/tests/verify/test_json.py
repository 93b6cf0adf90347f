from __future__ import annotations

import math
import random
import struct
from typing import Any

import pytest

from broadside._verify.canonical_json import canonical_json, number_text
from broadside._verify.refusal import Refusal
from broadside._verify.strict_json import parse_json


def refused(text: object) -> str:
    with pytest.raises(Refusal) as raised:
        parse_json(text if isinstance(text, bytes) else str(text).encode("utf-8", "surrogatepass"))
    return raised.value.code


def test_the_example_of_rfc_8785_3_2_2() -> None:
    source = r"""{
      "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }"""
    expected = (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
    assert canonical_json(parse_json(source.encode())) == expected.encode()


def test_names_are_sorted_by_utf_16_as_in_rfc_8785_3_2_3() -> None:
    value = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\x80": 6, "ö": 7}
    expected = '{"\\r":2,"1":4,"\x80":6,"ö":7,"€":1,"\U0001f600":5,"\ufb33":3}'
    assert canonical_json(value).decode() == expected


# RFC 8785, appendix B.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_the_numbers_of_rfc_8785(bits: str, text: str) -> None:
    assert number_text(struct.unpack(">d", bytes.fromhex(bits))[0]) == text


def test_every_double_is_written_so_that_it_parses_to_itself() -> None:
    chance = random.Random(8785)
    for _ in range(2000):
        value = struct.unpack(">d", chance.getrandbits(64).to_bytes(8, "big"))[0]
        if math.isfinite(value):
            assert float(number_text(value)) == value
            assert parse_json(number_text(value).encode()) == value


@pytest.mark.parametrize("value", [math.nan, math.inf, 2**53 + 1, 10**400, object(), b"a", {1: 2}, "\ud800"])
def test_what_json_cannot_carry_unchanged_has_no_canonical_form(value: Any) -> None:
    with pytest.raises(Refusal):
        canonical_json(value)


def test_a_name_must_not_occur_twice() -> None:
    assert refused('{"a":1,"a":1}') == "json_duplicate_name"
    assert refused('{"a":[{"b":1,"\\u0062":2}]}') == "json_duplicate_name"


def test_half_of_a_surrogate_pair_is_refused() -> None:
    assert refused('{"a":"\\ud83d"}') == "json_lone_surrogate"
    assert refused('{"\\udc00":1}') == "json_lone_surrogate"
    assert refused('["\\ude00\\ud83d"]') == "json_lone_surrogate"
    assert refused('"\ud83d"') == "json_malformed"
    assert parse_json(b'"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize(
    "text", ["9007199254740993", "0.10000000000000001", "1e400", "-1e400", "1e-400", "1e-99999999999999999999", "1" * 5000]
)
def test_a_number_that_parsing_would_change_is_refused(text: str) -> None:
    assert refused(text) == "json_number_changed"


def test_a_number_with_more_than_400_characters_is_refused_however_long_it_is() -> None:
    for text in ("0." + "0" * 399, "1e-" + "9" * 398, "0.1" + "0" * 8_000_000 + "1"):
        assert refused(text) == "json_number_changed"
    assert parse_json(b"0.5" + b"0" * 397) == 0.5
    assert parse_json(b"0e" + b"9" * 398) == 0


@pytest.mark.parametrize(("text", "value"), [("1.0", 1), ("4.50", 4.5), ("1e2", 100), ("9007199254740992", 2**53), ("-0", 0)])
def test_a_number_may_be_written_in_several_ways(text: str, value: float) -> None:
    assert parse_json(text.encode()) == value


@pytest.mark.parametrize(
    "text",
    ["", "{", "NaN", "[Infinity]", "-Infinity", "01", "+1", "1.", ".5", "\ufeff1", "'a'", "[1,]", "{} {}", '"\t"', "\u0661"]
    + [b"\xff", b'"\xed\xa0\x80"'],
)
def test_what_is_not_json_is_refused(text: object) -> None:
    assert refused(text) == "json_malformed"


@pytest.mark.parametrize("depth", [66, 100_000])
def test_json_that_is_nested_too_deeply_is_refused(depth: int) -> None:
    assert refused("[" * depth + "]" * depth) == "json_too_deep"
