from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
from datetime import datetime, timezone
from typing import Any, Optional, Union

import httpx
import pytest

from broadside import WebhookVerificationError, verify_webhook

# The test vector from the project's documentation: its secret is the bytes 0 to 31.
SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
ID = "msg_01JEXAMPLE0000000000000000"
TIMESTAMP = "1790000000"
BODY = '{"type":"post.published","timestamp":"2026-09-21T14:13:20.000Z","data":{"id":"p_7Hk2","status":"published"}}'
SIGNATURE = "v1,Vk8zJFWm0kjcu02SmVdp0tJaOBKhDp7uWsd/Rw7NIU8="
SENT_AT = 1_790_000_000


def headers_of(id: str = ID, timestamp: str = TIMESTAMP, signature: str = SIGNATURE) -> dict[str, Any]:
    return {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature}


def verify(body: Any = BODY, headers: Any = None, secret: Any = SECRET, tolerance: float = 300, now: Any = SENT_AT) -> Any:
    return verify_webhook(body, headers_of() if headers is None else headers, secret, tolerance_seconds=tolerance, now=now)


def refusal(**changes: Any) -> Optional[str]:
    """The reason for a rejection; None if the delivery is accepted."""
    try:
        verify(**changes)
    except WebhookVerificationError as error:
        return error.reason
    return None


def secret_of(key: bytes) -> str:
    return f"whsec_{base64.b64encode(key).decode()}"


OTHER = secret_of(bytes([7]) * 32)


def sign(body: Union[str, bytes], secret: str = SECRET, id: str = ID, timestamp: str = TIMESTAMP) -> str:
    signed = f"{id}.{timestamp}.".encode() + (body.encode() if isinstance(body, str) else body)
    digest = hmac.new(base64.b64decode(secret[6:]), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def test_the_test_vector_is_verified_and_returned_as_an_event() -> None:
    assert verify() == {
        "id": ID,
        "type": "post.published",
        "timestamp": "2026-09-21T14:13:20.000Z",
        "data": {"id": "p_7Hk2", "status": "published"},
    }


def with_each_bit_turned(text: bytes) -> list[bytes]:
    return [
        text[:at] + bytes([text[at] ^ (1 << bit)]) + text[at + 1 :] for at in range(len(text)) for bit in range(8)
    ]


def test_one_wrong_bit_is_rejected_anywhere() -> None:
    # Any age is accepted, so that only the signature can fail.
    for part, value in headers_of().items():
        for wrong in with_each_bit_turned(value.encode()):
            reason = refusal(headers={**headers_of(), part: wrong.decode("latin-1")}, tolerance=math.inf)
            assert reason == "no_match" or (part == "webhook-timestamp" and reason == "bad_timestamp"), wrong
    for wrong in with_each_bit_turned(BODY.encode()):
        assert refusal(body=wrong) == "no_match"
    for wrong in with_each_bit_turned(base64.b64decode(SECRET[6:])):
        assert refusal(secret=secret_of(wrong)) == "no_match"


def test_the_signature_covers_the_order_of_the_parts_and_where_each_one_ends() -> None:
    number = "1789999999"
    signature = sign(BODY, id=number)
    assert refusal(headers=headers_of(number, TIMESTAMP, signature), tolerance=math.inf) is None
    assert refusal(headers=headers_of(TIMESTAMP, number, signature), tolerance=math.inf) == "no_match"
    assert refusal(headers=headers_of(f"{ID}.{TIMESTAMP}"), body=BODY[1:]) == "no_match"
    assert refusal(headers=headers_of(f"{ID}.")) == "no_match"
    assert refusal(body=f"{BODY}\n") == "no_match"


def test_during_a_rotation_the_old_secret_the_new_one_and_both_verify() -> None:
    both = headers_of(signature=f"{sign(BODY, OTHER)} {SIGNATURE}")
    for secret in (SECRET, OTHER, [SECRET, OTHER], (OTHER,)):
        assert refusal(headers=both, secret=secret) is None
    assert refusal(secret=[OTHER, SECRET]) is None
    assert refusal(headers=both, secret=secret_of(bytes([8]) * 32)) == "no_match"


def test_unknown_versions_are_skipped_and_at_most_eight_signatures_are_tried() -> None:
    wrong = sign("", OTHER)
    for before, times, reason in (("v2,AAAA", 300, None), (wrong, 7, None), (wrong, 8, "no_match")):
        assert refusal(headers=headers_of(signature=f"{before} " * times + SIGNATURE)) == reason
    bare = SIGNATURE[3:]
    for form in (bare, f"v1{bare}", f"V1,{bare}", f"x{SIGNATURE}", f"{SIGNATURE},", f"{SIGNATURE}=", f"{SIGNATURE}\n"):
        assert refusal(headers=headers_of(signature=form)) == "no_match", form


def test_a_delivery_is_accepted_for_five_minutes_in_either_direction() -> None:
    def at(seconds: float, tolerance: float = 300) -> Optional[str]:
        return refusal(now=SENT_AT + seconds, tolerance=tolerance)

    assert [at(300), at(-300), at(301), at(-301)] == [None, None, "too_old", "too_new"]
    assert [at(10, 10), at(11, 10), at(-11, 10)] == [None, "too_old", "too_new"]
    assert refusal(now=datetime.fromtimestamp(SENT_AT + 300.9, timezone.utc)) is None
    assert refusal(now=None) in ("too_old", "too_new")


def test_an_invalid_clock_or_tolerance_rejects_every_delivery() -> None:
    assert refusal(now=math.nan) == refusal(tolerance=math.nan) == "too_old"


@pytest.mark.parametrize(
    "timestamp",
    ["1790000000.0", "+1790000000", " 1790000000", "1790000000 ", "01790000000", "-1", "1.79e9", "0x6ab1", "NaN"]
    + ["Infinity", "1790000000\n", "１７９０００００００", "9" * 16, "2026-09-21T14:13:20Z"],
)
def test_a_timestamp_must_be_a_whole_number_of_seconds(timestamp: str) -> None:
    assert refusal(headers=headers_of(timestamp=timestamp)) == "bad_timestamp"


def test_headers_can_be_a_mapping_or_pairs_with_names_in_any_case() -> None:
    plain = headers_of()
    pairs = [(name.encode(), value.encode()) for name, value in plain.items()]
    capitals = {name.upper(): value for name, value in plain.items()}
    lists = {name: [value] for name, value in plain.items()}
    others = {"host": "a.example", "set-cookie": ["a", "b"], "absent": None, **plain}
    for headers in (plain, pairs, capitals, lists, others, httpx.Headers(plain), list(plain.items())):
        assert refusal(headers=headers) is None


@pytest.mark.parametrize("name", headers_of())
def test_a_header_that_is_missing_empty_or_sent_twice_is_rejected(name: str) -> None:
    empty: list[Any] = [None, "", []]
    for value in empty:
        assert refusal(headers={**headers_of(), name: value}) == "missing_header"
    assert refusal(headers={key: value for key, value in headers_of().items() if key != name}) == "missing_header"
    assert refusal(headers={**headers_of(), name: ["1", "1"]}) is not None
    assert refusal(headers=[*headers_of().items(), (name, "1")]) is not None


def test_the_body_can_be_text_or_bytes_but_not_parsed() -> None:
    raw = BODY.encode()
    for body in (BODY, raw, bytearray(raw), memoryview(b".." + raw)[2:]):
        assert refusal(body=body) is None
    for parsed in (json.loads(BODY), None):
        with pytest.raises(TypeError, match="raw body"):
            verify(body=parsed)


@pytest.mark.parametrize(
    "secret",
    ["", "whsec_", SECRET[:20], SECRET[6:], "whsec_" + "-_" * 22, secret_of(bytes(23)), secret_of(bytes(65))]
    + [f"{SECRET}\n", "bsk_a", [], [SECRET, ""], None, [None]],
)
def test_an_invalid_secret_is_reported_before_anything_else_is_checked(secret: Any) -> None:
    assert refusal(secret=secret, headers={}) == "bad_secret"


def test_signed_bytes_that_are_not_a_json_event_are_rejected_not_repaired() -> None:
    invalid = BODY.replace("p_7Hk2", "\xff").encode("latin-1")
    bodies: list[Any] = ["", "null", "[]", '"a"', "{}", '{"type":1,"timestamp":"a"}', '{"type":"a"}', f"\ufeff{BODY}", invalid]
    bodies.append("[" * 100_000)
    for body in bodies:
        assert refusal(body=body, headers=headers_of(signature=sign(body))) == "not_json", body[:50]


def test_an_event_of_an_unknown_type_is_accepted() -> None:
    body = '{"type":"post.sung","timestamp":"2026-09-21T14:13:20.000Z","data":["a"]}'
    event = verify(body=body, headers=headers_of(signature=sign(body)))
    assert (event["type"], event["data"]) == ("post.sung", ["a"])


def test_signatures_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []
    real = hmac.compare_digest

    def compare(left: bytes, right: bytes) -> bool:
        compared.append(right)
        return real(left, right)

    monkeypatch.setattr("broadside._core.webhooks.hmac.compare_digest", compare)
    verify()
    assert compared == [base64.b64decode(SIGNATURE[3:])]


def test_an_error_says_what_to_check_and_contains_nothing_from_the_request() -> None:
    with pytest.raises(WebhookVerificationError, match="Check that the secret") as caught:
        verify(secret=OTHER, headers=headers_of(id="evt_hostile"))
    assert caught.value.reason == "no_match"
    assert "evt_hostile" not in repr(caught.value) and "whsec_" not in repr(caught.value)
