"""Signed notes and the keys that verify them (C2SP signed-note and tlog-cosignature)."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple, Sequence

from ..ed25519 import check_public_key, is_signed_by
from ..encoding import decode_base64
from ..refusal import Refusal

NOTE_KEY = 0x01
"""A key that signs the text of the note: the log’s."""
COSIGNATURE_KEY = 0x04
"""A key that signs the text with a time: a witness’s."""
_BLOB_LENGTHS = {NOTE_KEY: 64, COSIGNATURE_KEY: 72}

MAX_NOTE_BYTES = 65536
"""Room for 16 signatures of the largest type, 0x06."""
_MAX_SIGNATURES = 64


class VerifierKey(NamedTuple):
    """A key from a vkey: `name+id+base64(type and key)`."""

    name: str
    id: bytes
    type: int
    public_key: bytes


def parse_vkey(text: str, type: int) -> VerifierKey:
    """The key of a vkey, which must have this type. A witness’s key cannot stand for a log’s."""
    form = re.fullmatch(r"([^+]*)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)", text)
    if form is None:
        raise Refusal("vkey_malformed")
    name = form[1]
    _check_key_name(name)
    blob = decode_base64(form[3])
    if blob[0] != type:
        raise Refusal("vkey_type", f"It is not of a {'log' if type == NOTE_KEY else 'witness'}.")
    check_public_key(blob[1:])
    key = VerifierKey(name, key_id(name, blob), type, blob[1:])
    if key.id.hex() != form[2]:
        raise Refusal("vkey_id")
    return key


def key_id(name: str, typed_key: bytes) -> bytes:
    return hashlib.sha256(name.encode("ascii") + b"\n" + typed_key).digest()[:4]


def _check_key_name(name: str) -> None:
    if not re.fullmatch("[!-*,-~]+", name):
        raise Refusal("note_key_name")


class NoteSignature(NamedTuple):
    name: str
    id: bytes
    blob: bytes
    """What follows the id."""


class Note(NamedTuple):
    text: str
    """What the signatures cover, including the final newline."""
    signatures: Sequence[NoteSignature]


def parse_note(data: bytes) -> Note:
    """The text and the signatures of a note, none of which is verified yet."""
    if len(data) > MAX_NOTE_BYTES:
        raise Refusal("note_too_large")
    try:
        whole = data.decode("utf-8")
    except ValueError:
        raise Refusal("note_not_text") from None
    if any((character < " " and character != "\n") or character == "\x7f" for character in whole):
        raise Refusal("note_not_text")
    text, separator, block = whole.rpartition("\n\n")
    if not separator or not block.endswith("\n"):
        raise Refusal("note_malformed")
    lines = block[:-1].split("\n")
    if len(lines) > _MAX_SIGNATURES:
        raise Refusal("note_too_large")
    return Note(text + "\n", [_signature_of(line) for line in lines])


def _signature_of(line: str) -> NoteSignature:
    if not line.startswith("\u2014 "):
        raise Refusal("note_signature_line")
    name, _, encoded = line[2:].rpartition(" ")
    _check_key_name(name)
    blob = decode_base64(encoded)
    if len(blob) < 5:
        raise Refusal("note_signature_length")
    return NoteSignature(name, blob[:4], blob[4:])


def cosignature_times(note: Note, key: VerifierKey) -> list[int]:
    """When this witness saw the note, in seconds since 1970. One cosignature that is not valid spoils the whole note."""
    return [int.from_bytes(blob[:8], "big") for blob in _verified_blobs(note, key)]


def check_log_signature(note: Note, key: VerifierKey) -> None:
    """Refuses the note unless the log signed it. A second signature by the same key must be valid as well."""
    if not _verified_blobs(note, key):
        raise Refusal("note_unsigned")


def _verified_blobs(note: Note, key: VerifierKey) -> list[bytes]:
    own = [each.blob for each in note.signatures if (each.name, each.id) == (key.name, key.id)]
    for blob in own:
        if len(blob) != _BLOB_LENGTHS[key.type]:
            raise Refusal("note_signature_length")
        prefix = f"cosignature/v1\ntime {int.from_bytes(blob[:8], 'big')}\n" if key.type == COSIGNATURE_KEY else ""
        if not is_signed_by(key.public_key, (prefix + note.text).encode("utf-8"), blob[-64:]):
            raise Refusal("note_signature_wrong", f"The key: {key.name}.")
    return own
