from __future__ import annotations

import io
import math

from broadside._cli.terminal.output import Column, Look, Output, table_lines
from broadside._cli.terminal.text import fit, one_line, safe_json, time_text, usd, width_of, wrap

Row = tuple[str, str]
COLUMNS: list[Column[Row]] = [
    Column("ID", lambda row: row[0], lambda row: "green"),
    Column("HEADLINE", lambda row: row[1], is_flexible=True),
]
ROWS: list[Row] = [("post_1", "The ferry runs every ten minutes from the second pier"), ("post_22", "渡船 runs again")]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_table_fits_the_terminal() -> None:
    lines = table_lines(ROWS, COLUMNS, Look(30, False))
    assert lines == ["ID       HEADLINE", "post_1   The ferry runs every…", "post_22  渡船 runs again"]
    assert all(width_of(line) <= 30 for line in lines)


def test_a_table_for_a_program_is_not_cut() -> None:
    assert ROWS[0][1] in table_lines(ROWS, COLUMNS, Look(math.inf, False))[1]


def test_colors_only_on_a_terminal_that_wants_them() -> None:
    def shown(out: io.StringIO, environment: dict[str, str], is_json: bool = False) -> str:
        return Output(is_json, out, io.StringIO(), environment).style("green", "a")

    assert shown(Terminal(), {}) == "\x1b[32ma\x1b[39m"
    assert shown(Terminal(), {"NO_COLOR": "1"}) == "a"
    assert shown(Terminal(), {"TERM": "dumb"}) == "a"
    assert shown(Terminal(), {}, is_json=True) == "a"
    assert shown(io.StringIO(), {}) == "a"


def test_with_json_only_the_document_is_on_standard_output() -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    out = Output(True, stdout, stderr, {})
    out.print("A line.")
    out.note("A note.")
    with out.progress("Waiting"):
        out.document({"a": "b"})
    assert (stdout.getvalue(), stderr.getvalue()) == ('{\n  "a": "b"\n}\n', "A note.\n")


def test_no_progress_line_without_a_terminal() -> None:
    stderr = io.StringIO()
    with Output(False, io.StringIO(), stderr, {}).progress("Waiting"):
        pass
    assert stderr.getvalue() == ""


def test_text_of_strangers_cannot_control_the_terminal() -> None:
    assert one_line("a\x1b[31m\tb\r\nc\u202ed\u2028e") == "a[31m b cd e"
    assert safe_json({"a": "\x1b\x7f\u202e\U000e0001"}) == '{"a":"\\u001b\\u007f\\u202e\\udb40\\udc01"}'
    assert safe_json({"a": "Zürich 渡船 🚢"}) == '{"a":"Zürich 渡船 🚢"}'


def test_a_line_has_only_the_styles_of_this_program() -> None:
    hostile = "a\x1b]0;title\x07\x1b[2J\u202eb\r\nc"
    for stdout, shown in ((io.StringIO(), "a]0;title[2Jbc\n"), (Terminal(), "\x1b[32ma]0;title[2Jbc\x1b[39m\n")):
        stderr = io.StringIO()
        out = Output(False, stdout, stderr, {})
        out.print(out.style("green", hostile))
        out.note(out.style("green", hostile))
        assert (stdout.getvalue(), stderr.getvalue()) == (shown, shown)


def test_a_flag_takes_two_columns() -> None:
    assert [width_of(text) for text in ("🇵🇹", "🚢", "é", "e\u0301")] == [2, 2, 1, 1]


def test_text_is_cut_by_columns() -> None:
    assert fit("渡船渡船", 5) == "渡船…"
    assert fit("abc", 3) == "abc"
    assert wrap("one two three", 7) == ["one two", "three"]


def test_amounts_and_times() -> None:
    assert [usd(20_000), usd(12_000_000), usd(1_234_560), usd(-5), usd(0)] == [
        "$0.02",
        "$12.00",
        "$1.23456",
        "-$0.000005",
        "$0.00",
    ]
    assert time_text("2026-11-18T06:00:00.000+01:00") == "2026-11-18 05:00:00 UTC"
    assert time_text("2026-11-18T05:00:00.123Z") == "2026-11-18 05:00:00 UTC"
    assert time_text("some\x1btime") == "sometime"
