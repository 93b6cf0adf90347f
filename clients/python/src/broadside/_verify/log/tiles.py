"""The tiles of a log (C2SP tlog-tiles), and the hashes that they hold."""

from __future__ import annotations

from typing import Callable, Optional

from ..refusal import Refusal
from .merkle import EMPTY_ROOT, largest_power_below, node_hash

_HEIGHT = 8
_FULL = 256
_MAX_LEVEL = 63

ReadTile = Callable[[str], Optional[bytes]]
"""The bytes of the tile at a path under the log’s address; None if the log has no such file."""


def tile_path(level: int, index: int, width: int) -> str:
    """`tile/0/x001/067.p/3`: the number in groups of three digits, the width only if the tile is partial."""
    if not 0 <= level <= _MAX_LEVEL or index < 0 or not 1 <= width <= _FULL:
        raise Refusal("tile_path")
    groups = [f"{index % 1000:03d}"]
    while index >= 1000:
        index //= 1000
        groups.insert(0, f"x{index % 1000:03d}")
    partial = "" if width == _FULL else f".p/{width}"
    return f"tile/{level}/{'/'.join(groups)}{partial}"


class TileReader:
    """Hashes of the tree with this size. What it returns proves nothing until it is compared with a signed root."""

    def __init__(self, size: int, read: ReadTile) -> None:
        self._size = size
        self._read = read
        self._tiles: dict[tuple[int, int], list[bytes]] = {}

    def subtree(self, start: int, end: int) -> bytes:
        """The hash over the entries from start up to end, where start is a multiple of the next power of two."""
        count = end - start
        if count == 0:
            return EMPTY_ROOT
        if count & (count - 1) == 0:
            level = count.bit_length() - 1
            return self._node(level, start >> level)
        middle = start + largest_power_below(count)
        return node_hash(self.subtree(start, middle), self.subtree(middle, end))

    def _node(self, level: int, index: int) -> bytes:
        """The root of the perfect subtree with 2^level entries at this index."""
        tile_level, height = divmod(level, _HEIGHT)
        first = index << height
        row = self._tile(tile_level, first // _FULL)[first % _FULL :][: 1 << height]
        while len(row) > 1:
            row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
        return row[0]

    def _tile(self, level: int, index: int) -> list[bytes]:
        if (level, index) not in self._tiles:
            self._tiles[level, index] = self._load(level, index)
        return self._tiles[level, index]

    def _load(self, level: int, index: int) -> list[bytes]:
        width = min(_FULL, (self._size >> (_HEIGHT * level)) - index * _FULL)
        data, held = self._read(tile_path(level, index, width)), width
        if data is None and width < _FULL:
            # A log may delete a partial tile once the full one exists.
            data, held = self._read(tile_path(level, index, _FULL)), _FULL
        if data is None:
            raise Refusal("tile_missing", tile_path(level, index, width))
        if len(data) != 32 * held:
            raise Refusal("tile_length")
        return [data[at : at + 32] for at in range(0, 32 * width, 32)]
