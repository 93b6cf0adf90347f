"""The document of published keys, /.well-known/broadside-keys.json."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, NamedTuple, Optional, Sequence

from .ed25519 import check_public_key
from .encoding import decode_base64url, thumbprint_of
from .log.notes import COSIGNATURE_KEY, VerifierKey, parse_vkey
from .moments import parse_moment
from .refusal import Refusal
from .sources import is_plain_url
from .strict_json import parse_json

_MAX_LIST_LENGTH = 64
"""More than any site needs. The site chooses how much work its lists make."""


_LOOPBACK = re.compile("http://(?:localhost|127(?:[.][0-9]{1,3}){3})[:/]")
"""Only here is HTTP without TLS safe, for development."""


class PublishedLog(NamedTuple):
    origin: str
    url: str
    vkey: str
    is_closed: bool = False
    last_checkpoint: Optional[str] = None
    """Of a log that was closed: its last signed checkpoint. None if it never had one."""


class PublishedKeys(NamedTuple):
    keys: Sequence[dict[str, Any]]
    logs: Sequence[PublishedLog]
    witnesses: Sequence[VerifierKey]


def parse_published_keys(data: bytes) -> PublishedKeys:
    document = parse_json(data)
    if not isinstance(document, dict):
        raise Refusal("keys_malformed")
    vkeys = dict.fromkeys(_text(entry.get("vkey")) for entry in _objects(document.get("witnesses", [])))
    witnesses = [key for vkey in vkeys for key in _known_witness(vkey)]
    logs = [_log_of(entry) for entry in _objects(document.get("logs", []))]
    return PublishedKeys(_objects(document.get("keys")), logs, witnesses)


def _objects(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value) or len(value) > _MAX_LIST_LENGTH:
        raise Refusal("keys_malformed")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Refusal("keys_malformed")
    return value


def _known_witness(vkey: str) -> list[VerifierKey]:
    """A witness can have a key of a type that this package does not know. It counts for nothing."""
    try:
        return [parse_vkey(vkey, COSIGNATURE_KEY)]
    except Refusal as refusal:
        if refusal.code == "vkey_type":
            return []
        raise


def _log_of(entry: dict[str, Any]) -> PublishedLog:
    origin, url, vkey = (_text(entry.get(name)) for name in ("origin", "url", "vkey"))
    log = PublishedLog(origin, url, vkey)
    # Otherwise a site could serve a log of its own under the name of another.
    scheme = "http" if _LOOPBACK.match(log.url) else "https"
    if log.url != f"{scheme}://{log.origin}/" or not is_plain_url(log.url[:-1]):
        raise Refusal("keys_malformed")
    state = entry.get("state", "open")
    if state == "open":
        return log
    last = entry.get("last_checkpoint", False)
    if state != "closed" or not (last is None or isinstance(last, str)):
        raise Refusal("keys_malformed")
    return log._replace(is_closed=True, last_checkpoint=last)


def key_for_posts(keys: PublishedKeys, key_id: str, at: Fraction) -> bytes:
    """The public key with this id, if it was valid for posts at that time."""
    named = [key for key in keys.keys if key.get("kid") == key_id]
    if not named:
        raise Refusal("key_unknown")
    key = next((key for key in named if key.get("purpose") == "posts"), None)
    if key is None:
        raise Refusal("key_other_purpose")
    if key.get("kty") != "OKP" or key.get("crv") != "Ed25519":
        raise Refusal("key_malformed")
    public_key = key_with_thumbprint(_text(key.get("x")), key_id)
    _check_validity(key, at)
    return public_key


def _check_validity(key: dict[str, Any], at: Fraction) -> None:
    # A key without valid_until has a document in another form: it is not one that is valid forever.
    start, end_text = parse_moment(key.get("valid_from")), key.get("valid_until", "")
    end = None if end_text is None else parse_moment(end_text)
    is_in_time = start is not None and start <= at and (end_text is None or (end is not None and at < end))
    if not is_in_time:
        raise Refusal("key_not_valid_then")


def key_with_thumbprint(x: str, key_id: str) -> bytes:
    """The key, if the id is its thumbprint."""
    public_key = decode_base64url(x)
    check_public_key(public_key)
    if thumbprint_of(public_key) != key_id:
        raise Refusal("key_thumbprint")
    return public_key
