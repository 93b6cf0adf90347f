from __future__ import annotations

import pytest

from broadside._verify.ed25519 import check_public_key, is_signed_by
from broadside._verify.encoding import decode_base64, decode_base64url, thumbprint_of
from broadside._verify.refusal import Refusal

from .signing import Signer, seed_from

# RFC 8032, section 7.1: seed, public key, message and signature.
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]
L = 2**252 + 27742317777372353535851937790883648493


def refusal_of(key: bytes, message: bytes, signature: bytes) -> str:
    with pytest.raises(Refusal) as raised:
        is_signed_by(key, message, signature)
    return raised.value.code


@pytest.mark.parametrize("vector", VECTORS, ids=["empty", "one byte", "two bytes"])
def test_the_vectors_of_rfc_8032_verify(vector: tuple[str, ...]) -> None:
    seed, key, message, signature = map(bytes.fromhex, vector)
    assert is_signed_by(key, message, signature)
    assert Signer(seed).public_key == key and Signer(seed).sign(message) == signature


def test_a_changed_message_key_or_signature_does_not_verify() -> None:
    _, key, message, signature = map(bytes.fromhex, VECTORS[2])
    assert not is_signed_by(key, message + b"\x00", signature)
    assert not is_signed_by(bytes.fromhex(VECTORS[1][1]), message, signature)
    for at in (0, 31, 32, 63):
        changed = signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]
        try:
            assert not is_signed_by(key, message, changed)
        except Refusal as refusal:
            assert refusal.code == "signature_malformed"


def test_a_signature_of_another_length_does_not_verify() -> None:
    _, key, message, signature = map(bytes.fromhex, VECTORS[0])
    assert refusal_of(key, message, signature[:63]) == "signature_malformed"
    assert refusal_of(key, message, signature + b"\x00") == "signature_malformed"


def test_s_must_be_less_than_l() -> None:
    _, key, message, signature = map(bytes.fromhex, VECTORS[0])
    s = int.from_bytes(signature[32:], "little") + L
    assert refusal_of(key, message, signature[:32] + s.to_bytes(32, "little")) == "signature_malformed"


SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
]


@pytest.mark.parametrize("key", SMALL_ORDER)
def test_a_key_of_small_order_is_refused(key: str) -> None:
    # With the first of these keys, this signature would verify every message.
    assert refusal_of(bytes.fromhex(key), b"any", b"\x01" + bytes(63)) == "key_small_order"


def test_a_key_that_is_not_one_point_in_one_form_is_refused() -> None:
    for key in ((2**255 - 19 + 3).to_bytes(32, "little"), (2).to_bytes(32, "little"), bytes(31)):
        assert refusal_of(key, b"any", bytes(64)) == "key_malformed"
    check_public_key(bytes.fromhex(VECTORS[0][1]))


def test_base64_has_one_form() -> None:
    assert decode_base64("AQ==") == b"\x01" and decode_base64url("AQ") == b"\x01"
    for text in ("AR==", "AQ", "AQ==\n", "A Q==", "AQ=\u0661", "AQ==AQ=="):
        with pytest.raises(Refusal, match="canonical"):
            decode_base64(text)
    for text in ("AR", "AQ==", "A+", "AQ\n", "A", "AQ\u00e9"):
        with pytest.raises(Refusal, match="canonical"):
            decode_base64url(text)


def test_the_thumbprint_of_a_key() -> None:
    assert thumbprint_of(Signer(seed_from(0x40)).public_key) == "WeVHjIQTOLKu-P74oC-WL-MNn_sLM5CvrzuMjDFC3-s"
    assert Signer(seed_from(0x60)).x == "F0VTtFbd38aQjsqxwQH-arIeK6oGF3lbfUOmNIKZP9U"
