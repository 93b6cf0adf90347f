"""Base64 that has exactly one form for each value. Other decoders accept junk and spare bits that are not zero."""

from __future__ import annotations

import base64
import hashlib

from .refusal import Refusal


def decode_base64(text: str) -> bytes:
    """The bytes of standard base64 with padding. Refuses all but the one encoding of them."""
    try:
        value = base64.b64decode(text, validate=True)
    except ValueError:
        raise Refusal("base64_not_canonical") from None
    if encode_base64(value) != text:
        raise Refusal("base64_not_canonical")
    return value


def decode_base64url(text: str) -> bytes:
    """The bytes of base64url without padding. Refuses all but the one encoding of them."""
    try:
        value = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise Refusal("base64_not_canonical") from None
    if encode_base64url(value) != text:
        raise Refusal("base64_not_canonical")
    return value


def encode_base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def encode_base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode("ascii").rstrip("=")


def thumbprint_of(public_key: bytes) -> str:
    """The RFC 7638 thumbprint of an Ed25519 key."""
    jwk = f'{{"crv":"Ed25519","kty":"OKP","x":"{encode_base64url(public_key)}"}}'
    return encode_base64url(hashlib.sha256(jwk.encode("ascii")).digest())
