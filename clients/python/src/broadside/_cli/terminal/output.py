"""Writes to the terminal, or what a pipe or a script expects."""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
import threading
import time
from contextlib import contextmanager
from typing import Any, Callable, Generic, Iterator, Mapping, NamedTuple, Optional, Sequence, TextIO, TypeVar

from .text import fit, one_line, printable, safe_json, width_of

Row = TypeVar("Row")
Style = Optional[str]
_CODES: Mapping[str, tuple[int, int]] = {
    "bold": (1, 22),
    "dim": (2, 22),
    "red": (31, 39),
    "green": (32, 39),
    "yellow": (33, 39),
}


_OWN_STYLES = re.compile(r"(\x1b\[(?:1|2|22|31|32|33|39)m)")
_NARROW = 100
"""Narrower terminals do not show optional columns."""


class Column(Generic[Row]):
    """A column of a table. A flexible one takes what the others leave; a narrow terminal shows no optional one."""

    def __init__(
        self,
        title: str,
        text: Callable[[Row], object],
        style: Callable[[Row], Style] = lambda row: None,
        is_flexible: bool = False,
        is_optional: bool = False,
    ) -> None:
        self.title, self.text, self.style = title, text, style
        self.is_flexible, self.is_optional = is_flexible, is_optional


class Look(NamedTuple):
    """What the terminal can show."""

    width: float
    has_colors: bool

    def style(self, name: Style, text: str) -> str:
        if name is None or not self.has_colors or text == "":
            return text
        start, end = _CODES[name]
        return f"\x1b[{start}m{text}\x1b[{end}m"


class Output:
    """Results go to standard output, everything else to standard error."""

    def __init__(self, is_json: bool, stdout: TextIO, stderr: TextIO, environment: Mapping[str, str]) -> None:
        is_terminal = stdout.isatty()
        has_colors = is_terminal and not is_json and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
        width = shutil.get_terminal_size().columns if is_terminal else math.inf
        self.is_json = is_json
        self.look = Look(width, has_colors)
        self.style = self.look.style
        self._stdout, self._stderr = stdout, stderr

    def print(self, line: str = "") -> None:
        """A line on standard output; nothing with --json."""
        if not self.is_json:
            self._write(f"{self._clean(line)}\n")

    def own_text(self, text: str) -> None:
        """Lines on standard output that have nothing from the service, such as a script; nothing with --json."""
        if not self.is_json:
            self._write(f"{text}\n")

    def note(self, line: str) -> None:
        """A line on standard error."""
        self._stderr.write(f"{self._clean(line)}\n")
        self._stderr.flush()

    def _clean(self, line: str) -> str:
        """The line without characters that the terminal would interpret, except the styles of this program."""
        parts = _OWN_STYLES.split(line) if self.look.has_colors else [line]
        return "".join(part if index % 2 else printable(part) for index, part in enumerate(parts))

    def document(self, value: Any) -> None:
        """The document of the command; nothing without --json."""
        if self.is_json:
            self._write(f"{safe_json(value, 2)}\n")

    def json_line(self, value: Any) -> None:
        """One line of JSON; nothing without --json."""
        if self.is_json:
            self._write(f"{safe_json(value)}\n")

    def table(self, rows: Sequence[Row], columns: Sequence[Column[Row]]) -> None:
        for line in table_lines(rows, columns, self.look):
            self.print(line)

    @contextmanager
    def progress(self, text: str) -> Iterator[None]:
        """Shows on a terminal that something takes time."""
        if self.is_json or not self._stderr.isatty():
            yield
            return
        started, ended = time.monotonic(), threading.Event()

        def show() -> None:
            while True:
                line = f"{printable(text)} {round(time.monotonic() - started)} s"
                columns = os.get_terminal_size(self._stderr.fileno()).columns or 80
                self._stderr.write(f"\r{fit(line, columns - 1)}\x1b[K")
                self._stderr.flush()
                if ended.wait(1):
                    return

        shown = threading.Thread(target=show, daemon=True)
        shown.start()
        try:
            yield
        finally:
            ended.set()
            shown.join()
            self._stderr.write("\r\x1b[K")
            self._stderr.flush()

    def _write(self, text: str) -> None:
        # Each line at once: a program that reads a stream must not wait for the next ones.
        self._stdout.write(text)
        self._stdout.flush()


def table_lines(rows: Sequence[Row], all_columns: Sequence[Column[Row]], look: Look) -> list[str]:
    """Aligned columns that fit the width. Only flexible columns are cut."""
    columns = [column for column in all_columns if look.width >= _NARROW or not column.is_optional]
    cells = [[one_line(str(column.text(row))) for column in columns] for row in rows]
    widths = [
        max([width_of(column.title), *(width_of(row[index]) for row in cells)]) for index, column in enumerate(columns)
    ]
    rest = sum(0 if column.is_flexible else width + 2 for column, width in zip(columns, widths))
    flexible = sum(column.is_flexible for column in columns)
    share = max(10.0, (look.width - rest) / max(1, flexible) - (2 if flexible > 1 else 0))
    limit = max(widths, default=0) if math.isinf(share) else math.floor(share)
    limits = [min(width, limit) if column.is_flexible else width for column, width in zip(columns, widths)]

    def line(texts: Sequence[str], styles: Sequence[Style]) -> str:
        parts = []
        for index, text in enumerate(texts):
            cut = fit(text, limits[index])
            space = "" if index == len(texts) - 1 else " " * (limits[index] - width_of(cut))
            parts.append(look.style(styles[index], cut) + space)
        return "  ".join(parts).rstrip()

    head = line([column.title for column in columns], ["dim"] * len(columns))
    return [head, *(line(texts, [column.style(row) for column in columns]) for texts, row in zip(cells, rows))]


def open_output(is_json: bool) -> Output:
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its number.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    return Output(is_json, sys.stdout, sys.stderr, os.environ)
