"""The checks of the log: that it has the post, and that it has only grown."""

from __future__ import annotations

from datetime import datetime, timezone
from fractions import Fraction
from typing import Any, Callable, Literal, NamedTuple, Optional, Sequence

from .log.checkpoints import Checkpoint, open_checkpoint, parse_checkpoint_text
from .log.merkle import Tree, check_consistency, consistency_proof, inclusion_root, leaf_hash
from .log.notes import COSIGNATURE_KEY, NOTE_KEY, VerifierKey, parse_note, parse_vkey
from .log.proofs import Proof, commitment_of, entry_of, parse_proof
from .log.tiles import TileReader
from .published_keys import PublishedKeys, PublishedLog
from .refusal import Refusal
from .sources import MAX_BYTES

Read = Callable[[str, int], Optional[bytes]]
"""The body at an address, of at most so many bytes; None if nothing is there. Raises Refusal if no answer comes."""

_MAX_TILE_BYTES = 8192
"""A full tile has 256 hashes of 32 bytes."""


class LogRules(NamedTuple):
    keys: PublishedKeys
    witnesses: Sequence[str]
    """The verifier keys of witnesses that must have cosigned."""
    now: float
    not_before: Optional[Fraction]
    """When the post was published and signed. No checkpoint with its entry can be older."""


class Cosignature(NamedTuple):
    """When a witness cosigned the log."""

    witness: str
    """The name of the witness."""
    time: str
    """In UTC, to the second."""
    is_required: bool
    checkpoint: Literal["proof", "current"]
    """The one in the proof, or the current one of the log, which contains everything that the one in the proof covers."""


class KnownLog:
    """A log whose keys are known. Reads its current checkpoint once."""

    def __init__(
        self, log: PublishedLog, key: VerifierKey, required: Sequence[VerifierKey], rules: LogRules, read: Read
    ) -> None:
        self.origin, self.key, self.required = log.origin, key, required
        self._url, self._rules, self._read = log.url, rules, read
        self._closed_at = _closed_at(log, key, rules.now)
        self._current: Optional[tuple[bytes, Checkpoint, TileReader]] = None

    @property
    def is_closed(self) -> bool:
        return self._closed_at is not None

    def open(self, note: bytes) -> Checkpoint:
        """Refuses unless the log signed the note and every cosignature is valid."""
        rules, closed_at = self._rules, self._closed_at
        witnesses = [*rules.keys.witnesses, *self.required]
        found = open_checkpoint(note, self.key, witnesses, now=rules.now, not_before=rules.not_before)
        # Whoever has the key of a closed log could extend it.
        if closed_at and found.tree.size > closed_at.size:
            raise Refusal("closed_log_larger")
        if closed_at and found.tree.size == closed_at.size and found.tree.root != closed_at.root:
            raise Refusal("closed_log_differs")
        return found

    def current(self) -> tuple[bytes, Checkpoint]:
        """The current checkpoint, as it was read and as it was opened."""
        note, found, _ = self._read_current()
        return note, found

    def _read_current(self) -> tuple[bytes, Checkpoint, TileReader]:
        if self._current is None:
            note = self._read(f"{self._url}checkpoint", MAX_BYTES)
            if note is None:
                raise Refusal("tile_missing", "The log has no checkpoint.")
            found = self.open(note)
            if self._closed_at:
                check_consistency(self._closed_at, found.tree, [])
            tiles = TileReader(found.tree.size, lambda path: self._read(self._url + path, _MAX_TILE_BYTES))
            self._current = note, found, tiles
        return self._current

    def check_continuation(self, older: Tree) -> None:
        """Refuses unless the current tree begins with all entries of the older one."""
        _, current, tiles = self._read_current()
        is_older = older.size < current.tree.size
        proof = consistency_proof(older.size, current.tree.size, tiles.subtree) if is_older else []
        check_consistency(older, current.tree, proof)


def _closed_at(log: PublishedLog, key: VerifierKey, now: float) -> Optional[Tree]:
    """The last tree of a closed log; None if the log is open."""
    if not log.is_closed:
        return None
    if log.last_checkpoint is None:
        raise Refusal("closed_log_larger")
    return open_checkpoint(log.last_checkpoint.encode("utf-8"), key, now=now).tree


class ProvenEntry(NamedTuple):
    """An entry that is in a log, and the checkpoint that covers it."""

    log: KnownLog
    checkpoint: Checkpoint


def check_proof(post: Any, data: bytes, rules: LogRules, read: Read) -> tuple[ProvenEntry, str]:
    """Refuses unless the proof leads to a checkpoint that the log signed, and the required witnesses cosigned."""
    proof = parse_proof(data)
    origin, _ = parse_checkpoint_text(parse_note(proof.checkpoint).text)
    found = next((each for each in rules.keys.logs if each.origin == origin), None)
    if found is None:
        raise Refusal("foreign_origin", f"The checkpoint is of {origin}.")
    key = parse_vkey(found.vkey, NOTE_KEY)
    required = [parse_vkey(vkey, COSIGNATURE_KEY) for vkey in rules.witnesses]
    log = KnownLog(found, key, required, rules, read)
    checkpoint = log.open(proof.checkpoint)
    if len({witness.public_key for witness in required}) < len(required):
        raise Refusal("witness_missing", "The same key is required twice.")
    _check_inclusion(post, origin, proof, checkpoint.tree)
    later = _check_cosigners(log, checkpoint)
    detail = f"Entry {proof.position} of {origin}; {_cosigners(log, checkpoint, later)}."
    return ProvenEntry(log, checkpoint), detail


def _check_cosigners(log: KnownLog, checkpoint: Checkpoint) -> int:
    """Refuses unless every required witness cosigned the checkpoint of the proof, or the current one.

    A witness can be newer than the proof, and the current checkpoint must contain the one of the proof. Returns how many
    cosigned the current one only.
    """
    missing = [witness for witness in log.required if witness.public_key not in checkpoint.witnesses]
    if not missing:
        return 0
    current = log.current()[1]
    log.check_continuation(checkpoint.tree)
    for witness in missing:
        if witness.public_key not in current.witnesses:
            raise Refusal("witness_missing", f"The witness: {witness.name}.")
    return len(missing)


def _cosigners(log: KnownLog, checkpoint: Checkpoint, later: int) -> str:
    """The witnesses that the reader required, and the others. Those prove little: the site chose them."""
    others = len(set(checkpoint.witnesses) - {witness.public_key for witness in log.required})
    own = f"{others} of the site’s own witnesses"
    if not log.required:
        return f"cosigned by {own}" if others else "not cosigned by any witness"
    chosen = _counted(len(log.required), "required witness", "required witnesses")
    current = f" ({later} on the log’s current checkpoint)" if later else ""
    return f"cosigned by {chosen}{current}{f' and {own}' if others else ''}"


def _check_inclusion(post: Any, origin: str, proof: Proof, tree: Tree) -> None:
    """The proof does not say whether the entry is of a new post or of an edit."""
    commitment = commitment_of(post, proof.extra, origin)
    leaves = (leaf_hash(entry_of(type, commitment)) for type in ("post", "edit"))
    if all(inclusion_root(proof.position, tree.size, leaf, proof.hashes) != tree.root for leaf in leaves):
        raise Refusal("inclusion_wrong")


class Memory(NamedTuple):
    """What the verifier saw earlier."""

    checkpoint: Optional[str]
    """Of the log that has the post."""
    logs: Sequence[str]
    """The names of the logs that the site had."""


class Visit(NamedTuple):
    """What the verifier has seen of the log now."""

    note: bytes
    """The current checkpoint."""
    is_first: bool
    cosignatures: Sequence[Cosignature]


def read_continuity(entry: ProvenEntry, rules: LogRules, memory: Memory) -> tuple[Visit, str]:
    """Refuses unless the log still has all that the proof’s and the last visit’s checkpoints covered."""
    log, checkpoint = entry
    for seen in memory.logs:
        if all(each.origin != seen for each in rules.keys.logs):
            raise Refusal("log_missing", f"The log: {seen}.")
    note, current = log.current()
    log.check_continuation(checkpoint.tree)
    visit = ". No earlier visit to this log is known."
    if memory.checkpoint is not None:
        last = _open_last_visit(memory.checkpoint, log.key, rules.now)
        log.check_continuation(last)
        visit = f" and the {last.size} from your last visit."
    has = f"{'The log is closed and' if log.is_closed else 'The log now'} has"
    count = _counted(current.tree.size, "entry", "entries")
    cosignatures = [*_cosignatures_of(log, checkpoint, "proof"), *_cosignatures_of(log, current, "current")]
    detail = f"{has} {count}, including the {checkpoint.tree.size} covered by the proof{visit}"
    return Visit(note, memory.checkpoint is None, cosignatures), detail


def _open_last_visit(note: str, key: VerifierKey, now: float) -> Tree:
    try:
        return open_checkpoint(note.encode("utf-8", "surrogatepass"), key, now=now).tree
    except Refusal as refusal:
        if refusal.code == "note_unsigned":
            raise Refusal("log_key_changed") from None
        raise


def _cosignatures_of(
    log: KnownLog, found: Checkpoint, checkpoint: Literal["proof", "current"]
) -> list[Cosignature]:
    required = {witness.public_key for witness in log.required}
    return [
        Cosignature(each.name, _time_text(each.time), public_key in required, checkpoint)
        for public_key, each in found.witnesses.items()
    ]


def _time_text(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, timezone.utc).replace(tzinfo=None).isoformat()}Z"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
