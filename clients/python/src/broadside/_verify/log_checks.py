"""The checks of the log: that it has the post, and that it has only grown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Callable, NamedTuple, Optional, Sequence

from .log.checkpoints import Checkpoint, open_checkpoint, parse_checkpoint_text
from .log.merkle import Tree, check_consistency, consistency_proof, inclusion_root, leaf_hash
from .log.notes import COSIGNATURE_KEY, NOTE_KEY, VerifierKey, parse_note, parse_vkey
from .log.proofs import Proof, commitment_of, entry_of, parse_proof
from .log.tiles import TileReader
from .published_keys import PublishedKeys, PublishedLog
from .refusal import Refusal

Read = Callable[[str], Optional[bytes]]
"""The body at an address; None if nothing is there. Raises Refusal if no answer comes."""


class LogRules(NamedTuple):
    keys: PublishedKeys
    witnesses: Sequence[str]
    """The verifier keys of witnesses that must have cosigned."""
    now: float
    not_before: Optional[Fraction]
    """When the post was signed. No checkpoint with its entry can be older."""


class ProvenEntry(NamedTuple):
    """An entry that is in a log, and the checkpoint that covers it."""

    log: PublishedLog
    log_key: VerifierKey
    witnesses: Sequence[VerifierKey]
    tree: Tree


def check_proof(post: Any, data: bytes, rules: LogRules) -> tuple[ProvenEntry, str]:
    """Refuses unless the proof leads from the post to a checkpoint that the log signed."""
    proof = parse_proof(data)
    origin, _ = parse_checkpoint_text(parse_note(proof.checkpoint).text)
    log = next((each for each in rules.keys.logs if each.origin == origin), None)
    if log is None:
        raise Refusal("foreign_origin", f"The checkpoint is of {origin}.")
    log_key = parse_vkey(log.vkey, NOTE_KEY)
    required = [parse_vkey(vkey, COSIGNATURE_KEY) for vkey in rules.witnesses]
    entry = ProvenEntry(log, log_key, [*rules.keys.witnesses, *required], Tree(0, b""))
    checkpoint = _opened(proof.checkpoint, entry, rules)
    if len({witness.public_key for witness in required}) < len(required):
        raise Refusal("witness_missing", "The same key is required twice.")
    for witness in required:
        if witness.public_key not in checkpoint.witnesses:
            raise Refusal("witness_missing", f"The witness: {witness.name}.")
    _check_inclusion(post, origin, proof, checkpoint.tree)
    cosigners = _cosigners(len(checkpoint.witnesses), len(required))
    return entry._replace(tree=checkpoint.tree), f"Entry {proof.position} of {origin}; {cosigners}."


def _cosigners(count: int, required: int) -> str:
    """The witnesses that the reader required, and the others. Those prove little: the site chose them."""
    if count == 0:
        return "not cosigned by any witness"
    own = f"{count - required} of the site’s own witnesses"
    if required == 0:
        return f"cosigned by {own}"
    chosen = _counted(required, "required witness", "required witnesses")
    return f"cosigned by {chosen} and {own}" if count > required else f"cosigned by {chosen}"


def _opened(note: bytes, entry: ProvenEntry, rules: LogRules) -> Checkpoint:
    return open_checkpoint(note, entry.log_key, entry.witnesses, now=rules.now, not_before=rules.not_before)


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


def read_continuity(entry: ProvenEntry, rules: LogRules, read: Read, memory: Memory) -> tuple[bytes, str]:
    """Refuses unless the log still has all that the proof’s and the last visit’s checkpoints covered.

    Returns the current checkpoint.
    """
    for seen in memory.logs:
        if all(log.origin != seen for log in rules.keys.logs):
            raise Refusal("log_missing", f"The log: {seen}.")
    note = read(f"{entry.log.url}checkpoint")
    if note is None:
        raise Refusal("tile_missing", "The log has no checkpoint.")
    current = _opened(note, entry, rules).tree
    tiles = TileReader(current.size, lambda path: read(entry.log.url + path))
    _check_continuation(tiles, entry.tree, current)
    visit = ". No earlier visit to this log is known."
    if memory.checkpoint is not None:
        last = open_checkpoint(memory.checkpoint.encode("utf-8", "surrogatepass"), entry.log_key, now=rules.now).tree
        _check_continuation(tiles, last, current)
        visit = f" and the {last.size} from your last visit."
    count = _counted(current.size, "entry", "entries")
    return note, f"The log now has {count}, including the {entry.tree.size} covered by the proof{visit}"


def _check_continuation(tiles: TileReader, older: Tree, current: Tree) -> None:
    is_older = older.size < current.size
    check_consistency(older, current, consistency_proof(older.size, current.size, tiles.subtree) if is_older else [])


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
