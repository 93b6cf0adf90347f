from __future__ import annotations

import os
import sys
from typing import NoReturn, Sequence

from .._version import __version__
from .context import Context
from .error_report import describe_error
from .failures import InterruptedCommand, UsageError
from .handlers import HANDLERS
from .help import help_text
from .parse import Help, Invocation, parse_command_line, prints_lines
from .table import EXIT_CODES
from .terminal.output import Output, open_output


def main() -> NoReturn:
    """Runs the command line of this process."""
    _replace_closed_streams()
    try:
        code = run_command_line(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The program that reads the output has exited, as `head` does. Python must not write to it at the end, either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _replace_closed_streams() -> None:
    """A stream that was closed before this program started, as `>&-` does, is None."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")


def run_command_line(argv: Sequence[str]) -> int:
    """Runs one command, and returns the exit code."""
    out = open_output("--json" in argv)
    try:
        try:
            return EXIT_CODES[_run(argv, out)]
        except KeyboardInterrupt:
            raise InterruptedCommand() from None
    except Exception as error:
        report = describe_error(error, out.look)
        # A fault of this program: the trace helps to find it.
        if report is None:
            raise
        # With --json, standard output has exactly one document, the result or the problem, or one line for each event.
        if prints_lines(argv):
            out.json_line(report.document)
        else:
            out.document(report.document)
        if not out.is_json:
            for line in report.lines:
                out.note(line)
        return EXIT_CODES[report.exit]


def _run(argv: Sequence[str], out: Output) -> str:
    if any("\ud800" <= character <= "\udfff" for word in argv for character in word):
        raise UsageError("The command line is not UTF-8 text.")
    invocation = parse_command_line(argv)
    if isinstance(invocation, Help):
        sys.stdout.write(help_text(invocation.command, out.look))
    elif isinstance(invocation, Invocation):
        context = Context(invocation.arguments, invocation.options, out, os.environ)
        return HANDLERS[invocation.command.name](context) or "ok"
    else:
        sys.stdout.write(f"broadside {__version__}\n")
    return "ok"
