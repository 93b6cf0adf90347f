"""The tree of RFC 6962: its hashes, and its two proofs as RFC 9162 checks them."""

from __future__ import annotations

import hashlib
from typing import Callable, NamedTuple, Sequence

from ..refusal import Refusal

EMPTY_ROOT = hashlib.sha256(b"").digest()


class Tree(NamedTuple):
    """How many entries a log has, and the hash over all of them."""

    size: int
    root: bytes


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def inclusion_root(index: int, size: int, leaf: bytes, proof: Sequence[bytes]) -> bytes:
    """The root of the tree that the proof puts the leaf into."""
    if not 0 <= index < size:
        raise Refusal("index_outside_tree")
    first, last, result = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise Refusal("proof_length", "It is too long.")
        if first & 1 or first == last:
            result = node_hash(sibling, result)
            while first and not first & 1:
                first, last = first >> 1, last >> 1
        else:
            result = node_hash(result, sibling)
        first, last = first >> 1, last >> 1
    if last:
        raise Refusal("proof_length", "It is too short.")
    return result


def check_consistency(older: Tree, newer: Tree, proof: Sequence[bytes]) -> None:
    """Refuses unless the newer tree begins with all entries of the older one."""
    if newer.size < older.size:
        raise Refusal("smaller_size", f"It had {older.size} entries, now {newer.size}.")
    if newer.size == older.size and newer.root != older.root:
        raise Refusal("same_size_other_root")
    if newer.size == older.size or older.size == 0:
        if proof:
            raise Refusal("proof_length", "It is too long.")
        return
    # A complete tree is its own first part, and the proof leaves it out.
    path = [older.root, *proof] if older.size & (older.size - 1) == 0 else list(proof)
    if not path:
        raise Refusal("proof_length", "It is too short.")
    if _roots_of(older.size, newer.size, path) != (older.root, newer.root):
        raise Refusal("not_a_continuation")


def _roots_of(old_size: int, size: int, path: Sequence[bytes]) -> tuple[bytes, bytes]:
    """The roots of both trees that the path leads to."""
    first, last = old_size - 1, size - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    old_root = root = path[0]
    for sibling in path[1:]:
        if last == 0:
            raise Refusal("proof_length", "It is too long.")
        if first & 1 or first == last:
            old_root, root = node_hash(sibling, old_root), node_hash(sibling, root)
            while first and not first & 1:
                first, last = first >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        first, last = first >> 1, last >> 1
    if last:
        raise Refusal("proof_length", "It is too short.")
    return old_root, root


SubtreeHash = Callable[[int, int], bytes]
"""The hash of the subtree over the entries from the first index up to the second, without it."""


def consistency_proof(old_size: int, size: int, subtree: SubtreeHash) -> list[bytes]:
    """The proof of RFC 6962, section 2.1.2."""
    if old_size in (0, size):
        return []
    return _subproof(old_size, 0, size, subtree, True)


def _subproof(old_size: int, start: int, end: int, subtree: SubtreeHash, is_whole: bool) -> list[bytes]:
    if old_size == end:
        return [] if is_whole else [subtree(start, end)]
    middle = start + largest_power_below(end - start)
    # The larger part is read first, as in the TypeScript client, so that both refuse the same tile.
    other = subtree(middle, end) if old_size <= middle else subtree(start, middle)
    if old_size <= middle:
        return [*_subproof(old_size, start, middle, subtree, is_whole), other]
    return [*_subproof(old_size, middle, end, subtree, False), other]


def largest_power_below(number: int) -> int:
    """The largest power of two that is less than a number of 2 or more."""
    return 1 << ((number - 1).bit_length() - 1)
