from __future__ import annotations

import getpass
import sys

from ..failures import UsageError

def is_interactive() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def read_standard_input() -> str:
    """All of standard input, which must be UTF-8, whatever the locale says."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("Standard input is not encoded in UTF-8.") from None


def ask(question: str) -> str:
    """Asks a question on standard error, so that standard output has only results."""
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def ask_hidden(question: str) -> str:
    """Asks for a secret. The terminal does not show what is typed."""
    return getpass.getpass(question, sys.stderr).strip()
