"""Checkpoints: the size and the root of a log, signed (C2SP tlog-checkpoint)."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Mapping, NamedTuple, Optional, Sequence

from ..encoding import decode_base64
from ..refusal import Refusal
from .merkle import EMPTY_ROOT, Tree
from .notes import VerifierKey, check_log_signature, cosignature_times, parse_note

_CLOCK_DIFFERENCE = 300


class Cosigner(NamedTuple):
    name: str
    time: int
    """In seconds since 1970."""


class Checkpoint(NamedTuple):
    tree: Tree
    witnesses: Mapping[bytes, Cosigner]
    """The witnesses that cosigned it, by key, so that one with two names counts once."""


def open_checkpoint(
    data: bytes,
    log_key: VerifierKey,
    witnesses: Sequence[VerifierKey] = (),
    *,
    now: float,
    not_before: Optional[Fraction] = None,
) -> Checkpoint:
    """The checkpoint, if the log signed it and each cosignature of a known witness is valid."""
    note = parse_note(data)
    origin, tree = parse_checkpoint_text(note.text)
    if origin != log_key.name:
        raise Refusal("foreign_origin")
    check_log_signature(note, log_key)
    if tree.size == 0 and tree.root != EMPTY_ROOT:
        raise Refusal("checkpoint_root", "The tree is empty, and its root is not that of an empty tree.")
    found: dict[bytes, Cosigner] = {}
    for witness in witnesses:
        for time in cosignature_times(note, witness):
            _check_time(time, now, not_before)
            found[witness.public_key] = Cosigner(witness.name, time)
    return Checkpoint(tree, found)


def _check_time(time: int, now: float, not_before: Optional[Fraction]) -> None:
    earliest = 1 if not_before is None else max(1, int(not_before) - _CLOCK_DIFFERENCE)
    if not earliest <= time <= int(now) + _CLOCK_DIFFERENCE:
        raise Refusal("cosignature_time", f"The time: {time}.")


def parse_checkpoint_text(text: str) -> tuple[str, Tree]:
    """The origin and the tree. Nothing is verified yet."""
    lines = text.split("\n")
    if len(lines) != 4 or lines[3] or not lines[0]:
        raise Refusal("checkpoint_malformed")
    root = decode_base64(lines[2])
    if len(root) != 32:
        raise Refusal("checkpoint_root")
    return lines[0], Tree(parse_size(lines[1]), root)


_SIZE = re.compile("0|[1-9][0-9]{0,18}")


def parse_size(text: str) -> int:
    """A number of entries, or an index, in its only valid form."""
    if not _SIZE.fullmatch(text) or int(text) >= 2**63:
        raise Refusal("checkpoint_size")
    return int(text)
