"""The signature of the service on a post, and that of its author."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Mapping, NamedTuple, Sequence

from .canonical_json import canonical_json
from .ed25519 import check_signature_form, is_signed_by
from .encoding import decode_base64url
from .moments import moment_text, parse_moment
from .published_keys import key_with_thumbprint
from .refusal import Refusal


class PostSignature(NamedTuple):
    key_id: str
    created_at: Fraction
    value: bytes


def parse_post_signature(post: Mapping[str, Any]) -> PostSignature:
    signature = post.get("signature")
    if signature is None:
        raise Refusal("unsigned")
    fields = _fields_of(signature, ("alg", "created_at", "key_id", "value"))
    created_at = parse_moment(fields["created_at"])
    if created_at is None:
        raise Refusal("signature_malformed", "created_at is not a time.")
    return PostSignature(fields["key_id"], created_at, _value_of(fields))


_TOLERANCE = 300
"""How far the clocks of the service and of the reader may differ, in seconds."""


def publication_time(post: Mapping[str, Any], signature: PostSignature, now: float) -> Fraction:
    """When the post was published. Refuses times after now."""
    published_at = parse_moment(post.get("published_at"))
    if published_at is None:
        raise Refusal("post_malformed", "published_at is not a time.")
    for name, time in (("created_at", signature.created_at), ("published_at", published_at)):
        if time > now + _TOLERANCE:
            raise Refusal("time_in_future", f"{name}: {moment_text(time)}.")
    return published_at


def check_post_signature(post: Mapping[str, Any], signature: PostSignature, key: bytes) -> None:
    """Refuses unless the key signed the whole post except its signature."""
    signed = {name: value for name, value in post.items() if name != "signature"}
    if not is_signed_by(key, canonical_json(signed), signature.value):
        raise Refusal("signature_wrong")


def check_author_signature(post: Mapping[str, Any]) -> str:
    """Refuses unless the key in the post signed the content as it is. Returns the identifier of that key."""
    fields = _fields_of(post["author_signature"], ("alg", "key_id", "public_key", "value"))
    content, kind = post.get("content"), post.get("kind")
    if not isinstance(content, dict) or not isinstance(kind, str):
        raise Refusal("post_malformed")
    key = key_with_thumbprint(fields["public_key"], fields["key_id"])
    written = {name: value for name, value in content.items() if name not in ("author", "attribution")}
    if not is_signed_by(key, canonical_json({"content": written, "kind": kind}), _value_of(fields)):
        raise Refusal("signature_wrong")
    return fields["key_id"]


def _fields_of(signature: Any, names: Sequence[str]) -> dict[str, str]:
    """The fields of a signature. Others would be read as signed, though they are not."""
    if not isinstance(signature, dict):
        raise Refusal("signature_malformed")
    if set(signature) != set(names) or not all(isinstance(value, str) for value in signature.values()):
        raise Refusal("signature_malformed", f"It must have exactly these fields: {', '.join(names)}.")
    if signature["alg"] != "Ed25519":
        raise Refusal("signature_malformed", "alg is not Ed25519.")
    return signature


def _value_of(fields: Mapping[str, str]) -> bytes:
    value = decode_base64url(fields["value"])
    check_signature_form(value)
    return value
