from __future__ import annotations

from typing import Optional, Sequence

import pytest

from broadside._verify.log.merkle import (
    EMPTY_ROOT,
    Tree,
    check_consistency,
    consistency_proof,
    inclusion_root,
    largest_power_below,
    leaf_hash,
    node_hash,
)
from broadside._verify.refusal import Refusal
from broadside._verify.log.tiles import TileReader, tile_path

# The entries and roots of the reference implementation of RFC 6962.
ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [leaf_hash(number.to_bytes(4, "big")) for number in range(70_000)]


def root_of(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) < 2:
        return leaves[0] if leaves else EMPTY_ROOT
    middle = largest_power_below(len(leaves))
    return node_hash(root_of(leaves[:middle]), root_of(leaves[middle:]))


def path_of(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    middle = largest_power_below(len(leaves))
    if index < middle:
        return [*path_of(index, leaves[:middle]), root_of(leaves[middle:])]
    return [*path_of(index - middle, leaves[middle:]), root_of(leaves[:middle])]


def test_the_roots_of_the_reference_implementation() -> None:
    leaves = [leaf_hash(bytes.fromhex(entry)) for entry in ENTRIES]
    assert [root_of(leaves[:size]).hex() for size in range(9)] == ROOTS


def test_every_inclusion_proof_is_accepted_and_every_altered_one_refused() -> None:
    for size in range(1, 40):
        root = root_of(LEAVES[:size])
        for index in range(size):
            path = path_of(index, LEAVES[:size])
            assert inclusion_root(index, size, LEAVES[index], path) == root
            assert size == 1 or _root_or_none((index + 1) % size, size, LEAVES[index], path) != root
            for changed in ([*path, root], path[:-1] if path else [root]):
                assert _root_or_none(index, size, LEAVES[index], changed) is None


def _root_or_none(index: int, size: int, leaf: bytes, path: Sequence[bytes]) -> Optional[bytes]:
    try:
        return inclusion_root(index, size, leaf, path)
    except Refusal:
        return None


@pytest.mark.parametrize("index", [-1, 3, 4])
def test_an_index_beyond_the_tree_is_refused(index: int) -> None:
    with pytest.raises(Refusal, match="index"):
        inclusion_root(index, 3, LEAVES[0], [LEAVES[1], LEAVES[2]])


def refusal_of(older: Tree, newer: Tree, proof: Sequence[bytes]) -> Optional[str]:
    try:
        check_consistency(older, newer, proof)
    except Refusal as refusal:
        return refusal.code
    return None


def test_every_consistency_proof_is_accepted_and_every_altered_one_refused() -> None:
    trees = [Tree(size, root_of(LEAVES[:size])) for size in range(24)]
    for newer in trees[1:]:
        for older in trees[: newer.size + 1]:
            proof = consistency_proof(older.size, newer.size, lambda start, end: root_of(LEAVES[start:end]))
            assert refusal_of(older, newer, proof) is None
            assert refusal_of(older, newer, [*proof, newer.root]) == "proof_length"
            if older.size in (0, newer.size):
                continue
            assert refusal_of(older._replace(root=LEAVES[-1]), newer, proof) == "not_a_continuation"
            assert refusal_of(older, newer._replace(root=LEAVES[-1]), proof) == "not_a_continuation"
            assert refusal_of(older, newer, proof[:-1]) == "proof_length"
            for at in range(len(proof)):
                changed = [*proof[:at], LEAVES[-1], *proof[at + 1 :]]
                assert refusal_of(older, newer, changed) == "not_a_continuation"


def test_a_smaller_tree_or_another_root_of_the_same_size_is_no_continuation() -> None:
    two, three, other = Tree(2, root_of(LEAVES[:2])), Tree(3, root_of(LEAVES[:3])), Tree(3, root_of(LEAVES[1:4]))
    assert refusal_of(three, two, []) == "smaller_size"
    assert refusal_of(three, other, []) == "same_size_other_root"
    assert refusal_of(Tree(0, EMPTY_ROOT), three, [LEAVES[0]]) == "proof_length"


def test_tile_paths_have_one_form() -> None:
    assert tile_path(0, 0, 3) == "tile/0/000.p/3"
    assert [tile_path(1, number, 256) for number in (67, 1067, 1234067, 1000)] == [
        "tile/1/067",
        "tile/1/x001/067",
        "tile/1/x001/x234/067",
        "tile/1/x001/000",
    ]
    for level, index, width in ((0, 0, 0), (0, 0, 257), (64, 0, 1), (-1, 0, 1), (0, -1, 1)):
        with pytest.raises(Refusal, match="path"):
            tile_path(level, index, width)


def tiles_of(size: int) -> dict[str, bytes]:
    """Every tile of a log with this many entries, as the service writes them."""
    files, level, row = {}, 0, LEAVES[:size]
    while row:
        for start in range(0, len(row), 256):
            part = row[start : start + 256]
            files[tile_path(level, start // 256, len(part))] = b"".join(part)
        row = [root_of(row[at : at + 256]) for at in range(0, len(row) // 256 * 256, 256)]
        level += 1
    return files


@pytest.mark.parametrize("size", [1, 3, 255, 256, 257, 511, 513, 65_535, 65_536, 65_537, 69_999])
def test_the_root_and_consistency_follow_from_tiles(size: int) -> None:
    files = tiles_of(size)
    root = root_of(LEAVES[:size])
    assert TileReader(size, files.get).subtree(0, size) == root
    for old_size in sorted({0, 1, size // 3, size // 2, size - 1, size, min(size, 256), min(size, 300)}):
        proof = consistency_proof(old_size, size, TileReader(size, files.get).subtree)
        check_consistency(Tree(old_size, root_of(LEAVES[:old_size])), Tree(size, root), proof)


def test_the_full_tile_serves_where_the_partial_one_was_deleted() -> None:
    files = {"tile/0/000": b"".join(LEAVES[:256])}
    assert TileReader(3, files.get).subtree(0, 3) == root_of(LEAVES[:3])


@pytest.mark.parametrize("length", [0, 64, 95, 97, 128])
def test_a_tile_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(Refusal) as raised:
        TileReader(3, {"tile/0/000.p/3": bytes(length)}.get).subtree(0, 3)
    assert raised.value.code == "tile_length"


def test_a_missing_tile_is_refused() -> None:
    with pytest.raises(Refusal) as raised:
        TileReader(3, {"tile/0/000.p/2": bytes(64)}.get).subtree(0, 3)
    assert raised.value.code == "tile_missing"
