"""Portable inclusion proofs (C2SP tlog-proof), and the commitment that an entry of the log holds."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple, Optional, Sequence

from ..canonical_json import canonical_json
from ..encoding import decode_base64, encode_base64url
from ..refusal import Refusal
from .checkpoints import parse_size

_HEADING = "c2sp.org/tlog-proof@v1"
_MAX_BYTES = 131_072
_MAX_HASHES = 63


class Proof(NamedTuple):
    extra: Optional[bytes]
    """The salt of the commitment."""
    position: int
    """The index of the entry."""
    hashes: Sequence[bytes]
    """From the leaf to the root."""
    checkpoint: bytes
    """A signed note."""


def parse_proof(data: bytes) -> Proof:
    """The parts of a proof, of which nothing is verified yet."""
    if len(data) > _MAX_BYTES:
        raise Refusal("proof_malformed")
    head, separator, checkpoint = data.partition(b"\n\n")
    try:
        lines = head.decode("utf-8").split("\n")
    except ValueError:
        raise Refusal("proof_malformed") from None
    if lines.pop(0) != _HEADING:
        raise Refusal("proof_malformed", f"Its first line is not `{_HEADING}`.")
    if not separator:
        raise Refusal("proof_malformed", "It has no blank line.")
    extra = lines.pop(0)[len("extra ") :] if lines and lines[0].startswith("extra ") else None
    if not lines or not lines[0].startswith("index "):
        raise Refusal("proof_malformed", "The line with the index is missing.")
    index = lines.pop(0)[len("index ") :]
    if len(lines) > _MAX_HASHES:
        raise Refusal("proof_length", "It is too long.")
    salt = None if extra is None else decode_base64(extra)
    return Proof(salt, parse_size(index), [_hash_of(line) for line in lines], checkpoint)


def _hash_of(line: str) -> bytes:
    value = decode_base64(line)
    if len(value) != 32:
        raise Refusal("proof_malformed", "A hash is not 32 bytes.")
    return value


def commitment_of(value: Any, salt: Optional[bytes], prefix: str) -> str:
    """What the log holds in place of a text: nobody can find the text without the salt."""
    if salt is None or len(salt) != 32:
        raise Refusal("salt_length")
    return encode_base64url(hashlib.sha256(f"{prefix}/commit/v1\n".encode() + salt + canonical_json(value)).digest())


def entry_of(type: str, commitment: str) -> bytes:
    return canonical_json({"c": commitment, "t": type, "v": 1})
