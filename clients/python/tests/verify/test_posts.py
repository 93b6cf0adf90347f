from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from broadside import ConfigurationError
from broadside.verify import Refusal, Verification, verify_post

from .published import CASES, HOSTILE, INDEX, ORIGIN, VERIFIED_AT, Published, case_named, verify_hostile

ALL = ["json", "form", "key", "signature", "author_signature", "proof", "continuity"]


def verify(published: Published, **options: Any) -> Verification:
    with published.client() as http:
        settings: dict[str, Any] = {"last_visit": published.last_visit, "now": VERIFIED_AT, **options}
        return verify_post(published.address, http_client=http, **settings)


def failures(found: Verification) -> dict[str, Any]:
    return {check.name: check.code for check in found.checks if check.outcome == "failed"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["folder"]))
def test_genuine_posts_verify_and_forged_ones_do_not(case: Any) -> None:
    found = verify(Published(case))
    assert found.is_verified == case["is_verified"]
    assert [check.name for check in found.checks] == ALL
    failed = next((check for check in found.checks if check.outcome == "failed"), None)
    assert (failed and failed.name, failed and failed.code) == (case["first_failed"], case["code"])
    assert (found.checkpoint is not None) == case["is_verified"]


@pytest.mark.parametrize("change", HOSTILE["inputs"], ids=lambda change: ascii(change["about"]))
def test_what_programs_could_read_differently_is_refused(change: Any) -> None:
    found = verify_hostile(change)
    failed = next((check for check in found.checks if check.outcome == "failed"), None)
    assert (failed and failed.name, failed and failed.code) == (change["first_failed"], change["code"])


def test_the_logs_of_the_site_are_returned_unless_the_keys_were_given() -> None:
    published = Published(case_named("pretty"))
    assert verify(published).logs == (INDEX["site"], [ORIGIN])
    saved = verify(published, keys=published.keys, seen_logs={INDEX["site"]: ["posts.example/newer-log"]})
    assert (saved.is_verified, saved.logs) == (True, None)
    renamed = verify(published, seen_logs={INDEX["site"]: ["posts.example/older-log"]})
    assert (failures(renamed), renamed.logs) == ({"continuity": "log_missing"}, None)


def test_each_check_says_what_it_found() -> None:
    published = Published(case_named("edited"))
    assert [check.detail for check in verify(published).checks] == [
        f"The post: {published.address}",
        "The signature says that it was made at 2026-11-16T00:00:04.000Z.",
        "The key: WeVHjIQTOLKu-P74oC-WL-MNn_sLM5CvrzuMjDFC3-s.",
        "The content is what the service signed.",
        "The author did not sign this post.",
        "Entry 100 of posts.example/log; cosigned by 1 of the site’s own witnesses.",
        "The log now has 300 entries, including the 103 covered by the proof and the 200 from your last visit.",
    ]


def test_any_address_of_the_post_works() -> None:
    published = Published(case_named("first-entry"))
    site, id = INDEX["site"], published.address.rpartition("/")[2]
    for address in (f"{published.address}.json", f"{published.address}/", f"{site}:443/v1/posts/{id}?a=b"):
        with published.client() as http:
            assert verify_post(address, http_client=http, now=VERIFIED_AT).is_verified, address


def test_a_post_that_belongs_to_another_address_is_refused() -> None:
    published, other = Published(case_named("first-entry")), Published(case_named("pretty"))
    published.address, published.post = other.address, published.post
    assert failures(verify(published)) == {"json": "post_at_other_address"}


def test_offline_nothing_is_sent_and_only_signatures_are_checked() -> None:
    published = Published(case_named("author-signed"))
    with published.client() as http:
        found = verify_post(published.post, keys=published.keys, offline=True, http_client=http)
        alone = verify_post(published.post, offline=True, http_client=http)
    assert [check.outcome for check in found.checks] == ["passed"] * 5 + ["skipped"] * 2
    assert (found.is_verified, found.checkpoint, published.seen) == (True, None, [])
    assert failures(alone) == {"key": "unavailable"}
    with pytest.raises(ConfigurationError, match="as bytes"):
        verify_post(published.address, offline=True)


def test_a_required_witness_must_have_cosigned() -> None:
    published = Published(case_named("last-entry"))
    assert verify(published, witnesses=[INDEX["witness"]]).is_verified
    twice = verify(published, witnesses=[INDEX["witness"], INDEX["witness"]])
    assert failures(twice) == {"proof": "witness_missing"}
    published.keys = json.dumps({**json.loads(published.keys), "witnesses": []}).encode()
    assert "; not cosigned by any witness." in verify(published).checks[5].detail
    assert "cosigned by 1 required witness." in verify(published, witnesses=[INDEX["witness"]]).checks[5].detail
    stranger = "other.example/w+8ddbc5ba+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
    assert set(failures(verify(published, witnesses=[stranger]))) == {"proof"}


def test_a_failed_proof_does_not_hide_whether_the_signature_is_valid() -> None:
    found = verify(Published(case_named("proof-of-other-post")))
    assert [check.outcome for check in found.checks][2:4] == ["passed", "passed"]
    assert (found.checks[6].outcome, found.checks[6].detail) == ("skipped", "An earlier check failed.")


def test_a_post_without_a_proof_is_not_verified() -> None:
    published = Published(case_named("pretty"))
    published.proof = None
    assert failures(verify(published)) == {"proof": "proof_missing"}


def test_missing_keys_and_no_answer_fail_the_checks_that_need_them() -> None:
    published = Published(case_named("pretty"))
    with httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(404))) as http:
        assert failures(verify_post(published.post, http_client=http)) == {"key": "key_unknown", "proof": "proof_missing"}
    with httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(503))) as http:
        assert failures(verify_post(published.post, http_client=http)) == {"key": "unavailable", "proof": "unavailable"}
        with pytest.raises(Refusal, match="answered 503"):
            verify_post(published.address, http_client=http)


def test_only_a_verified_post_is_returned_with_what_is_known_about_it() -> None:
    published = Published(case_named("author-signed"))
    found = verify(published, witnesses=[INDEX["witness"]])
    key = json.loads(published.post)["author_signature"]["key_id"]
    assert found.post == json.loads(published.post)
    assert found.facts is not None
    assert found.facts[:7] == (
        INDEX["site"],
        True,
        "2026-11-16T00:00:03.000Z",
        "WeVHjIQTOLKu-P74oC-WL-MNn_sLM5CvrzuMjDFC3-s",
        key,
        True,
        1,
    )
    assert found.facts.cosignatures == [("witness.example/w1", "2026-11-17T00:00:00Z", True, "proof")]
    forged = verify(Published(case_named("changed-text")))
    assert (forged.post, forged.facts) == (None, None)


def test_the_key_that_signed_the_content_can_be_required() -> None:
    published = Published(case_named("author-signed"))
    key = json.loads(published.post)["author_signature"]["key_id"]
    assert verify(published, author_key=key).is_verified
    assert failures(verify(published, author_key="other")) == {"author_signature": "author_key_differs"}


def test_all_requests_share_one_deadline() -> None:
    published = Published(case_named("pretty"))
    with published.client() as http:
        found = verify_post(published.post, now=VERIFIED_AT, http_client=http, timeout_seconds=0)
    assert failures(found) == {"key": "unavailable", "proof": "unavailable"}
    assert published.seen == []


def test_a_response_without_end_is_refused() -> None:
    published = Published(case_named("pretty"))
    published.keys = bytes(2**20 + 1)
    assert failures(verify(published))["key"] == "response_too_large"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"x": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}, "key_small_order"),
        ({"x": "JUO5L_EJVRFHatyDadtt3JM2ZaEZeN2hQE7hBmypVZ1"}, "base64_not_canonical"),
        ({"x": "T9CZzNR9eJPf6ewkQU7LDZtUICMqrTDZHEZb4zy-ZcQ"}, "key_thumbprint"),
        ({"valid_from": "2027-01-01T00:00:00.000Z"}, "key_not_valid_then"),
        ({"valid_until": "2026-11-16T00:00:00.000Z"}, "key_not_valid_then"),
        ({"valid_until": "soon"}, "key_not_valid_then"),
        ({"kty": "EC"}, "key_malformed"),
        ({"purpose": "log"}, "key_other_purpose"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_key_that_does_not_fit_is_refused(change: Any, code: str) -> None:
    published = Published(case_named("pretty"))
    document = json.loads(published.keys)
    document["keys"][0].update(change)
    published.keys = json.dumps(document).encode()
    assert failures(verify(published)) == {"key": code}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"value": "AAAA"}, "signature_malformed"),
        ({"value": "_" * 85 + "w"}, "signature_malformed"),
        ({"value": "A" * 85 + "B"}, "base64_not_canonical"),
        ({"alg": "EdDSA"}, "signature_malformed"),
        ({"created_at": "2026-11-16 00:00:00Z"}, "signature_malformed"),
        ({"note": "not signed"}, "signature_malformed"),
    ],
)
def test_a_signature_in_another_form_is_refused(change: Any, code: str) -> None:
    published = Published(case_named("pretty"))
    post = json.loads(published.post)
    post["signature"].update(change)
    published.post = json.dumps(post).encode()
    assert failures(verify(published))["form"] == code


def test_another_tree_of_the_same_size_is_refused() -> None:
    published = Published(case_named("last-entry"))
    published.log = Published(case_named("forked-log")).log
    assert failures(verify(published)) == {"continuity": "same_size_other_root"}


def test_what_is_not_an_address_is_a_mistake_of_the_caller() -> None:
    for text in ("post.json", "ftp://a.example/p/1", "", INDEX["site"], f"{INDEX['site']}:443/"):
        with pytest.raises(ConfigurationError, match="address"):
            verify_post(text)
